import type { FunctionFlow, PathContext } from '../flow/functionFlow.ts';
import { isScreened, mentions, rootName } from '../flow/mentions.ts';
import type { Expression } from '../ir.ts';
import type { Alternative, Helper, ObjectEntry, Shape, Value, ValuedExit } from '../model.ts';
import { isErrorName, natureOf, type ToolNature, wordingOf } from './wording.ts';

/** 3 is high, 2 medium, 1 low. */
export type Level = 1 | 2 | 3;

/** Why a value counts as an error that is returned as a success. */
export interface Evidence {
  readonly level: Level;
  /** Names a message of the rule. */
  readonly reason: 'text' | 'object' | 'caught' | 'catch' | 'guard' | 'helper' | 'variable';
  /** The expression that holds the error's text, when one does. */
  readonly text: Expression | undefined;
  /** `text` is text as it stands, and needs no conversion. */
  readonly isTextual: boolean;
  readonly alternative: Alternative;
  /** The result object around the text. */
  readonly result: Alternative | undefined;
  /** It is told by structured data, which a caller in another file could read. */
  readonly isStructured: boolean;
  /** What may be returned beside it. */
  readonly isConditional: boolean;
}

/** An error that is written in a helper which also succeeds: the finding belongs there. */
export interface InnerEvidence {
  readonly helper: Helper;
  readonly exit: ValuedExit;
  readonly evidence: Evidence;
}

export interface Judgement {
  readonly own: Evidence | undefined;
  readonly inner: readonly InnerEvidence[];
}

/** Makes evidence of the alternative at hand; `text` is where its error's text stands. */
type Found = (
  level: Level,
  reason: Evidence['reason'],
  text?: { readonly source: Expression; readonly value?: Value },
  isStructured?: boolean,
) => Evidence;

interface Scene {
  readonly tool: ToolNature;
  /** Inside the text of a block or a message, where nothing can set a flag. */
  readonly isInText: boolean;
  readonly exitContext: PathContext;
  readonly inner: InnerEvidence[];
  readonly depth: number;
}

/** Judges what one exit of a tool gives back. `tool`: its name, as far as it is known. */
export function judge(exit: ValuedExit, flow: FunctionFlow, tool: string | undefined): Judgement {
  const context = exit.exit.site?.context;
  if (exit.exit.kind !== 'return' || context === undefined) {
    return { own: undefined, inner: [] };
  }
  const inner: InnerEvidence[] = [];
  const scene: Scene = { tool: natureOf(tool), isInText: false, exitContext: context, inner, depth: 0 };
  // What the function itself looks at and throws for is not returned.
  const value = exit.value.filter(
    ({ assignedAt }) => assignedAt === undefined || !isScreened(exit.exit.value, assignedAt, flow),
  );
  return { own: judgeValue(value, scene), inner };
}

function judgeValue(value: Value, scene: Scene): Evidence | undefined {
  if (scene.depth > 8) {
    return undefined;
  }
  const judged = value.map((alternative) => judgeShape(alternative, { ...scene, depth: scene.depth + 1 }));
  const best = judged.reduce(stronger, undefined);
  // `a && "error"` has one option, and still may give something else.
  const isConditional = judged.includes(undefined) || (value.length === 1 && value[0]?.choice !== undefined);
  return best !== undefined && isConditional ? { ...best, isConditional } : best;
}

const stronger = (a: Evidence | undefined, b: Evidence | undefined) =>
  a === undefined || (b !== undefined && b.level > a.level) ? b : a;

function judgeShape(alternative: Alternative, scene: Scene): Evidence | undefined {
  const { shape } = alternative;
  const found: Found = (level, reason, text, isStructured = false) => ({
    level,
    reason,
    text: text?.source,
    isTextual: text?.value === undefined ? shape.kind === 'text' : isAllText(text.value),
    alternative,
    result: undefined,
    isStructured,
    isConditional: false,
  });
  switch (shape.kind) {
    case 'result': {
      if (shape.flag === 'true' || shape.flag === 'unknown') {
        return undefined;
      }
      const best = stronger(
        judgeValue(shape.blocks, scene),
        judgeValue(shape.structured, { ...scene, isInText: true }),
      );
      return best === undefined ? undefined : { ...best, result: best.result ?? alternative };
    }
    case 'block': {
      const best = judgeValue(shape.text, { ...scene, isInText: true });
      const { source } = shape;
      const isElsewhere = best?.text === undefined || best.text.start < source.start || best.text.end > source.end;
      // A text that comes from a variable is named here by the variable.
      return best === undefined || !isElsewhere ? best : { ...best, text: source, isTextual: isAllText(shape.text) };
    }
    case 'list': {
      if (shape.isOpen || shape.items.length > 3) {
        return undefined;
      }
      return shape.items.reduce<Evidence | undefined>(
        (best, item) => stronger(best, judgeValue(item, scene)),
        undefined,
      );
    }
    case 'object':
      return judgeObject(shape.entries, scene, alternative, found);
    case 'text': {
      const level = textLevel(shape, alternative, scene);
      return level === undefined ? undefined : found(level.level, level.reason, shape);
    }
    case 'caught':
      return found(3, 'caught', shape);
    case 'helper':
      return judgeHelper(shape.helper, alternative, scene);
    case 'unknown':
      return judgeUnknown(shape, alternative, scene, found);
    case 'nothing':
    case 'constant':
      return undefined;
  }
}

