import type { Finding, Fix, SourceRange, TextEdit } from '../../protocol/finding.ts';
import { SourceText } from '../syntax.ts';

export interface ChosenFix {
  readonly finding: Finding;
  readonly fix: Fix;
}

/**
 * The safe fix of each finding that has one, as many as can be applied at once: one that overlaps an earlier one waits for
 * the next round.
 */
export function safeFixes(findings: readonly Finding[]): readonly ChosenFix[] {
  const chosen: ChosenFix[] = [];
  const taken: TextEdit[] = [];
  for (const finding of findings) {
    const fix = finding.fixes.find(({ isSafe }) => isSafe);
    if (fix?.edits.every((edit) => taken.every((other) => isSame(edit, other) || !overlaps(edit.range, other.range)))) {
      chosen.push({ finding, fix });
      taken.push(...fix.edits);
    }
  }
  return chosen;
}

/** All edits of fixes that go together. What two of them say alike, such as an import, is said once. */
export function editsOf(fixes: readonly ChosenFix[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const edit of fixes.flatMap(({ fix }) => fix.edits)) {
    if (!edits.some((other) => isSame(edit, other))) {
      edits.push(edit);
    }
  }
  return edits;
}

/** The text after edits, as an editor applies them: ranges of the old text, all at once. They do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const source = new SourceText(text);
  const parts: string[] = [];
  let at = 0;
  const spans = edits.map(({ range, newText }) => ({
    start: source.lineStart(range.startLine) + range.startColumn,
    end: source.lineStart(range.endLine) + range.endColumn,
    newText,
  }));
  for (const { start, end, newText } of spans.sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.newText === b.newText && compare(a.range, b.range) === 0;
}

/** Touching is overlapping: the order of two insertions at one place would be chance. */
function overlaps(a: SourceRange, b: SourceRange): boolean {
  return !isBefore(a, b) && !isBefore(b, a);
}

function isBefore(a: SourceRange, b: SourceRange): boolean {
  return a.endLine < b.startLine || (a.endLine === b.startLine && a.endColumn < b.startColumn);
}

function compare(a: SourceRange, b: SourceRange): number {
  return (
    a.startLine - b.startLine || a.startColumn - b.startColumn || a.endLine - b.endLine || a.endColumn - b.endColumn
  );
}
