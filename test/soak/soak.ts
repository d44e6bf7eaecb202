import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { createLogSink } from '../../src/core/passthrough/logSink.ts';
import { Recording, workspaceLog } from '../../src/host/recording.ts';
import { FilterControl } from '../../src/host/timeline/filterControl.ts';
import type { LogEvent } from '../../src/protocol/events.ts';
import { seededRandom } from '../unit/support/seededRandom.ts';
import { createBooks } from './books.ts';
import { LeapingClock } from './leapingClock.ts';
import { beginTalk, type Talk } from './traffic.ts';

export interface SoakOptions {
  readonly events: number;
  /** `faultline.log.maxSizeMb` and `.maxAgeDays`, as the settings have them. */
  readonly maxSizeMb: number;
  readonly maxAgeDays: number;
  readonly seed: number;
  readonly samples: number;
  /** Collects all garbage; absent: memory is sampled as it is. */
  readonly collect?: (() => void) | undefined;
  readonly onSample?: (sample: Sample) => void;
}

/** What was measured at a count of events. Sizes are bytes. */
export interface Sample {
  readonly events: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  /** Of the event loop: `process.getActiveResourcesInfo()`. */
  readonly resources: number;
  /** Open file descriptors; 0 where the system has no /proc. */
  readonly descriptors: number;
  /** On the injected clock. */
  readonly timers: number;
  /** The database, and all of it with the write-ahead log and its index. */
  readonly database: number;
  readonly disk: number;
  readonly kept: number;
  readonly rows: number;
}

export interface SoakResult {
  readonly samples: readonly Sample[];
  readonly offered: number;
  /** Of the events offered, as the reader was told of them. */
  readonly told: number;
  readonly lost: number;
  /** Gone, to keep to a limit, before the window looked. */
  readonly missed: number;
  readonly kept: number;
  readonly evicted: number;
  readonly lastSeq: number;
  /** Rows of the timeline that has followed, and of one that reads the log anew. */
  readonly rows: number;
  readonly rowsAnew: number;
  readonly shown: number;
  /** What must hold and does not. */
  readonly broken: readonly string[];
  readonly seconds: number;
}

const SERVERS = ['shop', 'github', 'files', 'weather', 'mail', 'notes', 'bank', 'maps'];
const CALLS_A_STEP = 100;
/** A call with all that belongs to it takes so long on the injected clock: 1,000 events a second. */
const CALL_MS = 2;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FILTERS = ['', 'outcome:tool_error', 'server:tap:shop ms>0', 'is:failure', 'has:anomaly'];

