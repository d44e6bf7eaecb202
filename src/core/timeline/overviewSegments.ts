import type { OverviewSegment } from '../../protocol/timelineViews.ts';

/** Shorter idle time is never left out of the axis; µs. */
const MIN_IDLE_US = 60_000_000;

/** Idle time is left out when it is more than this part of what remains. */
const IDLE_SHARE = 0.02;

/** A stretch of activity is never narrower, so that it can be seen and hit; buckets. */
const MIN_BUCKETS = 4;

/** A stretch is at least this long, so that a single call is not drawn as wide as a day; µs. */
const MIN_SEGMENT_US = 1_000_000;

/** Times between which there was something at least once a minute. */
export class ActivityRuns {
  /** Ascending, with more than `MIN_IDLE_US` between the end of one and the start of the next. */
  readonly runs: { fromUs: number; toUs: number }[] = [];

  /** Takes in a moment. O(1) where moments ascend. */
  add(us: number): void {
    const last = this.runs.at(-1);
    if (last === undefined || us > last.toUs + MIN_IDLE_US) {
      this.runs.push({ fromUs: us, toUs: us });
    } else if (us >= last.fromUs) {
      last.toUs = Math.max(last.toUs, us);
    } else {
      this.insert(us);
    }
  }

  private insert(us: number): void {
    let place = this.runs.findLastIndex((run) => run.fromUs <= us);
    const before = this.runs[place];
    if (before !== undefined && us <= before.toUs + MIN_IDLE_US) {
      before.toUs = Math.max(before.toUs, us);
    } else {
      place += 1;
      this.runs.splice(place, 0, { fromUs: us, toUs: us });
    }
    const joined = this.runs[place];
    const next = this.runs[place + 1];
    if (joined !== undefined && next !== undefined && next.fromUs <= joined.toUs + MIN_IDLE_US) {
      joined.toUs = next.toUs;
      this.runs.splice(place + 1, 1);
    }
  }
}

/**
 * The axis: stretches of activity with the idle time between them left out where it is long beside the rest. A log holds
 * many days with nights between them; on one even scale the last five minutes would be a line. A longer stretch is wider, by
 * the root of its length, so that a short one stays visible beside it. Without the marks between them the stretches have
 * `buckets` buckets at most, or a few more when there are very many.
 */
export function segmentsOf({ runs }: ActivityRuns, buckets: number): OverviewSegment[] {
  const stretches = stretchesOf(runs, Math.floor(buckets / (2 * MIN_BUCKETS)));
  const room = buckets - (stretches.length - 1);
  const roots = stretches.map(({ fromUs, toUs }) => Math.sqrt(toUs - fromUs));
  const sum = roots.reduce((total, root) => total + root, 0);
  const spare = Math.max(0, room - MIN_BUCKETS * stretches.length);
  return stretches.map(({ fromUs, toUs }, index) => {
    const count = Math.max(1, Math.min(room, MIN_BUCKETS + Math.floor((spare * (roots[index] ?? 0)) / sum)));
    return { fromUs, bucketUs: (toUs - fromUs) / count, count };
  });
}

/** The runs, joined where the idle time between them is short beside the rest or where there would be too many. */
function stretchesOf(runs: ActivityRuns['runs'], maxFolds: number): { fromUs: number; toUs: number }[] {
  const first = runs[0];
  const last = runs.at(-1);
  if (first === undefined || last === undefined) {
    return [];
  }
  let remainingUs = last.toUs - first.fromUs;
  const folded = new Set<number>();
  const gaps = runs.slice(1).map((run, index) => ({ index, us: run.fromUs - (runs[index]?.toUs ?? run.fromUs) }));
  for (const { index, us } of gaps.sort((a, b) => b.us - a.us)) {
    if (us <= remainingUs * IDLE_SHARE || folded.size >= maxFolds) {
      break;
    }
    folded.add(index);
    remainingUs -= us;
  }
  const stretches: { fromUs: number; toUs: number }[] = [];
  runs.forEach((run, index) => {
    const open = stretches.at(-1);
    if (open === undefined || folded.has(index - 1)) {
      stretches.push({ ...run });
    } else {
      open.toUs = run.toUs;
    }
  });
  // One past the last moment, and long enough; what follows is more than a minute away.
  return stretches.map(({ fromUs, toUs }) => ({ fromUs, toUs: Math.max(toUs + 1, fromUs + MIN_SEGMENT_US) }));
}

/** Finds the bucket of a moment: O(1) for moments that stay in one segment, without an object for each. */
export class BucketFinder {
  private readonly segments: readonly OverviewSegment[];
  private fromUs = 0;
  private toUs = 0;
  private bucketUs = 1;
  private first = 0;
  private lastBucket = 0;

  constructor(segments: readonly OverviewSegment[]) {
    this.segments = segments;
  }

  /** The bucket, counted over all segments; -1 for a moment in none. */
  bucketOf(us: number): number {
    if ((us < this.fromUs || us >= this.toUs) && !this.enter(us)) {
      return -1;
    }
    // A moment a hair before the end may round up to the bucket after.
    return Math.min(this.lastBucket, this.first + Math.floor((us - this.fromUs) / this.bucketUs));
  }

  private enter(us: number): boolean {
    this.first = 0;
    for (const { fromUs, bucketUs, count } of this.segments) {
      const toUs = fromUs + bucketUs * count;
      if (us >= fromUs && us < toUs) {
        this.fromUs = fromUs;
        this.toUs = toUs;
        this.bucketUs = bucketUs;
        this.lastBucket = this.first + count - 1;
        return true;
      }
      this.first += count;
    }
    this.toUs = this.fromUs;
    return false;
  }
}
