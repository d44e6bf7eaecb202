import { Buffer } from 'node:buffer';

/** A line without its end, or only its number when it was over the limit. */
export type ByteLine =
  | { readonly kind: 'line'; readonly bytes: Uint8Array; readonly hasEnd: boolean }
  | { readonly kind: 'too-long' };

const LINE_FEED = 0x0a;

/**
 * Splits bytes at line feeds. A line of over `maxBytes` is passed over, so that memory is bounded by that and by the size
 * of a chunk; linear in the bytes. Rejects only when `chunks` does.
 */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<ByteLine, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= maxBytes) {
      parts.push(part);
    } else {
      parts = [];
    }
  };
  const take = (hasEnd: boolean): ByteLine => {
    const [first] = parts;
    const line: ByteLine =
      length > maxBytes
        ? { kind: 'too-long' }
        : { kind: 'line', bytes: parts.length === 1 && first !== undefined ? first : Buffer.concat(parts), hasEnd };
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, at));
      yield take(true);
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) {
    yield take(false);
  }
}
