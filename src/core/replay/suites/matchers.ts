import { assertNever } from '../../../base/assertNever.ts';
import { stepsOf } from '../../../base/jsonPointer.ts';
import type { TextArgs } from '../../../base/text.ts';
import { isObject, jsonText, valueAt } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import { diffResults } from '../resultDiff.ts';
import { compileLinear } from './linearPattern.ts';
import { findSubset } from './subset.ts';
import type { JsonType, Matcher } from './suiteFile.ts';

/** What was asked of an answer and is not so. `code` names a sentence in `protocol/texts/suite.ts`. */
export interface Mismatch {
  readonly code: string;
  readonly args: TextArgs;
  /** RFC 6901, into the answer: the result, or the error object. */
  readonly pointer: string;
  /** Absent where nothing particular was expected, or nothing was there. */
  readonly expected?: JsonValue;
  readonly actual?: JsonValue;
}

/** Longest text that a pattern is looked for in, UTF-16 code units. */
const MAX_TEXT = 1_000_000;
/** Differences of one matcher that are told. */
const MAX_DIFFERENCES = 20;

/** What of `answer` is not as a matcher wants it; empty when all is. `ignore`: places that may be anything. Never throws. */
export function mismatchesOf(answer: JsonValue, matcher: Matcher, ignore: readonly string[]): readonly Mismatch[] {
  const pointer = matcher.at ?? '';
  const found = valueAt(answer, pointer);
  if ('absent' in matcher) {
    return found === undefined ? [] : [{ code: 'suite.notAbsent', args: {}, pointer, actual: found }];
  }
  if (found === undefined) {
    return [{ code: 'suite.absent', args: {}, pointer }];
  }
  if ('exists' in matcher) {
    return [];
  }
  if ('exact' in matcher) {
    return differences(matcher.exact, found, pointer, { isTextOpened: false });
  }
  if ('equals' in matcher) {
    return differences(matcher.equals, found, pointer, { ignoreVolatile: true, volatileAt: ignore });
  }
  if ('subset' in matcher) {
    const missing = findSubset(matcher.subset, found, { at: pointer, ignore });
    return missing.slice(0, MAX_DIFFERENCES).map(({ at, expected, actual }) => ({
      code: 'suite.notInSubset',
      args: {},
      pointer: at,
      expected,
      ...(actual === undefined ? {} : { actual }),
    }));
  }
  if ('type' in matcher) {
    return isOfType(found, matcher.type)
      ? []
      : [{ code: 'suite.otherType', args: { type: matcher.type }, pointer, actual: found }];
  }
  const text = textIn(found);
  if ('contains' in matcher) {
    return text.includes(matcher.contains)
      ? []
      : [{ code: 'suite.notContained', args: {}, pointer, expected: matcher.contains, actual: text }];
  }
  if ('pattern' in matcher) {
    return patternMismatch(text, matcher.pattern, pointer);
  }
  return assertNever(matcher);
}

function patternMismatch(text: string, pattern: string, pointer: string): readonly Mismatch[] {
  if (text.length > MAX_TEXT) {
    return [{ code: 'suite.textTooLong', args: { length: text.length, limit: MAX_TEXT }, pointer }];
  }
  const compiled = compileLinear(pattern);
  if ('problem' in compiled) {
    return [{ code: 'suite.pattern', args: { problem: compiled.problem }, pointer }];
  }
  return compiled.test(text)
    ? []
    : [{ code: 'suite.patternNotFound', args: {}, pointer, expected: pattern, actual: text }];
}

/** Compared within a value that holds nothing else, so that a part keeps the place and the name that it goes by. */
function differences(
  expected: JsonValue,
  actual: JsonValue,
  pointer: string,
  options: Parameters<typeof diffResults>[2],
): readonly Mismatch[] {
  const { changes } = diffResults(at(pointer, expected), at(pointer, actual), {
    ...options,
    maxChanges: MAX_DIFFERENCES,
  });
  return changes.map((change) => ({
    code: `suite.difference.${change.kind}`,
    args: change.from === undefined ? {} : { from: change.from },
    pointer: `${change.pointer}${change.inner ?? ''}`,
    ...(change.before === undefined ? {} : { expected: change.before }),
    ...(change.after === undefined ? {} : { actual: change.after }),
  }));
}

function at(pointer: string, value: JsonValue): JsonValue {
  return stepsOf(pointer).reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value);
}

/** What a value says in words: a text itself, the texts of an answer's blocks, an error's message; else its JSON. */
export function textIn(value: JsonValue): string {
  if (typeof value === 'string') {
    return value;
  }
  if (isObject(value)) {
    const blocks = value['content'] ?? value['contents'];
    if (Array.isArray(blocks)) {
      return blocks
        .flatMap((block: JsonValue) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
        .join('\n');
    }
    if (typeof value['code'] === 'number' && typeof value['message'] === 'string') {
      return value['message'];
    }
  }
  return jsonText(value);
}

function isOfType(value: JsonValue, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return assertNever(type);
  }
}
