import { decodeExactly, type ExactText, HEAD_BYTES, headOf } from './bytes.ts';

/** A line of any length up to this is delivered whole. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * What came between two line feeds. `bytes` is the size without the line end.
 * - `line`: complete; one carriage return before the line feed is taken off.
 * - `too-large`: the first 64 KiB of a line that reached the cap. `bytes` is the cap; what follows up to the next line
 *   feed is skipped, and its size is unknown when this is said.
 * - `unterminated`: the rest when the stream ended without a line feed.
 */
export type FramedLine = ExactText & {
  readonly kind: 'line' | 'too-large' | 'unterminated';
  readonly bytes: number;
};

/** Cuts a byte stream into lines. The lines do not depend on where its chunks are cut. */
export interface LineFramer {
  /** Takes the next bytes and returns the lines that they complete. The chunk must not be changed afterwards. */
  push(chunk: Uint8Array): readonly FramedLine[];
  /** Ends the stream and returns the unterminated rest, if any. */
  end(): readonly FramedLine[];
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Frames lines as MCP's stdio transport defines them: UTF-8, ended by a line feed and by nothing else, so that U+2028
 * within a JSON string splits nothing. Takes time linear in the bytes however they are cut: chunks are kept in a list and
 * joined once, and only new bytes are searched. Memory stays below the cap plus one chunk.
 */
export function createLineFramer(maxLineBytes: number = MAX_LINE_BYTES): LineFramer {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let isSkipping = false;

  /** The held bytes and `tail` in one piece; nothing is held afterwards. */
  function take(tail: Uint8Array): Uint8Array {
    const whole = held.length === 0 ? tail : Buffer.concat([...held, tail], heldBytes + tail.length);
    held = [];
    heldBytes = 0;
    return whole;
  }

  function tooLarge(tail: Uint8Array): FramedLine {
    const wanted = Math.min(HEAD_BYTES + 1, maxLineBytes);
    const parts: Uint8Array[] = [];
    let size = 0;
    for (const part of [...held, tail]) {
      if (size >= wanted) {
        break;
      }
      parts.push(part.subarray(0, wanted - size));
      size += Math.min(part.length, wanted - size);
    }
    held = [];
    heldBytes = 0;
    const head = headOf(Buffer.concat(parts), Math.min(HEAD_BYTES, maxLineBytes));
    return { kind: 'too-large', bytes: maxLineBytes, ...decodeExactly(head) };
  }

  return {
    push(chunk) {
      const lines: FramedLine[] = [];
      let start = 0;
      for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, start)) {
        const tail = chunk.subarray(start, lf);
        start = lf + 1;
        if (isSkipping) {
          isSkipping = false;
        } else if (heldBytes + tail.length > maxLineBytes) {
          lines.push(tooLarge(tail));
        } else {
          lines.push(line(take(tail)));
        }
      }
      const rest = chunk.subarray(start);
      if (rest.length === 0 || isSkipping) {
        return lines;
      }
      if (heldBytes + rest.length > maxLineBytes) {
        lines.push(tooLarge(rest));
        isSkipping = true;
      } else {
        held.push(rest);
        heldBytes += rest.length;
      }
      return lines;
    },

    end() {
      const rest = take(new Uint8Array());
      isSkipping = false;
      return rest.length === 0 ? [] : [{ kind: 'unterminated', bytes: rest.length, ...decodeExactly(rest) }];
    },
  };
}

function line(bytes: Uint8Array): FramedLine {
  const content = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
  return { kind: 'line', bytes: content.length, ...decodeExactly(content) };
}