/**
 * Runs so many events through the real chain, on a clock that is moved by hand: tap (tape, framing, parsing, naming, its own
 * connection to the log) → SQLite log with redaction and limits → the window's recording, which reads what another has written,
 * projects it and holds the timeline → filters, one after the other. The machine sleeps, NTP sets the clock back and forth, and
 * once nobody is there for longer than events are kept.
 */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const started = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-soak-'));
  try {
    return { ...(await soakIn(folder, options)), seconds: (performance.now() - started) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function soakIn(folder: string, options: SoakOptions): Promise<Omit<SoakResult, 'seconds'>> {
  const { events, maxSizeMb, maxAgeDays, seed } = options;
  const clock = new LeapingClock(Date.UTC(2026, 2, 1) * 1000);
  const random = seededRandom(seed);
  const file = path.join(folder, 'faultline.sqlite');
  const limits = { maxBytes: maxSizeMb * 1024 * 1024, maxAgeMs: maxAgeDays * DAY_MS };
  const log = workspaceLog(folder, clock, () => undefined);
  log.configure({ redaction: {}, limits });
  const books = createBooks();
  log.onDidAppend((told: readonly LogEvent[]) => books.told(told));
  const recording = new Recording(log);
  await recording.load();
  const filter = new FilterControl(recording, (id) => id, clock);
  const looking = filter.retain();
  const problems: string[] = [];
  const tap = createLogSink({ path: file, clock, onProblem: (code, detail) => problems.push(`${code} ${detail}`) });
  let offered = 0;
  const sink = {
    append: (event: Parameters<typeof tap.append>[0]) => {
      offered += 1;
      tap.append(event);
    },
    flush: () => tap.flush(),
  };

  const talks: Talk[] = [];
  const talkAt = (index: number): Talk => {
    const server = SERVERS[index] ?? 'shop';
    const session = `soak-${server}-${Math.floor(offered / Math.max(1, events / 10))}`;
    return beginTalk({ clock, sink, random, server, session });
  };
  const samples: Sample[] = [];
  const measure = (): void => {
    options.collect?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    const sample: Sample = {
      events: offered,
      rss,
      heapUsed,
      external,
      resources: process.getActiveResourcesInfo().length,
      descriptors: openDescriptors(),
      timers: clock.waiting,
      database: sizeOfFile(file),
      disk: ['', '-wal', '-shm'].reduce((sum, ending) => sum + sizeOfFile(file + ending), 0),
      kept: log.count,
      rows: recording.timeline.recorded,
    };
    samples.push(sample);
    options.onSample?.(sample);
  };

  const plan = deeds(events, clock, maxAgeDays);
  for (let step = 0; offered < events; step += 1) {
    for (let index = 0; index < CALLS_A_STEP; index += 1) {
      const at = (step * CALLS_A_STEP + index) % SERVERS.length;
      const talk = talks[at];
      if (talk === undefined || talk.isOver) {
        talk?.end();
        talks[at] = talkAt(at);
      }
      talks[at]?.call();
      clock.advance(CALL_MS);
    }
    for (const deed of plan.splice(0, plan.filter(({ at }) => at <= offered).length)) {
      deed.act();
    }
    if (step % 50 === 0) {
      await filter.set({ text: FILTERS[(step / 50) % FILTERS.length] ?? '', hiddenOutcomes: [] });
    }
    // The system tells of writes, and the thread that checkpoints answers.
    await setImmediate();
    if (offered >= ((samples.length + 1) * events) / options.samples) {
      measure();
    }
  }
  for (const talk of talks) {
    talk.end();
  }
  await filter.set({ text: 'is:failure', hiddenOutcomes: [] });
  tap.dispose();
  clock.advance(10_000);
  log.poll();
  measure();

  const evicted = books.evictedIn(log);
  const { lastSeq } = log;
  const kept = log.count;
  const rows = recording.timeline.recorded;
  const shown = recording.timeline.total;
  looking.dispose();
  recording.dispose();
  const rowsAnew = await countAnew(folder, clock);
  const broken = [...problems, ...books.problems({ offered, kept, evicted, lastSeq })];
  return {
    samples,
    offered,
    told: books.toldOfTap,
    lost: books.lost,
    missed: books.missed,
    kept,
    evicted,
    lastSeq,
    rows,
    rowsAnew,
    shown,
    broken,
  };
}

/** What happens to the machine and its clock, by the count of events at which it does. */
function deeds(events: number, clock: LeapingClock, maxAgeDays: number): { readonly at: number; act(): void }[] {
  /** Nobody works any more before the machine sleeps, so that a window has read what there is: it looks every ten seconds. */
  const sleep = (ms: number) => {
    clock.advance(15_000);
    clock.leap(ms);
  };
  const nights = Array.from({ length: 20 }, (_, index) => ({
    at: ((index + 0.5) * events) / 20,
    act: () => sleep(8 * HOUR_MS),
  }));
  return [
    ...nights,
    { at: events / 4, act: () => sleep((maxAgeDays + 1) * DAY_MS) },
    { at: events * 0.6, act: () => clock.moveWall(-HOUR_MS) },
    { at: events * 0.8, act: () => clock.moveWall(HOUR_MS) },
  ].sort((a, b) => a.at - b.at);
}

/** The rows that a window has which opens the same log afterwards. */
async function countAnew(folder: string, clock: LeapingClock): Promise<number> {
  const recording = new Recording(workspaceLog(folder, clock, () => undefined));
  await recording.load();
  const rows = recording.timeline.recorded;
  recording.dispose();
  return rows;
}

function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

function sizeOfFile(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
