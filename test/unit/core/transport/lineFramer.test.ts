import { describe, expect, it } from 'vitest';
import { createLineFramer, type FramedLine } from '../../../../src/core/transport/lineFramer.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const HEAD = 64 * 1024;

/** All lines of `bytes` when cut at `cuts`. */
function frame(bytes: Uint8Array, cuts: readonly number[], maxLineBytes?: number): FramedLine[] {
  const framer = createLineFramer(maxLineBytes);
  const edges = [0, ...cuts, bytes.length];
  const lines = edges.slice(1).flatMap((end, index) => framer.push(bytes.slice(edges[index], end)));
  return [...lines, ...framer.end()];
}

const bytesOf = (text: string | readonly number[]) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text);
const line = (raw: string): FramedLine => ({ kind: 'line', raw, bytes: Buffer.byteLength(raw) });

describe('createLineFramer', () => {
  it.each<[string, string, FramedLine[]]>([
    ['nothing', '', []],
    ['a line', 'a\n', [line('a')]],
    ['lines', 'a\nb\n', [line('a'), line('b')]],
    ['empty lines', '\n\r\n', [line(''), line('')]],
    ['lines as Windows ends them', '{}\r\n{"a":"\\r\\n"}\r\n', [line('{}'), line('{"a":"\\r\\n"}')]],
    ['one carriage return before the line feed', 'a\r\r\n', [line('a\r')]],
    ['a carriage return alone', 'a\rb\n', [line('a\rb')]],
    ['line separators of Unicode', 'a\u2028b\u2029c\u0085d\n', [line('a\u2028b\u2029c\u0085d')]],
    ['a byte order mark', '\ufeff{}\n', [line('\ufeff{}')]],
    ['an unterminated rest', 'a\nb\r', [line('a'), { kind: 'unterminated', raw: 'b\r', bytes: 2 }]],
  ])('frames %s', (_name, text, expected) => {
    expect(frame(bytesOf(text), [])).toEqual(expected);
  });

  it('joins a character that is split between chunks', () => {
    const bytes = bytesOf('"é😀"\n');
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(frame(bytes, [cut])).toEqual([line('"é😀"')]);
    }
  });

  it('keeps the bytes of a line that is not UTF-8', () => {
    expect(frame(bytesOf([0x61, 0xff, 0x62, 0x0a, 0x63, 0x0a]), [2])).toEqual([
      { kind: 'line', raw: 'a\ufffdb', rawBytes: bytesOf([0x61, 0xff, 0x62]), bytes: 3 },
      line('c'),
    ]);
  });

  it('says once that a line is too large, keeps its head and reads the lines after it', () => {
    const max = HEAD * 2;
    const bytes = bytesOf(`${'x'.repeat(max)}\n${'y'.repeat(max + 1)}\nz\n`);
    const expected = [line('x'.repeat(max)), { kind: 'too-large', raw: 'y'.repeat(HEAD), bytes: max }, line('z')];
    expect(frame(bytes, [], max)).toEqual(expected);
    expect(frame(bytes, [10, max + 5, max + HEAD + 5, max * 2, max * 2 + 2], max)).toEqual(expected);
  });

  it('says so of a line that never ends as soon as it is known, and of nothing else', () => {
    const framer = createLineFramer(10);
    expect(framer.push(bytesOf('0123456789'))).toEqual([]);
    expect(framer.push(bytesOf('!'))).toEqual([{ kind: 'too-large', raw: '0123456789', bytes: 10 }]);
    expect(framer.push(bytesOf('still the same line'))).toEqual([]);
    expect(framer.end()).toEqual([]);
  });

  it('does not cut a character in two at the end of a head', () => {
    const [first] = frame(bytesOf(`x${'é'.repeat(HEAD)}\n`), [], HEAD + 10);
    expect(first).toEqual({ kind: 'too-large', raw: `x${'é'.repeat(HEAD / 2 - 1)}`, bytes: HEAD + 10 });
  });

  it('gives the same lines for any bytes in any chunking', () => {
    const random = seededRandom(20);
    const pick = (n: number) => Math.floor(random() * n);
    const alphabet = [0x0a, 0x0a, 0x0d, 0x61, 0x7b, 0xc3, 0xa9, 0xe2, 0x80, 0xa8, 0xff, 0x00];
    for (let run = 0; run < 500; run += 1) {
      const bytes = Uint8Array.from({ length: pick(60) }, () => alphabet[pick(alphabet.length)] ?? 0);
      const cuts = Array.from({ length: pick(8) }, () => pick(bytes.length + 1)).sort((a, b) => a - b);
      const max = 1 + pick(12);
      expect(frame(bytes, cuts, max)).toEqual(frame(bytes, [], max));
      expect(frame(bytes, cuts)).toEqual(reference(bytes));
    }
  });
});

/** The same rules by splitting the whole at once. */
function reference(bytes: Uint8Array): FramedLine[] {
  const lines: FramedLine[] = [];
  let start = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at === bytes.length ? at > start : bytes[at] === 0x0a) {
      const isLine = at < bytes.length;
      const end = isLine && at > start && bytes[at - 1] === 0x0d ? at - 1 : at;
      const content = bytes.slice(start, end);
      const raw = Buffer.from(content).toString('utf8');
      const isExact = Buffer.from(raw, 'utf8').equals(content);
      lines.push({
        kind: isLine ? 'line' : 'unterminated',
        raw,
        bytes: content.length,
        ...(isExact ? {} : { rawBytes: content }),
      });
      start = at + 1;
    }
  }
  return lines;
}