const isAllText = (value: Value) => value.length > 0 && value.every(({ shape }) => shape.kind === 'text');

const isInCatch = ({ context }: Alternative, scene: Scene) =>
  context.catchClause !== undefined || scene.exitContext.catchClause !== undefined;

const isGuarded = ({ context }: Alternative, scene: Scene) =>
  context.guards.length > 0 || scene.exitContext.guards.length > 0;

function textLevel(
  shape: Extract<Shape, { kind: 'text' }>,
  alternative: Alternative,
  scene: Scene,
): { level: Level; reason: Evidence['reason'] } | undefined {
  const wording = wordingOf(shape.text);
  const inCatch = isInCatch(alternative, scene);
  switch (wording) {
    case 'error':
      return { level: 3, reason: 'text' };
    case 'benign':
      return undefined;
    case 'empty':
      return inCatch && shape.isCaught ? { level: 3, reason: 'caught' } : undefined;
    case 'notFound':
      return scene.tool.isSearch && !inCatch
        ? { level: 1, reason: 'guard' }
        : { level: inCatch || isGuarded(alternative, scene) ? 2 : 1, reason: inCatch ? 'catch' : 'guard' };
    case 'refusal':
      return { level: inCatch || isGuarded(alternative, scene) ? 2 : 1, reason: inCatch ? 'catch' : 'guard' };
    case 'none':
      if (!inCatch) {
        return undefined;
      }
      if (shape.isCaught) {
        return { level: 3, reason: 'caught' };
      }
      return isSentence(shape.text) ? { level: 2, reason: 'catch' } : undefined;
  }
}

/** A text that a person reads: not `[]`, `{}`, `ok`, or a bare placeholder. */
function isSentence(text: string): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) >= 6 && /\s|[\u{3040}-\u{9fff}\u{ac00}-\u{d7af}]/u.test(text.trim());
}

const SUCCESS_KEYS = new Set(['success', 'ok', 'succeeded', 'successful', 'issuccess']);
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
const STATUS_FAILED = /^(?:failed|failure|fail|timeout|timed[_ -]?out|unavailable)$/i;

const keyOf = ({ key }: ObjectEntry) => key.toLowerCase().replace(/[_-]/g, '');
const constantOf = (value: Value) =>
  value.length === 1 && value[0]?.shape.kind === 'constant' ? value[0].shape.value : undefined;
const textOf = (value: Value) =>
  value.length === 1 && value[0]?.shape.kind === 'text' ? value[0].shape.text : undefined;

function judgeObject(
  entries: readonly ObjectEntry[],
  scene: Scene,
  alternative: Alternative,
  found: Found,
): Evidence | undefined {
  const keyed = entries.map((entry) => ({ ...entry, id: keyOf(entry) }));
  if (keyed.some(({ id, value }) => id === 'jsonrpc' || (id === 'iserror' && constantOf(value) !== false))) {
    return undefined;
  }
  const success = keyed.find(({ id }) => SUCCESS_KEYS.has(id));
  if (success !== undefined && constantOf(success.value) === true) {
    return undefined;
  }
  const error = keyed.find(({ id }) => ERROR_KEYS.has(id));
  const message =
    error ??
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
  const level = error === undefined ? undefined : errorEntryLevel(error.value, keyed.length, alternative, scene);
  if (level !== undefined) {
    return found(level, 'object', text, true);
  }
  if (success !== undefined && constantOf(success.value) === undefined) {
    return undefined;
  }
  return judgeEntries(keyed, scene, found);
}

