import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Correlator } from '../core/classify/correlate.ts';
import { deferEventLog } from '../core/log/deferredLog.ts';
import { type EventLog, openEventLog } from '../core/log/eventLog.ts';
import { SilentTools } from '../core/timeline/silentTools.ts';
import { Timeline } from '../core/timeline/timeline.ts';
import type { Behaviour } from '../protocol/behaviour.ts';
import type { ConnectionId, LogEvent } from '../protocol/events.ts';
import type { Exchange } from '../protocol/exchange.ts';
import type { AgentVerdict } from '../protocol/report.ts';
import type { Behaviours } from './lateCore.ts';
import { EVENTS_AT_ONCE, NEWEST_EVENTS, projectNewest, type Reading } from './newestRows.ts';

/** Recorded events projected at a time while an existing log is read, so that the host stays responsive. */
const CHUNK_EVENTS = 250;

/** Before the rest of a long log is read: the page that asked has its rows on the screen by then. */
const REST_MS = 1000;

/** Events between two tellings of how far the reading of a long log has come. */
const EVENTS_BETWEEN_TELLINGS = 20_000;

/** How often the events of other processes that write the same log are looked for, where the system does not tell of them. */
const POLL_MS = 500;

/** Failures whose whole snapshot is kept at hand; older ones are projected again from the log. */
const KEPT_EXCHANGES = 2000;

/** Rows whose anomalies are kept at hand. */
const KEPT_ANOMALIES = 20_000;

/** An attempt is announced a little before its request is sent. */
const EVENTS_BEFORE = 20;

/** Events read at most to project one exchange again. */
const MAX_EVENTS_OF_EXCHANGE = 5000;

/** What a projection needs of a log: one that grows, or what a session file holds. */
export type ReadableLog = Pick<
  EventLog,
  | 'status'
  | 'onDidAppend'
  | 'onDidEvict'
  | 'count'
  | 'lastSeq'
  | 'get'
  | 'read'
  | 'search'
  | 'sessions'
  | 'clear'
  | 'dispose'
>;

/**
 * The log in `folder`, which other windows on the same workspace write too; in memory without one. It is opened by its
 * first use, and `onDidOpen` told of it.
 */
export function workspaceLog(folder: string | undefined, clock: Clock, onDidOpen: (log: EventLog) => void): EventLog {
  const file = folder === undefined ? undefined : path.join(folder, 'faultline.sqlite');
  return deferEventLog(() => openEventLog({ path: file, clock, pollMs: POLL_MS, isWatched: true }), onDidOpen);
}

/**
 * `newest-first`: a long log is being read in the background, and its newest events are shown, projected by `newest`.
 * `reading`: what is recorded is read, and live events wait.
 */
type ReadingState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'newest-first'; readonly newest: Correlator; readonly reading: Reading }
  | { readonly kind: 'live' };

/** A log with its projections. The log is the truth: everything else here can be thrown away and built again. */
export class Recording<Log extends ReadableLog = EventLog> implements Disposable {
  readonly log: Log;
  readonly timeline = new Timeline();
  /** The tools that were seen hiding their failures: evidence for the lint. */
  readonly silentTools = new SilentTools();
  /** Key of the row that was chosen for others to be compared with. */
  compareBase: number | undefined;
  private readonly store = new DisposableStore();
  private readonly willProject = this.store.add(new Emitter<LogEvent>());
  /** Fires with each event before its rows change: what is known of the message is known when they are tested. */
  readonly onWillProject: Event<LogEvent> = this.willProject.event;
  private readonly didRead = this.store.add(new Emitter<void>());
  /** Fires when the reading of a long log has come further, and when it has ended. */
  readonly onDidRead: Event<void> = this.didRead.event;
  private readonly kept = new Map<number, Exchange>();
  /** The newest replay of each row that was replayed. */
  private readonly replays = new Map<number, number>();
  /** What was unusual about rows, which follows from what came before them and is lost on projecting one again. */
  private readonly unusual = new Map<number, NonNullable<Exchange['anomalies']>>();
  private late:
    | {
        readonly create: () => Correlator;
        correlator: Correlator;
        readonly createBehaviours: () => Behaviours;
        behaviours: Behaviours;
      }
    | undefined;
  private loading: { readonly newest: Promise<void>; readonly all: Promise<void> } | undefined;
  /** Last `seq` that was projected. */
  private projectedSeq = 0;
  private state: ReadingState = { kind: 'reading' };
  /** Counts how often the projection was begun. */
  private generation = 0;

