import { mentions, rootName } from '../flow/mentions.ts';
import { partsOf } from '../flow/moduleIndex.ts';
import type { Expression } from '../ir.ts';
import type { Alternative, ObjectEntry, Value } from '../model.ts';
import { deniedSuccess } from './failureGuard.ts';
import { type Evidence, type Found, isGuarded, isInCatch, type Level, type Scene, stronger } from './scene.ts';
import { isErrorName } from './wording.ts';

const SUCCESS_KEYS = new Set(['success', 'ok', 'succeeded', 'successful', 'issuccess']);
/** A verdict on what was given: that it is bad is the answer. */
const VERDICT_KEYS = new Set(['valid', 'isvalid']);
const ERROR_KEYS = new Set([
  'error',
  'err',
  'errors',
  'errormessage',
  'errormsg',
  'errmsg',
  'exception',
  'errordetails',
  'errortext',
]);
const STATUS_KEYS = new Set(['status', 'state', 'result', 'outcome', 'type', 'kind']);
const TEXT_KEYS = new Set([
  'message',
  'msg',
  'detail',
  'details',
  'reason',
  'text',
  'result',
  'output',
  'content',
  'response',
  'data',
  'answer',
  'summary',
  'description',
]);
const NESTED_KEYS = new Set(['result', 'data', 'response', 'output', 'structuredcontent', 'body', 'payload']);
const STATUS_ERROR = /^(?:error|err|not[_ -]?found|invalid.{0,20}|unauthori[sz]ed|forbidden|exception|denied)$/i;
const STATUS_PENDING =
  /^(?:cancel+ed|declined|pending|queued|running|processing|in[_ -]progress|skipped|dry[_ -]run|partial|confirmation.{0,12}|needs[_ -].{0,20})$/i;
/** Done, if not to the full: what else is said is a note. */
const STATUS_DONE = /^(?:success|ok|done|completed?|warning|partial(?:ly.{0,12})?|created|updated|degraded)$/i;
const STATUS_FAILED = /^(?:failed|failure|fail|timeout|timed[_ -]?out|unavailable)$/i;

/** What no data begins with, under whatever key: "Error: no such book". */
const LABELLED = /^\W{0,4}error: /i;

const keyOf = ({ key }: ObjectEntry) => key.toLowerCase().replace(/[_-]/g, '');
const constantOf = (value: Value) =>
  value.length === 1 && value[0]?.shape.kind === 'constant' ? value[0].shape.value : undefined;
const textOf = (value: Value) =>
  value.length === 1 && value[0]?.shape.kind === 'text' ? value[0].shape.text : undefined;

/** Judges a value further in. */
type Judge = (value: Value, scene: Scene) => Evidence | undefined;

/** Judges data: an error key, a success that is false, a status, or error wording in a message. */
export function judgeObject(
  entries: readonly ObjectEntry[],
  scene: Scene,
  alternative: Alternative,
  found: Found,
  judge: Judge,
): Evidence | undefined {
  const keyed = entries.map((entry) => ({ ...entry, id: keyOf(entry) }));
  if (keyed.some(({ id, value }) => id === 'jsonrpc' || (id === 'iserror' && constantOf(value) !== false))) {
    return undefined;
  }
  const success = keyed.find(({ id }) => SUCCESS_KEYS.has(id));
  if (success !== undefined && constantOf(success.value) === true) {
    return undefined;
  }
  const isVerdict = keyed.some(({ id, value }) => VERDICT_KEYS.has(id) && constantOf(value) === false);
  if (isVerdict && success === undefined && !isInCatch(alternative, scene)) {
    return undefined;
  }
  const error = keyed.find(({ id }) => ERROR_KEYS.has(id));
  // `error: true` leaves the words to its neighbours.
  const worded = error !== undefined && constantOf(error.value) === undefined ? error : undefined;
  const message =
    worded ??
    ['message', 'msg', 'reason', 'detail', 'details'].flatMap((id) => keyed.filter((entry) => entry.id === id))[0];
  const text = message;
  const status = keyed.find(({ id, value }) => STATUS_KEYS.has(id) && textOf(value) !== undefined);
  const state = status === undefined ? '' : (textOf(status.value) ?? '');
  if (success !== undefined && constantOf(success.value) === false) {
    // "cancelled" is an outcome, and "failed" is the state of the job that was asked about.
    const level = STATUS_PENDING.test(state) ? 1 : STATUS_FAILED.test(state) && !isInCatch(alternative, scene) ? 2 : 3;
    return found(level, 'object', text, true);
  }
  if (STATUS_ERROR.test(state)) {
    return found(
      error !== undefined && isData(error.value) && !isInCatch(alternative, scene) ? 2 : 3,
      'object',
      text,
      true,
    );
  }
  if (STATUS_FAILED.test(state)) {
    return found(isInCatch(alternative, scene) ? 3 : 2, 'object', text, true);
  }
  if (STATUS_DONE.test(state) && error === undefined) {
    return undefined;
  }
  const level = error === undefined ? undefined : errorEntryLevel(error.value, keyed.length, alternative, scene);
  if (level !== undefined) {
    return found(level, 'object', text, true);
  }
  if (success !== undefined && constantOf(success.value) === undefined) {
    return undefined;
  }
  return judgeEntries(keyed, scene, found, judge);
}