/** What other entries tell: the caught error anywhere, error wording in a message, an error object further in. */
function judgeEntries(
  keyed: readonly (ObjectEntry & { id: string })[],
  scene: Scene,
  found: Found,
): Evidence | undefined {
  let best: Evidence | undefined;
  for (const { id, value, source } of keyed) {
    if (NESTED_KEYS.has(id) && value.some(({ shape }) => shape.kind === 'object')) {
      const nested = judgeValue(value, { ...scene, isInText: true });
      best = stronger(best, nested === undefined ? undefined : { ...nested, isStructured: true });
    } else if (
      value.some(
        ({ shape }) =>
          shape.kind === 'caught' ||
          (shape.kind === 'text' && shape.isCaught && scene.exitContext.catchClause !== undefined),
      )
    ) {
      best = stronger(best, found(3, 'caught', { source, value }, true));
    } else if (TEXT_KEYS.has(id)) {
      const evidence = judgeValue(
        value.filter(({ shape }) => shape.kind === 'text'),
        { ...scene, isInText: true },
      );
      if (evidence !== undefined && evidence.level >= 2 && (keyed.length <= 3 || evidence.level === 3)) {
        best = stronger(best, found(2, evidence.reason, { source, value }, true));
      }
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
  return size === 1 || (size <= 3 && isGuarded(alternative, scene)) ? 2 : 1;
}

function judgeUnknown(
  shape: Extract<Shape, { kind: 'unknown' }>,
  alternative: Alternative,
  scene: Scene,
  found: Found,
): Evidence | undefined {
  if (shape.isCall && !scene.isInText) {
    return undefined;
  }
  if (shape.isCaught && isInCatch(alternative, scene) && scene.isInText) {
    return found(3, 'caught', shape);
  }
  if (!shape.isCall && isErrorName(shape.name) && isGuarded(alternative, scene)) {
    const isConstant = shape.name !== undefined && shape.name === shape.name.toUpperCase();
    return isConstant || isTested(shape.source, scene) ? found(2, 'variable', shape) : found(1, 'variable', shape);
  }
  return undefined;
}

/** Whether the nearest guard looks at the very value that is returned. */
function isTested(source: Expression, scene: Scene): boolean {
  const name = rootName(source);
  const guard = scene.exitContext.guards.at(-1);
  return name !== undefined && guard !== undefined && !guard.isNegated && mentions(guard.condition, name, 6);
}

/**
 * A helper that gives back nothing but errors formats them: the finding belongs to the call. One that also succeeds holds
 * the error itself. One that sets the flag is right.
 */
function judgeHelper(helper: Helper, alternative: Alternative, scene: Scene): Evidence | undefined {
  const { exits, ir } = helper;
  const errors: InnerEvidence[] = [];
  let hasSuccess = false;
  let hasFlag = false;
  let best: Evidence | undefined;
  for (const exit of exits) {
    if (exit.exit.kind === 'throw') {
      continue;
    }
    const context = exit.exit.site?.context;
    const evidence = context === undefined ? undefined : judgeValue(exit.value, { ...scene, exitContext: context });
    hasFlag ||= exit.value.some(
      ({ shape }) => shape.kind === 'result' && (shape.flag === 'true' || shape.flag === 'unknown'),
    );
    if (evidence !== undefined) {
      errors.push({ helper, exit, evidence });
      best = stronger(best, evidence);
    } else if (exit.exit.kind === 'return' && !isNothing(exit)) {
      hasSuccess = true;
    }
  }
  if (best === undefined || errors.length === 0) {
    const isNamed = isErrorName(ir.name) && !hasFlag && exits.some(({ value }) => value.some(carriesText));
    return isNamed ? { ...blank(alternative), level: 2, reason: 'helper' } : undefined;
  }
  if (!hasSuccess) {
    return {
      ...blank(alternative),
      level: best.level,
      reason: best.reason === 'text' ? 'helper' : best.reason,
      isStructured: best.isStructured,
    };
  }
  if (helper.isLocal) {
    scene.inner.push(...errors);
  }
  return undefined;
}

const blank = (alternative: Alternative): Evidence => ({
  level: 2,
  reason: 'helper',
  text: undefined,
  isTextual: false,
  alternative,
  result: undefined,
  isStructured: false,
  isConditional: false,
});

const isNothing = ({ exit, value }: ValuedExit) =>
  exit.value === undefined || (value.length > 0 && value.every(({ shape }) => shape.kind === 'nothing'));

const carriesText = ({ shape }: Alternative) =>
  shape.kind === 'text' || shape.kind === 'result' || shape.kind === 'block' || shape.kind === 'list';
