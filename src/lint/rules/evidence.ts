import { isScreened } from '../flow/mentions.ts';
import type { Alternative, Handler, Helper, Shape, Value, ValuedExit } from '../model.ts';
import { quotesFailure } from './failureGuard.ts';
import { makesErrors } from './makers.ts';
import { judgeObject } from './objectEvidence.ts';
import {
  type Evidence,
  type Found,
  type InnerEvidence,
  isAboutExistence,
  isGuarded,
  isInCatch,
  isRetry,
  type Level,
  type Scene,
  stronger,
} from './scene.ts';
import { isConstantName, judgeUnknown } from './unknownEvidence.ts';
import { isAskedFor, isErrorName, natureOf, wordingOf } from './wording.ts';

export interface Judgement {
  readonly own: Evidence | undefined;
  readonly inner: readonly InnerEvidence[];
}

/** Judges what one exit of a tool gives back. `tool`: its name, as far as it is known. */
export function judge(
  exit: ValuedExit,
  handler: Pick<Handler, 'flow' | 'givesPlainValues' | 'declaresPlainValues'>,
  tool: string | undefined,
): Judgement {
  const context = exit.exit.site?.context;
  if (exit.exit.kind !== 'return' || context === undefined) {
    return { own: undefined, inner: [] };
  }
  const inner: InnerEvidence[] = [];
  const { givesPlainValues: isPlain, declaresPlainValues: isTyped } = handler;
  const scene: Scene = {
    tool: natureOf(tool),
    toolName: tool,
    isInText: false,
    isPlain,
    isTyped,
    exitContext: context,
    isCalledInCatch: false,
    inner,
    depth: 0,
  };
  // What the function itself looks at and throws for is not returned.
  const value = exit.value.filter(
    ({ assignedAt }) => assignedAt === undefined || !isScreened(exit.exit, assignedAt, handler.flow),
  );
  return { own: judgeValue(value, scene), inner };
}

function judgeValue(value: Value, scene: Scene): Evidence | undefined {
  if (scene.depth > 8) {
    return undefined;
  }
  const inside = { ...scene, depth: scene.depth + 1 };
  const judged = value.map((alternative) => judgeShape(alternative, inside));
  const best = judged.reduce(stronger, undefined);
  // `a && "error"` has one option, and still may give something else.
  const isConditional = judged.includes(undefined) || (value.length === 1 && value[0]?.choice !== undefined);
  const isOnlyError = judged.filter((it) => it !== undefined).length === 1;
  return best === undefined || (isOnlyError && !isConditional)
    ? best
    : { ...best, isConditional: isConditional || best.isConditional, isOnlyError: isOnlyError && best.isOnlyError };
}

