/** A time in which something on screen ran, or a moment; µs. */
export interface BusyTime {
  readonly startUs: number;
  readonly endUs: number;
}

/** Idle time that the axis leaves out. */
export interface Fold {
  /** Where it stands: the middle of its gap, as a fraction of the axis. */
  readonly at: number;
  /** How long it was, µs. */
  readonly us: number;
}

/** The time axis of the waterfall column. */
export interface WaterfallAxis {
  /** The place of a time, 0 to 1. */
  fraction(us: number): number;
  readonly folds: readonly Fold[];
  /** Time that the axis shows, without what is left out; µs. */
  readonly shownUs: number;
}

/** Shorter idle time is never left out, µs. */
const MIN_FOLD_US = 1_000_000;

/** Idle time is left out when it is more than this part of what is shown. */
const FOLD_SHARE = 0.4;

/** At most so many; each takes this part of the axis. */
const MAX_FOLDS = 3;
const FOLD_WIDTH = 0.04;

/**
 * The axis for what is on screen. Where a pause takes up most of it (a night, or an agent that thinks for half a minute
 * between calls of milliseconds), the pause is left out, or the calls on both sides of it would be dots. `undefined` for
 * nothing.
 */
export function axisOf(times: readonly BusyTime[]): WaterfallAxis | undefined {
  const runs = runsOf(times);
  const first = runs[0];
  const last = runs.at(-1);
  if (first === undefined || last === undefined) {
    return undefined;
  }
  const gaps = runs.slice(1).map((run, index) => ({ toUs: run.startUs, fromUs: runs[index]?.endUs ?? run.startUs }));
  let shownUs = last.endUs - first.startUs;
  const folded: { readonly fromUs: number; readonly toUs: number }[] = [];
  for (const gap of gaps.sort((a, b) => b.toUs - b.fromUs - (a.toUs - a.fromUs))) {
    const us = gap.toUs - gap.fromUs;
    if (us < MIN_FOLD_US || us <= shownUs * FOLD_SHARE || folded.length === MAX_FOLDS) {
      break;
    }
    folded.push(gap);
    shownUs -= us;
  }
  folded.sort((a, b) => a.fromUs - b.fromUs);
  const room = 1 - folded.length * FOLD_WIDTH;
  const fraction = (us: number) => {
    let shown = us - first.startUs;
    let left = 0;
    for (const { fromUs, toUs } of folded) {
      if (us >= toUs) {
        shown -= toUs - fromUs;
        left += FOLD_WIDTH;
      } else if (us > fromUs) {
        shown -= us - fromUs;
        left += (FOLD_WIDTH * (us - fromUs)) / (toUs - fromUs);
      }
    }
    return shownUs > 0 ? Math.max(0, Math.min(1, left + (room * shown) / shownUs)) : left;
  };
  const folds = folded.map(({ fromUs, toUs }) => ({ at: (fraction(fromUs) + fraction(toUs)) / 2, us: toUs - fromUs }));
  return { fraction, folds, shownUs };
}

/** The times in order, joined where they touch. */
function runsOf(times: readonly BusyTime[]): BusyTime[] {
  const runs: { startUs: number; endUs: number }[] = [];
  for (const { startUs, endUs } of times.toSorted((a, b) => a.startUs - b.startUs)) {
    const open = runs.at(-1);
    if (open !== undefined && startUs <= open.endUs) {
      open.endUs = Math.max(open.endUs, endUs);
    } else {
      runs.push({ startUs, endUs });
    }
  }
  return runs;
}
