import { assertNever } from '../../../base/assertNever.ts';
import { pointerStep } from '../../../base/jsonPointer.ts';
import { isObject, jsonLength } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../protocol/outcome.ts';
import type { Matcher, SuiteExpectation } from './suiteFile.ts';
import { EXPECTED_OUTCOMES } from './suiteFile.ts';

/** Longest JSON that a case asks for as a whole, UTF-16 code units; of a longer value only its type. */
const MAX_EQUALS = 20_000;
/** What stands in the place of a secret that was not recorded. */
const PLACEHOLDER = /\[redacted(?::[^\]:\s]{1,60}:[0-9a-f]{1,12})?\]/;
/** Places of secrets in one answer; one with more is asked for by type alone. */
const MAX_IGNORED = 100;

/**
 * What a case asks for, so that it passes as long as the same comes of it: `answer` is the result, the error object or what
 * came in their place (see `answerOf`). `undefined` for an outcome that no case can expect.
 */
export function expectationOf(
  outcome: OutcomeKind,
  method: string,
  answer: JsonValue | undefined,
): SuiteExpectation | undefined {
  const kind = EXPECTED_OUTCOMES.find((each) => each === outcome);
  if (kind === undefined) {
    return undefined;
  }
  switch (kind) {
    case 'success':
    case 'partial':
    case 'silent_error':
    case 'tool_error':
    case 'input_required':
    case 'task_pending':
      return { outcome: kind, ...matchesOf(membersOf(method, kind, answer)) };
    case 'protocol_error': {
      const code = isObject(answer) ? answer['code'] : undefined;
      const message = isObject(answer) ? answer['message'] : undefined;
      return {
        outcome: kind,
        ...(typeof code === 'number' ? { code } : {}),
        ...matchesOf(message === undefined ? [] : [['/message', message]]),
      };
    }
    case 'transport_error': {
      const reason = isObject(answer) ? answer['reason'] : undefined;
      return { outcome: kind, ...matchesOf(reason === undefined ? [] : [['/reason', reason]]) };
    }
    case 'timeout':
    case 'invalid_response':
      return { outcome: kind };
    default:
      return assertNever(kind);
  }
}

type Member = readonly [pointer: string, value: JsonValue];

/** The parts of a result that say what it is: not its `_meta`, nor a cursor that leads on. */
function membersOf(method: string, outcome: OutcomeKind, answer: JsonValue | undefined): readonly Member[] {
  // The handle of a task, and what a server wants to know, are made anew each time.
  if (!isObject(answer) || outcome === 'task_pending' || outcome === 'input_required') {
    return [];
  }
  const isStructured = method === 'tools/call' && answer['structuredContent'] !== undefined;
  const names =
    method === 'tools/call'
      ? [isStructured ? 'structuredContent' : 'content']
      : Object.keys(answer).filter(
          (name) => !['_meta', 'nextCursor', 'resultType', 'ttlMs', 'cacheScope'].includes(name),
        );
  return names.flatMap((name): readonly Member[] => {
    const value = answer[name];
    return value === undefined ? [] : [[pointerStep(name), value]];
  });
}

function matchesOf(members: readonly Member[]): Pick<SuiteExpectation, 'matches' | 'ignore'> {
  const matches: Matcher[] = [];
  const ignore: string[] = [];
  for (const [at, value] of members) {
    // Before it is gone through: what is too deep for that is too long as well.
    const isLong = jsonLength(value) > MAX_EQUALS;
    const secrets = isLong ? [] : placesOfSecrets(value, at);
    if (isLong || secrets.length > MAX_IGNORED || secrets.includes(at)) {
      matches.push({ at, type: typeOf(value) });
    } else {
      matches.push({ at, equals: value });
      ignore.push(...secrets);
    }
  }
  return { ...(matches.length === 0 ? {} : { matches }), ...(ignore.length === 0 ? {} : { ignore }) };
}

/** Pointers of the texts that hold something in the place of a secret: the server will answer with the secret itself. */
function placesOfSecrets(value: JsonValue, at: string): readonly string[] {
  if (typeof value === 'string') {
    return PLACEHOLDER.test(value) ? [at] : [];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, item]) => placesOfSecrets(item, `${at}${pointerStep(name)}`));
}

/** The type of a value as a matcher names it. */
export function typeOf(value: JsonValue): Extract<Matcher, { type: unknown }>['type'] {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'object';
  }
}
