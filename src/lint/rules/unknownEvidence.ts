import { mentions, rootName } from '../flow/mentions.ts';
import type { Expression } from '../ir.ts';
import type { Alternative, Shape } from '../model.ts';
import { wordsOf } from './common.ts';
import { isOfFailure } from './failureGuard.ts';
import { errorMaker, recovers, sentenceIn } from './makers.ts';
import { type Evidence, type Found, isGuarded, isInCatch, isRetry, type Scene } from './scene.ts';
import { isErrorName, wordingOf } from './wording.ts';

/** Judges what this file does not show: a variable from elsewhere, or a call of a function in another file. */
export function judgeUnknown(
  shape: Extract<Shape, { kind: 'unknown' }>,
  alternative: Alternative,
  scene: Scene,
  found: Found,
): Evidence | undefined {
  // What an unknown helper makes may carry the flag, unless it stands where no flag can be.
  if (!scene.isInText && !scene.isPlain && !scene.isTyped) {
    return undefined;
  }
  if (shape.isCaught && isInCatch(alternative, scene) && scene.isInText) {
    return found(3, 'caught', shape);
  }
  if (shape.isCall && (scene.isInText || scene.isTyped)) {
    const maker = errorMaker(shape.source);
    const isPlaced = maker === 'class' || isInCatch(alternative, scene) || isGuarded(alternative, scene);
    if (maker !== undefined && isPlaced) {
      const level = shape.isCaught && isInCatch(alternative, scene) ? 3 : 2;
      const said = sentenceIn(shape.source);
      const made = maker === 'helper' ? shape : undefined;
      const text = said === undefined ? made : { source: said, value: [textAt(said, alternative)] };
      // What is an error by its class is no report about one.
      const refuses = said?.kind === 'text' && wordingOf(wordsOf(said)) === 'input';
      return { ...found(level, 'helper', text), isRefusal: maker === 'class' || refuses };
    }
    if (shape.isCaught && isInCatch(alternative, scene) && !isRetry(alternative, scene) && !recovers(shape.name)) {
      return found(2, 'caught', shape);
    }
  }
  // What another file gave back, after a look at whether it failed.
  if (isOfFailure(shape.source, shape.name, scene)) {
    return found(2, 'variable', shape, true);
  }
  const isHeld = !shape.isCall || alternative.assignedAt !== undefined;
  if (!isHeld || !isErrorName(shape.name) || !isGuarded(alternative, scene)) {
    return undefined;
  }
  const isSure = isConstantName(shape.name) || isTested(shape, scene) || isMadeHere(alternative, scene);
  return found(isSure ? 2 : 1, 'variable', shape);
}

const textAt = (source: Expression, alternative: Alternative): Alternative => ({
  ...alternative,
  shape: { kind: 'text', text: '', isCaught: false, source },
});

/** `NOT_FOUND`: a constant, by its capitals. */
export const isConstantName = (name: string | undefined) => name !== undefined && name === name.toUpperCase();

/** Whether it was made in the very branch that returns it. */
function isMadeHere({ assignedAt }: Alternative, { exitContext }: Scene): boolean {
  const made = assignedAt?.context;
  const guard = exitContext.guards.at(-1);
  return (
    made !== undefined &&
    (exitContext.catchClause === undefined
      ? guard !== undefined && made.guards.at(-1)?.condition === guard.condition
      : made.catchClause === exitContext.catchClause)
  );
}

/** Whether the nearest guard looks at the very value that is returned. */
function isTested({ source, name }: Extract<Shape, { kind: 'unknown' }>, scene: Scene): boolean {
  const guard = scene.exitContext.guards.at(-1);
  return (
    guard !== undefined &&
    !guard.isNegated &&
    [rootName(source), name].some((tested) => tested !== undefined && mentions(guard.condition, tested, 6))
  );
}
