import type { SourceRange } from '../../protocol/finding.ts';

/** Turns offsets of `text` into ranges; lines end as in VS Code, at `\r\n`, `\n` or `\r`. Logarithmic a look-up. */
export function createLineIndex(text: string): (offset: number, length: number) => SourceRange {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    starts.push(match.index + match[0].length);
  }
  const at = (offset: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low, column: offset - (starts[low] ?? 0) };
  };
  return (offset, length) => {
    const start = at(Math.min(offset, text.length));
    const end = at(Math.min(offset + length, text.length));
    return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
  };
}