  private readonly loopLimit: (() => number) | undefined;

  /** Takes ownership of the log. `loopLimit`: how many calls alike in a row make a loop, asked whenever all is projected. */
  constructor(log: Log, loopLimit?: () => number) {
    this.log = log;
    this.loopLimit = loopLimit;
    this.store.add(
      this.log.onDidAppend((events) => {
        if (this.state.kind === 'live') {
          this.project(this.timeline, events);
        } else if (this.state.kind === 'newest-first') {
          this.showNewest(this.state.newest, events);
        }
      }),
    );
    this.store.add(
      this.log.onDidEvict(({ reason }) => {
        if (reason === 'deleted' || reason === 'elsewhere') {
          this.projectAnew();
        } else if (this.state.kind === 'live') {
          // What went to keep to a limit is old, and goes bit by bit.
          const kept = this.log.sessions().filter(({ events }) => events > 0);
          const firstSeq = new Map<string, number>(kept.map((session) => [session.id, session.firstSeq]));
          this.timeline.forget((session) => firstSeq.get(session));
        }
      }),
    );
    this.store.defer(() => this.log.dispose());
  }

  /** Projects what earlier sessions recorded, then follows live. Idempotent; every reader of the timeline awaits it. */
  load(): Promise<void> {
    return this.begin().all;
  }

  /** Resolves when the newest rows are shown. Of a long log that is long before `load` does; until then, `reading` says how far it is. */
  loadNewest(): Promise<void> {
    return this.begin().newest;
  }

  /** How far the reading of a long log has come, whose newest rows alone are shown meanwhile; `undefined` when all are. */
  get reading(): Reading | undefined {
    return this.state.kind === 'newest-first' ? this.state.reading : undefined;
  }

  /** The full snapshot of a row, or `undefined` when its events are gone. */
  exchange(key: number): Exchange | undefined {
    const kept = this.kept.get(key);
    if (kept !== undefined) {
      return kept;
    }
    const row = this.timeline.row(key);
    if (row === undefined) {
      return undefined;
    }
    const again = this.late?.create();
    let found: Exchange | undefined;
    const events = this.log.read({
      from: Math.max(1, row.firstSeq - EVENTS_BEFORE),
      to: row.lastSeq,
      connection: row.connection as ConnectionId,
      limit: MAX_EVENTS_OF_EXCHANGE,
    });
    for (const event of events) {
      found = again?.push(event).findLast((exchange) => exchange.key === key) ?? found;
    }
    if (found !== undefined) {
      const anomalies = this.unusual.get(key);
      found = anomalies === undefined ? found : { ...found, anomalies };
      this.keep(found);
    }
    return found;
  }

  /** Loops and possible duplicates, the oldest first; the newest of them alone. */
  recentBehaviours(): readonly Behaviour[] {
    return this.late?.behaviours.recent() ?? [];
  }

  /** How each client's agent dealt with failures in each session; the newest of them alone. */
  agentVerdicts(): readonly AgentVerdict[] {
    return this.late?.behaviours.verdicts() ?? [];
  }

  /** What the caller did that the exchange is part of: blind retries, loops, possible duplicates, recoveries. */
  behavioursOf(key: number): readonly Behaviour[] {
    return this.late?.behaviours.of(key) ?? [];
  }

  /** Key of the newest row that replays this one. */
  newestReplayOf(key: number): number | undefined {
    return this.replays.get(key);
  }

