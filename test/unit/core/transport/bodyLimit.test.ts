import { describe, expect, it } from 'vitest';
import { createBodyLimit } from '../../../../src/core/transport/bodyLimit.ts';

const encoder = new TextEncoder();

/** Number of the first piece that is too much, of a limit of 10 bytes. */
function firstTooMuch(isEventStream: boolean, pieces: readonly string[]): number {
  const limit = createBodyLimit(isEventStream, 10);
  return pieces.findIndex((piece) => limit(encoder.encode(piece)));
}

describe('what may be held of a body', () => {
  it.each([
    ['up to the limit', ['12345', '67890'], -1],
    ['not a byte more', ['12345', '67890', '1'], 2],
    ['whatever lines it has', ['1\n\n', '2\n\n', '3\n\n', '4\n\n'], 3],
  ])('is of a whole one %s', (_, pieces, expected) => expect(firstTooMuch(false, pieces)).toBe(expected));

  it.each([
    ['any number of events', Array.from({ length: 20 }, () => 'data:x\n\n'), -1],
    ['with carriage returns', Array.from({ length: 20 }, () => 'd:x\r\n\r\n'), -1],
    ['with carriage returns alone', Array.from({ length: 20 }, () => 'data:x\r\r'), -1],
    ['cut between line ends', Array.from({ length: 20 }, () => ['d:x\r', '\n\r', '\n']).flat(), -1],
    ['no endless line', ['data:x', 'xxxx', 'x'], 2],
    ['no endless event', ['d:1\n', 'd:2\n', 'd:3\n'], 2],
    ['no endless event with both line ends', ['d:1\r\n', 'd:2\r\n', 'd:3\r\n'], 2],
  ])('is of a stream %s', (_, pieces, expected) => expect(firstTooMuch(true, pieces)).toBe(expected));
});
