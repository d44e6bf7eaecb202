import type { Fix } from '../../protocol/finding.ts';
import { fixesOf } from '../fixes/edits.ts';
import type { UnusedSuppression } from '../suppressions.ts';
import type { SourceText } from '../syntax.ts';
import type { Report, RuleMeta } from './rule.ts';

const messages = {
  codes: 'lint.unusedSuppression.codes',
  all: 'lint.unusedSuppression.all',
} as const;

/** FL000: a comment switches off a rule that finds nothing there (docs/rules/FL000.md). It runs after all the others. */
export const unusedSuppression = {
  meta: { code: 'FL000', name: 'unused-suppression', severity: 'hint' } satisfies RuleMeta,
  messages,
  check(unused: readonly UnusedSuppression[], source: SourceText): readonly Report[] {
    return unused.map((entry) => ({
      confidence: 'high',
      span: entry,
      range: source.range(entry.start, entry.end),
      message: entry.unused === undefined ? messages.all : messages.codes,
      args: { codes: entry.unused?.join(', ') ?? '' },
      tools: [],
      sdk: 'unknown',
      fixes: () => remove(entry, source),
    }));
  },
};

/** Takes the comment away, or only the codes that are of no use. */
function remove(entry: UnusedSuppression, source: SourceText): readonly Fix[] {
  const { codes, unused, start, end } = entry;
  const rest = codes?.filter((code) => unused?.includes(code) === false) ?? [];
  const title = 'lint.fix.removeSuppression';
  if (rest.length > 0) {
    const words = /^[\w-]+/.exec(source.text.slice(start, end))?.[0] ?? '';
    return fixesOf([{ title, isSafe: true, changes: [{ start, end, text: `${words} ${rest.join(', ')}` }] }], source);
  }
  const change = wholeComment(start, source);
  return change === undefined ? [] : fixesOf([{ title, isSafe: true, changes: [{ ...change, text: '' }] }], source);
}

/** The comment around `at`: its whole line when nothing else is on it. Undefined for a part of a longer comment. */
function wholeComment(at: number, source: SourceText): { readonly start: number; readonly end: number } | undefined {
  const line = source.lineAt(at);
  const lineStart = source.lineStart(line);
  const lineEnd = source.lineStart(line + 1);
  const text = source.text.slice(lineStart, lineEnd);
  const ending = /\r?\n$/.exec(text)?.[0].length ?? 0;
  const before = /(?<![ \t])[ \t]*(#|\/\/|\/\*)[ \t]*$/.exec(text.slice(0, at - lineStart));
  if (before === null) {
    return undefined;
  }
  const closing = before[1] === '/*' ? text.indexOf('*/', at - lineStart) : text.length - ending - 2;
  if (closing < 0) {
    return undefined;
  }
  const isWhole = before.index === 0 && text.slice(closing + 2).trim() === '';
  return isWhole
    ? { start: lineStart, end: lineEnd }
    : { start: lineStart + before.index, end: lineStart + closing + 2 };
}
