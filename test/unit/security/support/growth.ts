import { type Attack, attacksOn, textOf } from './attackTexts.ts';
import { contains, countingRegex } from './regexSteps.ts';

/** Lengths of a first look and of a second one at what the first did not like, UTF-16 units: the longer is 4 times the shorter. */
const LENGTHS = [150, 1500] as const;
/** Growth over 4 times the length: 4 is linear, 16 quadratic. */
const MOST_GROWTH = 7;
/** Steps a character that even the most patient pattern needs not exceed. */
const MOST_STEPS_A_CHARACTER = 1000;

/** How a pattern takes to texts that are made to be hard for it. */
export interface Growth {
  readonly isLinear: boolean;
  /** The text that it took the most steps for, a character. */
  readonly worst: Attack;
}

/** Counts the steps of a pattern over longer and longer texts; `undefined` where nothing in it repeats often. */
export function growthOf(regex: RegExp): Growth | undefined {
  const counting = countingRegex(regex);
  if (!contains(counting.node, (node) => node.type === 'repeat' && node.max > 8)) {
    return undefined;
  }
  const growsAt = (attack: Attack, length: number): { readonly steps: number; readonly isSuperlinear: boolean } => {
    const short = textOf(attack, length);
    const few = counting.steps(short, short.length * MOST_STEPS_A_CHARACTER);
    const long = textOf(attack, length * 4);
    const limit = Math.min(few * MOST_GROWTH + 10 * long.length, long.length * MOST_STEPS_A_CHARACTER);
    const steps = counting.steps(long, limit);
    return { steps: steps / long.length, isSuperlinear: steps >= limit };
  };
  let worst: Attack = { head: '', pump: ' ', tail: '' };
  let most = 0;
  for (const attack of attacksOn(counting.node)) {
    const first = growsAt(attack, LENGTHS[0]);
    if (first.steps > most) {
      most = first.steps;
      worst = attack;
    }
    if (first.isSuperlinear && growsAt(attack, LENGTHS[1]).isSuperlinear) {
      return { isLinear: false, worst: attack };
    }
  }
  return { isLinear: true, worst };
}
