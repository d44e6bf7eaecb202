import { expect, it } from 'vitest';
import { inOrder } from '../../../src/cli/lint/inOrder.ts';

async function* numbers(count: number) {
  for (let number = 0; number < count; number++) {
    yield number;
  }
}

it('gives results in the order of the items, with few at a time', async () => {
  let active = 0;
  let most = 0;
  const results: number[] = [];
  const work = async (item: number) => {
    active += 1;
    most = Math.max(most, active);
    // The later ones are done sooner.
    for (let turn = 0; turn < 10 - item; turn++) {
      await Promise.resolve();
    }
    active -= 1;
    return item * 2;
  };
  for await (const result of inOrder(numbers(10), 3, work)) {
    results.push(result);
  }
  expect(results).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  expect(most).toBe(3);
});