function judgeShape(alternative: Alternative, scene: Scene): Evidence | undefined {
  const { shape } = alternative;
  const found: Found = (level, reason, text, isStructured = false) => ({
    level,
    reason,
    text: text?.source,
    isTextual: text?.value === undefined ? shape.kind === 'text' : isAllText(text.value),
    alternative,
    result: undefined,
    isRefusal: isRefusal(shape),
    isStructured,
    isConditional: false,
    isOnlyError: true,
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
      return judgeObject(shape.entries, scene, alternative, found, judgeValue);
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

function textLevel(
  shape: Extract<Shape, { kind: 'text' }>,
  alternative: Alternative,
  scene: Scene,
): { level: Level; reason: Evidence['reason'] } | undefined {
  const wording = wordingOf(shape.text);
  // A function that is called in a catch, with what was caught, tells of it.
  const inCatch = isInCatch(alternative, scene) || (scene.isCalledInCatch && shape.isCaught);
  if (wording !== 'none' && wording !== 'benign' && !inCatch && isAskedFor(shape.text, scene.toolName)) {
    return { level: 1, reason: 'guard' };
  }
  if ((wording === 'refusal' || wording === 'notFound') && isPlaceholder(shape.text, alternative)) {
    return undefined;
  }
  switch (wording) {
    case 'error':
      return { level: 3, reason: 'text' };
    case 'benign':
      return undefined;
    case 'empty':
      return inCatch && shape.isCaught ? { level: 3, reason: 'caught' } : undefined;
    case 'marked':
      return { level: scene.tool.isSearch && !inCatch ? 1 : 3, reason: 'text' };
    case 'notFound':
      if (inCatch && shape.isCaught) {
        return { level: 3, reason: 'caught' };
      }
      return scene.tool.isSearch && !inCatch && !isAboutExistence(alternative, scene)
        ? { level: 1, reason: 'guard' }
        : { level: inCatch || isGuarded(alternative, scene) ? 2 : 1, reason: inCatch ? 'catch' : 'guard' };
    case 'input':
    case 'refusal':
      if (inCatch && shape.isCaught) {
        return { level: 3, reason: 'caught' };
      }
      // "No tools loaded" is a list of none; "no tools provided" is not.
      if (
        scene.tool.isList &&
        !inCatch &&
        /^no [\p{L}_-]+s\b(?!.*\b(?:provided|specified|given)\b)/iu.test(shape.text)
      ) {
        return { level: 1, reason: 'guard' };
      }
      return { level: inCatch || isGuarded(alternative, scene) ? 2 : 1, reason: inCatch ? 'catch' : 'guard' };
    case 'none':
      if (!inCatch) {
        return quotesFailure(shape.source, scene) ? { level: 2, reason: 'guard' } : undefined;
      }
      if (shape.isCaught) {
        return { level: 3, reason: 'caught' };
      }
      return isSentence(shape.text) && !isRetry(alternative, scene) ? { level: 2, reason: 'catch' } : undefined;
  }
}

/** `name ?? "(unknown name)"`: stands for a value that is not there. */
const isPlaceholder = (text: string, { choice }: Alternative) =>
  choice !== undefined && /^\s*[([<][\w-]+(?: [\w-]+){0,2}[)\]>]\s*$/.test(text);

const isRefusal = (shape: Shape) =>
  shape.kind === 'text' ? wordingOf(shape.text) === 'input' : shape.kind === 'unknown' && isConstantName(shape.name);

/** A text that a person reads: not `[]`, `{}`, `ok`, or a bare placeholder. */
function isSentence(text: string): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) >= 6 && /\s|[\u{3040}-\u{9fff}\u{ac00}-\u{d7af}]/u.test(text.trim());
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
  const isCalledInCatch = scene.isCalledInCatch || isInCatch(alternative, scene);
  for (const exit of exits) {
    if (exit.exit.kind === 'throw') {
      continue;
    }
    const context = exit.exit.site?.context;
    const within = context === undefined ? undefined : { ...scene, exitContext: context, isCalledInCatch };
    const evidence = within === undefined ? undefined : judgeValue(exit.value, within);
    hasFlag ||= exit.value.some(
      ({ shape }) => shape.kind === 'result' && (shape.flag === 'true' || shape.flag === 'unknown'),
    );
    if (evidence !== undefined) {
      // What the caller handed in is the caller's error, however it is wrapped here.
      if (!evidence.alternative.isGiven) {
        errors.push({ helper, exit, evidence });
      }
      best = stronger(best, evidence);
    }
    // What may be an error at most, or is one of several, may be a success as well.
    const isSometimes = evidence === undefined || evidence.level === 1 || evidence.isConditional;
    hasSuccess ||= isSometimes && exit.exit.kind === 'return' && !isNothing(exit);
  }
  if (best === undefined) {
    const isNamed = isErrorName(ir.name) && !hasFlag && exits.some(({ value }) => value.some(carriesText));
    return isNamed ? { ...blank(alternative), level: 2, reason: 'helper' } : undefined;
  }
  const isGiven = best.alternative.isGiven === true && !hasFlag;
  if (!hasSuccess || isGiven || (!hasFlag && makesErrors(ir.name))) {
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
  isRefusal: false,
  isStructured: false,
  isConditional: false,
  isOnlyError: true,
});

const isNothing = ({ exit, value }: ValuedExit) =>
  exit.value === undefined || (value.length > 0 && value.every(({ shape }) => shape.kind === 'nothing'));

const carriesText = ({ shape }: Alternative) =>
  shape.kind === 'text' || shape.kind === 'result' || shape.kind === 'block' || shape.kind === 'list';
