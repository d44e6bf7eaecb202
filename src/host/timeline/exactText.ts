import type { TextSpan } from '../../protocol/details.ts';

/** A text that shows every byte, with the places that stand for bytes which are no UTF-8. */
export interface ShownBytes {
  readonly text: string;
  readonly invalid: readonly TextSpan[];
}

/** Bytes as text: what is UTF-8 as it is, any other byte as `\xNN` (WHATWG Encoding, 8.1.1, tells which those are). */
export function exactText(bytes: Uint8Array): ShownBytes {
  const parts: string[] = [];
  const invalid: TextSpan[] = [];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let length = 0;
  let from = 0;
  const flush = (to: number) => {
    if (to > from) {
      const text = decoder.decode(bytes.subarray(from, to));
      parts.push(text);
      length += text.length;
    }
  };
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    if (size > 0) {
      at += size;
      continue;
    }
    flush(at);
    parts.push(`\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`);
    invalid.push({ start: length, end: length + 4 });
    length += 4;
    at += 1;
    from = at;
  }
  flush(bytes.length);
  return { text: parts.join(''), invalid: joined(invalid) };
}

/** Bytes of the well-formed sequence at `at` (Unicode, table 3-7); 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) {
    return 1;
  }
  const size =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (size === 0) {
    return 0;
  }
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) {
    return 0;
  }
  for (let offset = 2; offset < size; offset++) {
    if (((bytes[at + offset] ?? 0) & 0xc0) !== 0x80) {
      return 0;
    }
  }
  return size;
}

function joined(spans: readonly TextSpan[]): readonly TextSpan[] {
  const all: TextSpan[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last?.end === span.start) {
      all[all.length - 1] = { start: last.start, end: span.end };
    } else {
      all.push(span);
    }
  }
  return all;
}
