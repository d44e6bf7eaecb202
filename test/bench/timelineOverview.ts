// Found, Node.js 22.23, two shared cores, processor time of the thread: timeline.overview1M 31 ms in tasks of at most 8 ms,
// timeline.charts1M 55 ms, timeline.range1M 8 ms. Rows stand in columns, so that a count reads a few bytes of each.
import { Timeline } from '../../src/core/timeline/timeline.ts';
import type { ConnectionId, ServerId, SessionId } from '../../src/protocol/events.ts';
import type { Exchange } from '../../src/protocol/exchange.ts';
import { OUTCOME_KINDS } from '../../src/protocol/outcome.ts';
import { type BenchResult, median, progress, rounded, threadTimeOf } from './bench.ts';

const ROWS = 1_000_000;
const SERVERS = 20;
const BUCKETS = 300;
/** As `src/host/timeline/overviewView.ts` does. */
const ROWS_PER_TASK = 150_000;
const RUNS = 7;

/**
 * `timeline.overview1M`: processor time of counting 1,000,000 rows of 20 servers and three days for the overview with lanes.
 * `timeline.overviewTask1M`: the longest task of it. `timeline.charts1M`: the same count and the latencies, for the charts.
 * `timeline.range1M`: showing only what is in a brush.
 */
export async function timelineOverview(): Promise<BenchResult[]> {
  const timeline = new Timeline();
  progress('timeline.*: a million rows are made');
  for (let from = 0; from < ROWS; from += 10_000) {
    timeline.apply(Array.from({ length: 10_000 }, (_, index) => exchangeAt(from + index)));
  }
  const { fromUs, toUs } = timeline.span();
  const tasks: number[] = [];
  const overview = Array.from({ length: RUNS }, () => {
    const scan = timeline.overview({ buckets: BUCKETS, isByServer: true, of: 'passing' });
    return inTasks(scan, tasks);
  });
  const charts = Array.from(
    { length: RUNS },
    () =>
      inTasks(timeline.overview({ buckets: BUCKETS, isByServer: false, of: 'shown' }), tasks) +
      inTasks(timeline.latency(), tasks),
  );
  const ranges = Array.from({ length: RUNS }, (_, run) =>
    threadTimeOf(() => timeline.setRange({ fromUs: fromUs + run, toUs: (fromUs + toUs) / 2 })),
  );
  return [
    result('timeline.overview1M', median(overview), 100),
    result('timeline.overviewTask1M', Math.max(...tasks), 20),
    result('timeline.charts1M', median(charts), 150),
    result('timeline.range1M', median(ranges), 20),
  ];
}

interface Scan {
  step(rows: number): boolean;
  result(): unknown;
}

/** Processor time of a scan, ms; that of each of its tasks is added to `tasks`. */
function inTasks(scan: Scan, tasks: number[]): number {
  let sum = 0;
  for (let isDone = false; !isDone; ) {
    const ms = threadTimeOf(() => {
      isDone = scan.step(ROWS_PER_TASK);
      if (isDone) {
        scan.result();
      }
    });
    tasks.push(ms);
    sum += ms;
  }
  return sum;
}

function result(name: string, value: number, goal: number): BenchResult {
  return { name, value: rounded(value), unit: 'ms', goal: `≤ ${goal}`, ok: value <= goal };
}

const DAY_US = 86_400_000_000;

/** A third of the rows each day, within two hours of it. */
function exchangeAt(index: number): Exchange {
  const day = Math.floor((index * 3) / ROWS);
  const startUs = 1.7e15 + day * DAY_US + (index % (ROWS / 3)) * 21_600;
  const outcome = index % 37 === 0 ? OUTCOME_KINDS[1 + (index % 10)] : 'success';
  return {
    key: index * 2 + 1,
    kind: 'request',
    session: `session-${day}` as SessionId,
    server: `bench:server-${index % SERVERS}` as ServerId,
    connection: `connection-${index % SERVERS}` as ConnectionId,
    origin: 'client',
    initiator: 'client',
    startUs: Math.floor(startUs),
    endUs: Math.floor(startUs) + 500 * (1 + (index % 997)),
    endSeq: index * 2 + 2,
    method: 'tools/call',
    related: [],
    bytes: 300,
    verdict: { outcome: outcome ?? 'success', retry: 'never', signals: [] },
    marks: [],
  };
}