/** What other entries tell: the caught error anywhere, error wording in a message, an error object further in. */
function judgeEntries(
  keyed: readonly (ObjectEntry & { id: string })[],
  scene: Scene,
  found: Found,
  judge: Judge,
): Evidence | undefined {
  let best: Evidence | undefined;
  for (const { id, value, source } of keyed) {
    // What stands alone under a key is the whole answer, whatever the key.
    if ((NESTED_KEYS.has(id) || keyed.length === 1) && value.some(({ shape }) => shape.kind === 'object')) {
      const nested = judge(value, { ...scene, isInText: true });
      best = stronger(best, nested === undefined ? undefined : { ...nested, isStructured: true });
    } else if (
      value.some(
        ({ shape }) =>
          shape.kind === 'caught' ||
          (shape.kind === 'text' && shape.isCaught && scene.exitContext.catchClause !== undefined),
      )
    ) {
      // A field that a whole answer has beside others tells of one part of it.
      const isPart = keyed.length >= 4 && (id === 'reason' || (!TEXT_KEYS.has(id) && !/err|fail|exc/.test(id)));
      best = stronger(best, found(isPart ? 1 : 3, 'caught', { source, value }, true));
    } else if (TEXT_KEYS.has(id)) {
      const evidence = judge(
        value.filter(({ shape }) => shape.kind === 'text'),
        { ...scene, isInText: true },
      );
      if (evidence !== undefined && evidence.level >= 2 && (keyed.length <= 3 || evidence.level === 3)) {
        best = stronger(best, found(2, evidence.reason, { source, value }, true));
      }
    } else if (keyed.length <= 3 && value.some(({ shape }) => shape.kind === 'text' && LABELLED.test(shape.text))) {
      best = stronger(best, found(2, 'text', { source, value }, true));
    }
  }
  return best;
}

/** Comes from data: a field or call whose content this file does not tell. */
const isData = (value: Value) => value.every(({ shape }) => shape.kind === 'unknown' && !shape.isCaught);

function errorEntryLevel(value: Value, size: number, alternative: Alternative, scene: Scene): Level | undefined {
  const isEmpty = ({ shape }: Alternative) =>
    shape.kind === 'nothing' ||
    shape.kind === 'constant' ||
    (shape.kind === 'text' && shape.text.trim() === '') ||
    (shape.kind === 'list' && shape.items.length === 0) ||
    (shape.kind === 'object' && shape.entries.length === 0);
  // `error: true`, with the message beside it.
  if (value.length === 1 && value[0]?.shape.kind === 'constant' && value[0].shape.value === true) {
    return 3;
  }
  const filled = value.filter((it) => !isEmpty(it));
  if (filled.length === 0) {
    return undefined;
  }
  if (filled.some(({ shape }) => shape.kind !== 'unknown')) {
    const isSometimes = filled.length < value.length && !isInCatch(alternative, scene);
    return isSometimes ? 1 : 3;
  }
  if (filled.some(({ shape }) => shape.kind === 'unknown' && shape.isCaught) || isInCatch(alternative, scene)) {
    return 3;
  }
  const isTested = filled.some(({ shape }) => shape.kind === 'unknown' && isLookedFor(shape.source, scene));
  // `error: warning ?? null` beside an answer: most times it is empty.
  const isAlways = filled.length === value.length && size <= 3 && isGuarded(alternative, scene);
  return size === 1 || isTested || isAlways ? 2 : 1;
}

/** Whether the nearest guard asks just that whether it failed: `"error" in result`, `result.error`, `!result.success`. */
function isLookedFor(source: Expression, scene: Scene): boolean {
  const guard = scene.exitContext.guards.at(-1);
  const root = rootName(source);
  return (
    guard !== undefined &&
    !guard.isNegated &&
    root !== undefined &&
    mentions(guard.condition, root, 6) &&
    (namesError(guard.condition, 6) || deniedSuccess(guard.condition)?.kind === 'member')
  );
}

function namesError(expression: Expression, depth: number): boolean {
  if (expression.kind === 'text') {
    return expression.parts.length === 1 && /^errors?$/i.test(String(expression.parts[0]));
  }
  return (
    (expression.kind === 'member' && isErrorName(expression.name)) ||
    (depth > 0 && partsOf(expression).some((part) => namesError(part, depth - 1)))
  );
}
