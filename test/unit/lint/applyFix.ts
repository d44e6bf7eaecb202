import type { Fix } from '../../../src/protocol/finding.ts';

/** The text after a fix, as an editor would apply it: ranges of the old text, all at once. */
export function applyFix(text: string, { edits }: Fix): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = (line: number, column: number) => (starts[line] ?? text.length) + column;
  return [...edits]
    .map(({ range, newText }) => ({
      start: offset(range.startLine, range.startColumn),
      end: offset(range.endLine, range.endColumn),
      newText,
    }))
    .sort((a, b) => b.start - a.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.newText + result.slice(edit.end), text);
}