  /** Deletes everything recorded but pinned sessions. */
  clear(): void {
    if (this.log.clear()) {
      this.projectAnew();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private begin(): { readonly newest: Promise<void>; readonly all: Promise<void> } {
    if (this.loading === undefined) {
      const shown = Promise.withResolvers<void>();
      const all = this.readExisting(shown.resolve);
      // With everything read the newest is, and what went wrong with all is told to whoever waits for either.
      const newest = Promise.race([shown.promise, all]);
      newest.catch(() => undefined);
      this.loading = { newest, all };
    }
    return this.loading;
  }

  private async readExisting(onDidShow: () => void): Promise<void> {
    const { createCorrelator, createBehaviours } = await import('./lateCore.ts');
    this.late = {
      create: createCorrelator,
      correlator: createCorrelator(),
      createBehaviours: () => createBehaviours(this.loopLimit?.()),
      behaviours: createBehaviours(this.loopLimit?.()),
    };
    await this.readAll(onDidShow);
  }

  private async readAll(onDidShow: () => void): Promise<void> {
    const { generation } = this;
    const { count } = this.log;
    // A long log is read into a timeline of its own, which takes the place of the newest rows when all of it is there.
    const isLong = count > EVENTS_AT_ONCE;
    const timeline = isLong ? new Timeline() : this.timeline;
    if (isLong) {
      this.beginNewest(count);
      onDidShow();
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      if (generation !== this.generation) {
        return;
      }
    }
    for (let done = CHUNK_EVENTS; ; done += CHUNK_EVENTS) {
      const events = this.log.read({ from: this.projectedSeq + 1, limit: CHUNK_EVENTS });
      this.project(timeline, events);
      if (events.length < CHUNK_EVENTS) {
        break;
      }
      if (this.state.kind === 'newest-first' && done % EVENTS_BETWEEN_TELLINGS === 0) {
        this.state = { ...this.state, reading: { done, of: Math.max(done, count) } };
        this.didRead.fire();
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (generation !== this.generation) {
        // Somebody else reads from the beginning meanwhile.
        return;
      }
    }
    this.state = { kind: 'live' };
    if (isLong) {
      this.kept.clear();
      this.timeline.takeOver(timeline);
      this.didRead.fire();
    }
  }

  /** Shows the end of a long log at once; what comes meanwhile is added to it. */
  private beginNewest(count: number): void {
    const newest = this.late?.create();
    if (newest !== undefined) {
      this.state = { kind: 'newest-first', newest, reading: { done: 0, of: count } };
      const from = Math.max(1, this.log.lastSeq - NEWEST_EVENTS + 1);
      this.showNewest(newest, this.log.read({ from, limit: NEWEST_EVENTS }));
    }
  }

  private showNewest(newest: Correlator, events: readonly LogEvent[]): void {
    for (const event of events) {
      this.willProject.fire(event);
    }
    const exchanges = projectNewest(newest, events);
    for (const exchange of exchanges) {
      this.keep(exchange);
    }
    this.timeline.apply(exchanges);
  }

  /** Throws the projection away and makes it from what is still recorded; nothing to do when there is none yet. */
  private projectAnew(): void {
    if (this.late !== undefined && !this.store.isDisposed) {
      this.generation += 1;
      this.state = { kind: 'reading' };
      this.projectedSeq = 0;
      this.forget();
      const all = this.readAll(() => undefined);
      this.loading = { newest: Promise.resolve(), all };
    }
  }

  private forget(): void {
    this.kept.clear();
    this.replays.clear();
    this.unusual.clear();
    if (this.late !== undefined) {
      this.late.correlator = this.late.create();
      this.late.behaviours = this.late.createBehaviours();
    }
    this.timeline.clear();
    this.silentTools.clear();
  }

  private project(timeline: Timeline, events: readonly LogEvent[]): void {
    for (const event of events) {
      if (event.seq <= this.projectedSeq) {
        continue;
      }
      this.projectedSeq = event.seq;
      this.willProject.fire(event);
      const exchanges = this.late?.correlator.push(event) ?? [];
      timeline.apply(exchanges);
      this.silentTools.apply(exchanges);
      this.late?.behaviours.apply(event, exchanges);
      for (const exchange of exchanges) {
        // While a long log is read, what is kept is of the rows that are shown.
        if (timeline === this.timeline) {
          this.keep(exchange);
        } else {
          this.keepUnusual(exchange);
        }
        if (exchange.replayOf !== undefined) {
          this.replays.set(exchange.replayOf, exchange.chain?.head ?? exchange.key);
        }
      }
    }
  }

  private keep(exchange: Exchange): void {
    putNewest(this.kept, exchange.key, exchange, KEPT_EXCHANGES);
    this.keepUnusual(exchange);
  }

  private keepUnusual(exchange: Exchange): void {
    if (exchange.anomalies !== undefined) {
      putNewest(this.unusual, exchange.key, exchange.anomalies, KEPT_ANOMALIES);
    }
  }
}

/** Sets a key as the newest of a map that forgets its oldest beyond `limit`. */
function putNewest<V>(map: Map<number, V>, key: number, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > limit ? map.keys().next() : undefined;
  if (oldest !== undefined && oldest.done !== true) {
    map.delete(oldest.value);
  }
}
