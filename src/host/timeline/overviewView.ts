import type { Latency } from '../../core/timeline/histogram.ts';
import type { Overview } from '../../core/timeline/overview.ts';
import type { Timeline } from '../../core/timeline/timeline.ts';
import type { ChartsView, OverviewLaneView, OverviewView } from '../../protocol/timelineViews.ts';

/** Rows that are looked at in one task: a few milliseconds, also on a slow machine. */
const ROWS_PER_TASK = 150_000;

/** Answers of one epoch that are kept: the sidebar and the editor may ask for different sizes, each with and without lanes. */
const MAX_KEPT = 4;

/** What a lane says of its server. */
export type LaneFacts = (server: string) => Pick<OverviewLaneView, 'name' | 'state'>;

interface Scan<T> {
  step(rows: number): boolean;
  result(): T;
}

/**
 * Counts rows for the overview and the charts: in tasks of a few milliseconds, and once an epoch, however many pages ask.
 */
export class OverviewCounter {
  private readonly timeline: Timeline;
  private readonly lane: LaneFacts;
  private epoch = -1;
  private readonly kept = new Map<string, Promise<unknown>>();

  constructor(timeline: Timeline, lane: LaneFacts) {
    this.timeline = timeline;
    this.lane = lane;
  }

  /** What passes the filter, whatever its range is, as it is at `epoch` or a little later. */
  async overview(epoch: number, buckets: number, isByServer: boolean): Promise<OverviewView> {
    const { segments, cells, lanes } = await this.once(epoch, `overview ${buckets} ${isByServer}`, () =>
      finish<Overview>(this.timeline.overview({ buckets, isByServer, of: 'passing' })),
    );
    // States of servers change without an epoch: they are asked for anew.
    const named = lanes?.map(({ server, cells: own }) => ({ id: server, ...this.lane(server), cells: own }));
    return { epoch, segments, cells, ...(named === undefined ? {} : { lanes: named }) };
  }

  /** What is shown, as it is at `epoch` or a little later. */
  charts(epoch: number, buckets: number): Promise<ChartsView> {
    return this.once(epoch, `charts ${buckets}`, async () => {
      const { segments, cells } = await finish<Overview>(
        this.timeline.overview({ buckets, isByServer: false, of: 'shown' }),
      );
      const { count, percentiles, bins } = await finish<Latency>(this.timeline.latency());
      return {
        epoch,
        segments,
        cells,
        latency: { count, bins, ...(percentiles === undefined ? {} : { percentiles }) },
      };
    });
  }

  private once<T>(epoch: number, name: string, count: () => Promise<T>): Promise<T> {
    if (epoch !== this.epoch || this.kept.size >= MAX_KEPT) {
      this.epoch = epoch;
      this.kept.clear();
    }
    // A name stands for one kind of answer.
    const found = this.kept.get(name) as Promise<T> | undefined;
    const counted = found ?? count();
    this.kept.set(name, counted);
    return counted;
  }
}

async function finish<T>(scan: Scan<T>): Promise<T> {
  while (!scan.step(ROWS_PER_TASK)) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return scan.result();
}
