/**
 * Works on up to `atOnce` items at a time and gives the results in the order of the items. Never holds more than that many.
 * `work` must not reject.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  for await (const item of items) {
    waiting.push(work(item));
    if (waiting.length >= atOnce) {
      const oldest = waiting.shift();
      if (oldest !== undefined) {
        yield await oldest;
      }
    }
  }
  for (const result of waiting) {
    yield await result;
  }
}
