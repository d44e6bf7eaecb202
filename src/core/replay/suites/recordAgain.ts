import { applyEdits, type FormattingOptions, modify } from 'jsonc-parser';
import { isObject, valueAt } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../protocol/outcome.ts';
import { expectationOf, typeOf } from './expectationOf.ts';
import { mismatchesOf, textIn } from './matchers.ts';
import type { SuiteCaseResult } from './runSuite.ts';
import type { Matcher, SuiteCase, SuiteExpectation } from './suiteFile.ts';

/**
 * The text of a suite in which the cases that failed expect what came of them. What passed stays as it is, and so do
 * comments and the way that the file is written. Cases that were not sent, and limits of time, are left alone. `cases` are
 * the file's own, with its variables; those given back are the places of the ones that were changed.
 */
export function recordAgain(
  text: string,
  cases: readonly SuiteCase[],
  results: readonly SuiteCaseResult[],
): { readonly text: string; readonly changed: ReadonlySet<number> } {
  const formattingOptions = formattingOf(text);
  let edited = text;
  const seen = new Set<number>();
  for (const { case: ran, index, status, outcome, answer } of results) {
    // Another case may stand there by now.
    const { expect: before, method } = cases[index]?.name === ran.name ? cases[index] : {};
    if (status.kind !== 'failed' || outcome === undefined || before === undefined || method === undefined) {
      continue;
    }
    // The first of several runs counts.
    if (seen.has(index)) {
      continue;
    }
    const after = expectationAfter(before, outcome.kind, method, answer);
    const changes = after === undefined ? [] : changesOf(before, after);
    if (changes.length === 0) {
      continue;
    }
    seen.add(index);
    for (const { path, value } of changes) {
      const edits = modify(edited, ['cases', index, 'expect', ...path], value, { formattingOptions });
      edited = applyEdits(edited, edits);
    }
  }
  return { text: edited, changed: seen };
}

function expectationAfter(
  before: SuiteExpectation,
  outcome: OutcomeKind,
  method: string,
  answer: JsonValue | undefined,
): SuiteExpectation | undefined {
  const fresh = expectationOf(outcome, method, answer);
  if (fresh === undefined) {
    return undefined;
  }
  const kept = before.maxMs === undefined ? {} : { maxMs: before.maxMs };
  if (answer === undefined || kindOfAnswer(before.outcome) !== kindOfAnswer(outcome)) {
    return { ...fresh, ...kept };
  }
  const ignore = before.ignore ?? [];
  const { code: _code, ...rest } = before;
  return {
    ...rest,
    outcome: fresh.outcome,
    ...(fresh.code === undefined ? {} : { code: fresh.code }),
    ...(before.matches === undefined
      ? {}
      : { matches: before.matches.map((matcher) => renewed(matcher, answer, ignore)) }),
  };
}

/** What matchers look at: their places mean the same as long as that stays the same. */
function kindOfAnswer(outcome: OutcomeKind): 'result' | 'error' | 'other' {
  switch (outcome) {
    case 'protocol_error':
      return 'error';
    case 'transport_error':
    case 'timeout':
    case 'invalid_response':
    case 'cancelled':
    case 'pending':
      return 'other';
    default:
      return 'result';
  }
}

/** A matcher that is true of the answer: itself where it is, else one that says no more than it did, as far as that goes. */
function renewed(matcher: Matcher, answer: JsonValue, ignore: readonly string[]): Matcher {
  if (mismatchesOf(answer, matcher, ignore).length === 0) {
    return matcher;
  }
  const at = matcher.at === undefined ? {} : { at: matcher.at };
  const found = valueAt(answer, matcher.at ?? '');
  if (found === undefined) {
    return { ...at, absent: true };
  }
  if ('absent' in matcher) {
    return { ...at, exists: true };
  }
  if ('type' in matcher) {
    return { ...at, type: typeOf(found) };
  }
  if ('exact' in matcher) {
    return { ...at, exact: found };
  }
  if ('subset' in matcher) {
    return { ...at, subset: sharedPart(matcher.subset, found) };
  }
  if ('contains' in matcher || 'pattern' in matcher) {
    return typeof found === 'string' ? { ...at, equals: found } : { ...at, contains: textIn(found) };
  }
  return { ...at, equals: found };
}

/** Of what is there, the members that were asked for. */
function sharedPart(wanted: JsonValue, found: JsonValue): JsonValue {
  if (!isObject(wanted) || !isObject(found)) {
    return found;
  }
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) => {
      const own = Object.hasOwn(found, name) ? found[name] : undefined;
      return own === undefined ? [] : [[name, sharedPart(value, own)]];
    }),
  );
}

interface Change {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Member by member, and matcher by matcher where their number stays, so that comments between them stay. */
function changesOf(before: SuiteExpectation, after: SuiteExpectation): readonly Change[] {
  const changes: Change[] = [];
  for (const name of ['outcome', 'code', 'ignore'] as const) {
    if (!isSame(before[name], after[name])) {
      changes.push({ path: [name], value: after[name] });
    }
  }
  const [old = [], now = []] = [before.matches, after.matches];
  if (old.length !== now.length || old.length === 0) {
    if (!isSame(before.matches, after.matches)) {
      changes.push({ path: ['matches'], value: after.matches });
    }
    return changes;
  }
  for (const [index, matcher] of now.entries()) {
    const previous = old[index];
    if (previous === undefined || isSame(previous, matcher)) {
      continue;
    }
    const kind = kindOf(matcher);
    const isSameKind = kind === kindOf(previous) && previous.at === matcher.at;
    changes.push(
      isSameKind
        ? { path: ['matches', index, kind], value: (matcher as Readonly<Record<string, unknown>>)[kind] }
        : { path: ['matches', index], value: matcher },
    );
  }
  return changes;
}

const kindOf = (matcher: Matcher) => Object.keys(matcher).find((key) => key !== 'at') ?? '';

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** As the file is written: by its first indented line and its line ends. */
function formattingOf(text: string): FormattingOptions {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : Math.max(1, indent.length),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
