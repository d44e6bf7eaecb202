import { MAX_LINE_BYTES } from './lineFramer.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Says of each chunk of a body whether whoever reads the body would have to hold more than may be held. */
export type BodyLimit = (chunk: Uint8Array) => boolean;

/**
 * A limit for one body, after decompression, which can make a thousand bytes of one. Of a stream of server-sent events it is
 * that of one event, since each is given away when it is whole; of any other body, that of all of it.
 */
export function createBodyLimit(isEventStream: boolean, maxBytes: number = MAX_LINE_BYTES): BodyLimit {
  let held = 0;
  // Line ends one after the other: a second one ends an event. A line feed behind a carriage return is one with it.
  let isLineStart = true;
  let isAfterReturn = false;
  return (chunk) => {
    if (!isEventStream) {
      held += chunk.length;
      return held > maxBytes;
    }
    for (const byte of chunk) {
      held += 1;
      if (byte === LF && isAfterReturn) {
        isAfterReturn = false;
        continue;
      }
      isAfterReturn = byte === CR;
      const isEnd = byte === LF || byte === CR;
      if (isEnd && isLineStart) {
        held = 0;
      } else if (held > maxBytes) {
        return true;
      }
      isLineStart = isEnd;
    }
    return false;
  };
}
