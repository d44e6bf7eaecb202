import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { EventContext, LogEvent, NewLogEvent, SessionId } from '../../protocol/events.ts';
import type { EventLog, EventLogOptions, Eviction, LogSettings, LogStatus } from './eventLog.ts';
import { followFile } from './followFile.ts';
import { EventRedaction } from './redact/redactEvent.ts';
import { Redactor } from './redact/redactor.ts';
import type { RefusedPattern } from './redact/userPatterns.ts';
import { type EvictionReason, looserThan, Retention, UNSET_LIMITS } from './retention.ts';
import { searchLog } from './searchLog.ts';
import type { SqliteProblem } from './sqlite.ts';
import type { EventRange, LogStore, SessionInfo } from './store.ts';
import { WriteQueue } from './writeQueue.ts';

/** An event waits at most so long for others to be written with. */
const BATCH_DELAY_MS = 50;
/** At most so much in one transaction, so that a burst does not hold the event loop. */
const BATCH_EVENTS = 512;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Of these, so many in one turn of the event loop, with what listeners do about them: others want their turn as well. */
const TURN_EVENTS = 128;
/**
 * From here on what comes in waits for what is written: a pipe is read faster than a log is written, and a queue that only
 * grows would lose most of a burst. Far below the bounds of the queue, which are for a file that does not let go.
 */
const BACKLOG_EVENTS = 4 * BATCH_EVENTS;
const BACKLOG_BYTES = 4 * BATCH_BYTES;
/** Until a failed write is tried again. */
const RETRY_DELAY_MS = 250;
const CLOSING_PATIENCE_MS = 1000;
/** Events of other processes that are read and told in one turn of the event loop. */
const FOREIGN_PAGE = 500;

/** An `EventLog` over a store: batches what is written, tells what was, keeps what could not be. Owns the store. */
export class BatchingLog implements EventLog {
  readonly status: LogStatus;
  private readonly appended = new Emitter<readonly LogEvent[]>();
  readonly onDidAppend = this.appended.event;
  private readonly evicted = new Emitter<Eviction>();
  readonly onDidEvict = this.evicted.event;
  refusedPatterns: readonly RefusedPattern[] = [];
  private readonly store: LogStore;
  private readonly clock: Clock;
  private readonly queue: WriteQueue;
  private problem: SqliteProblem | undefined;
  private timer: Disposable | undefined;
  private isDisposed = false;
  /** Batches that are told one after the other, also when a listener writes. */
  private readonly untold: Array<readonly LogEvent[]> = [];
  private isTelling = false;
  private seenSeq: number;
  private seenDeletions: number;
  private seenChanges: number;
  private following: Disposable | undefined;
  private catchUpTimer: Disposable | undefined;
  private redaction: EventRedaction | undefined;
  private readonly retention: Retention;
  /** Of the latest event of this process: an eviction is told where its reader is. */
  private lastContext: EventContext | undefined;
  /** The same of what others wrote, which may be gone itself by then. */
  private lastTold: EventContext | undefined;
  private counted: { readonly events: number; readonly upTo: number } | undefined;

  constructor(store: LogStore, status: LogStatus, options: EventLogOptions) {
    this.store = store;
    this.status = status;
    this.clock = options.clock;
    this.queue = new WriteQueue(options.queue ?? { maxEvents: 20_000, maxBytes: 64 * 1024 * 1024 });
    this.seenSeq = store.lastSeq();
    this.seenDeletions = store.deletions();
    // The first look looks in any case: somebody may have written since `lastSeq`.
    this.seenChanges = -1;
    store.setPatience(options.patienceMs ?? 25);
    this.retention = new Retention(store, options.clock, (reason) => this.putOnRecord(reason));
    this.configure({ redaction: options.redaction ?? {} });
    if (options.limits === 'as-set') {
      this.retention.setLimits(looserThan(store.limits() ?? UNSET_LIMITS));
    } else if (options.limits !== undefined) {
      this.configure({ limits: options.limits });
    }
    this.retention.settle();
    if (options.pollMs !== undefined && status.kind === 'file') {
      this.following = followFile(status.path, () => this.look(), this.clock, {
        pollMs: options.pollMs,
        isWatched: options.isWatched === true,
      });
    }
  }

  get lastSeq(): number {
    return this.seenSeq;
  }

  get count(): number {
    this.counted ??= { upTo: this.store.lastSeq(), events: this.store.count() };
    return this.counted.events;
  }

  append(event: NewLogEvent): void {
    if (this.isDisposed) {
      return;
    }
    // The one door into the log: what is queued, written or told has no secrets any more.
    const redacted = this.redaction === undefined ? event : this.redaction.redact(event);
    this.lastContext = redacted;
    this.queue.push(redacted, `log.gap.${this.problem ?? 'queue-full'}`);
    if (this.isBehind()) {
      this.writeBatch(BATCH_EVENTS);
    }
    if (this.timer === undefined) {
      this.schedule(BATCH_DELAY_MS);
    } else if (this.queue.length === BATCH_EVENTS && this.problem === undefined) {
      this.schedule(0);
    }
  }

  flush(): void {
    let isGoingOn = !this.isDisposed;
    while (isGoingOn && this.queue.length > 0) {
      isGoingOn = this.writeBatch(BATCH_EVENTS);
    }
    this.scheduleRest();
  }

  configure({ redaction, limits }: LogSettings): void {
    if (redaction !== undefined) {
      const redactor = redaction === 'raw' ? undefined : new Redactor(this.store.redactionKey(), redaction);
      this.redaction = redactor === undefined ? undefined : new EventRedaction(redactor);
      this.refusedPatterns = redactor?.refused ?? [];
    }
    if (limits !== undefined) {
      this.retention.setLimits(limits);
      this.store.keepLimits(limits);
    }
  }

  poll(): void {
    this.noticeDeletions();
    // Page by page, since another process may have written for hours while this one slept.
    for (const upTo = this.isDisposed ? 0 : this.store.lastSeq(); this.seenSeq < upTo && !this.isDisposed; ) {
      this.queueForeign(upTo, 1);
      this.tell();
    }
  }

  get(seq: number): LogEvent | undefined {
    this.flushUpTo(seq);
    return this.store.get(seq);
  }

  read(range: EventRange): readonly LogEvent[] {
    this.flushUpTo(range.to ?? Number.MAX_SAFE_INTEGER);
    return this.store.read(range);
  }

  sessions(): readonly SessionInfo[] {
    this.flush();
    return this.store.sessions();
  }

  nameSession(id: SessionId, name: string | undefined): boolean {
    this.flush();
    return this.store.nameSession(id, name);
  }

  pinSession(id: SessionId, isPinned: boolean): boolean {
    this.flush();
    return this.store.pinSession(id, isPinned);
  }

  deleteSession(id: SessionId): boolean {
    this.flush();
    if (this.isDisposed || !this.store.deleteSession(id)) {
      return false;
    }
    this.retention.sweep();
    this.noticeOwnDeletion();
    return true;
  }

  search(text: string, options: { readonly limit: number; readonly signal?: AbortSignal }): Promise<readonly number[]> {
    this.flush();
    return searchLog(this.store, text, options);
  }

  clear(): boolean {
    this.flush();
    if (this.isDisposed || !this.store.clear()) {
      return false;
    }
    this.seenDeletions = this.store.deletions();
    this.seenSeq = this.store.lastSeq();
    this.counted = undefined;
    return true;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.store.setPatience(CLOSING_PATIENCE_MS);
    this.retention.dispose();
    this.flush();
    this.isDisposed = true;
    for (const each of [this.timer, this.following, this.catchUpTimer]) {
      each?.dispose();
    }
    this.store.close();
    this.appended.dispose();
    this.evicted.dispose();
  }

  private isBehind(): boolean {
    const { length, byteLength } = this.queue;
    return this.problem === undefined && (length >= BACKLOG_EVENTS || byteLength >= BACKLOG_BYTES);
  }

  /** Puts an eviction on record; without any event to put it beside, there is nobody yet who would miss what has gone. */
  private putOnRecord(reason: EvictionReason): void {
    const context = this.lastContext ?? this.lastTold ?? this.store.read({ from: this.seenSeq, limit: 1 })[0];
    if (context === undefined) {
      return;
    }
    const { session, server, connection, origin } = context;
    const times = { wallUs: this.clock.wallUs(), monoUs: this.clock.monoUs() };
    const isDeclared = this.store.declareEvicted((evicted) => {
      const note = { type: 'evicted', reason, ...evicted } as const;
      return { session, server, connection, origin, ...times, body: { kind: 'note', note } };
    });
    if (isDeclared) {
      this.poll();
    }
  }

  private noticeOwnDeletion(): void {
    this.seenDeletions = this.store.deletions();
    this.counted = undefined;
    this.evicted.fire({ reason: 'deleted' });
  }

  private noticeDeletions(): void {
    const deletions = this.isDisposed ? this.seenDeletions : this.store.deletions();
    if (deletions !== this.seenDeletions) {
      this.seenDeletions = deletions;
      this.counted = undefined;
      this.evicted.fire({ reason: 'elsewhere' });
    }
  }

  /** While writes fail, a reader does not wait for them: it sees what is written. */
  private flushUpTo(seq: number): void {
    if (seq > this.seenSeq && this.problem === undefined) {
      this.flush();
    }
  }

  private schedule(delayMs: number): void {
    this.timer?.dispose();
    this.timer = this.clock.setTimer(delayMs, () => {
      this.writeBatch(TURN_EVENTS);
      this.scheduleRest();
    });
  }

  private scheduleRest(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.queue.length > 0 && !this.isDisposed) {
      this.schedule(this.problem === undefined ? 0 : RETRY_DELAY_MS);
    }
  }

  /** Writes the head of the queue and tells it. False when writing does not work now. */
  private writeBatch(maxEvents: number): boolean {
    this.noticeDeletions();
    this.catchUp();
    const batch = this.isDisposed ? [] : this.queue.peek(maxEvents, BATCH_BYTES);
    const [first] = batch;
    if (first === undefined) {
      return true;
    }
    const result = this.store.write(batch);
    switch (result.kind) {
      case 'failed':
        this.problem = result.problem;
        return false;
      case 'rejected':
        this.queue.reject(result.index, 'log.gap.bad-value');
        return true;
      case 'written':
        this.problem = undefined;
        this.queue.remove(batch.length);
        if (result.evicted !== undefined) {
          this.queue.pushGap(first, result.evicted.events, result.evicted.bytes, 'log.gap.memory-full');
          this.counted = undefined;
        }
        // Another process may have committed meanwhile: its events have the lower numbers.
        this.queueForeign(result.firstSeq - 1, 1);
        if (this.seenSeq >= result.firstSeq - 1) {
          this.queueTold(batch.map((event, index) => ({ ...event, seq: result.firstSeq + index })));
          this.tell();
        } else {
          // So many that ours are read back in their turn, rather than that everybody waits for all of it.
          this.tell();
          this.catchUp();
        }
        return true;
    }
  }

  private queueForeign(upTo: number, pages: number): void {
    for (let page = 0; page < pages && this.seenSeq < upTo; page++) {
      const events = this.store.read({ from: this.seenSeq + 1, to: upTo, limit: FOREIGN_PAGE });
      this.queueTold(events);
      if (events.length < FOREIGN_PAGE) {
        // The rest was deleted.
        this.seenSeq = upTo;
      }
    }
  }

  /** Takes note of the events; `tell` fires them. Apart, so that a listener that writes finds the books in order. */
  private queueTold(events: readonly LogEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) {
      return;
    }
    this.seenSeq = last.seq;
    const { session, server, connection, origin, wallUs, monoUs } = last;
    this.lastTold = { session, server, connection, origin, wallUs, monoUs };
    this.untold.push(events);
    this.retention.checkSize();
    if (this.counted !== undefined && last.seq > this.counted.upTo) {
      const { upTo, events: before } = this.counted;
      this.counted = { upTo: last.seq, events: before + events.filter((event) => event.seq > upTo).length };
    }
  }

  private tell(): void {
    if (this.isTelling) {
      return;
    }
    this.isTelling = true;
    for (let events = this.untold.shift(); events !== undefined; events = this.untold.shift()) {
      this.appended.fire(events);
      // Whoever let them go: with its own word for it, since that needs no projecting anew.
      for (const { body } of events) {
        if (body.kind === 'note' && body.note.type === 'evicted') {
          this.counted = undefined;
          this.evicted.fire({ reason: body.note.reason });
        }
      }
    }
    this.isTelling = false;
  }

  /** What others have committed, if anything: asking whether they have costs a few microseconds. */
  private look(): void {
    const changes = this.isDisposed ? this.seenChanges : this.store.changes();
    if (changes !== this.seenChanges) {
      this.seenChanges = changes;
      this.noticeDeletions();
      this.catchUp();
    }
  }

  /** Tells a page of what others have written, and the rest of it in further turns. */
  private catchUp(): void {
    const upTo = this.isDisposed ? 0 : this.store.lastSeq();
    this.queueForeign(upTo, 1);
    this.tell();
    if (this.seenSeq < upTo && !this.isDisposed) {
      this.catchUpTimer ??= this.clock.setTimer(0, () => {
        this.catchUpTimer = undefined;
        this.catchUp();
      });
    }
  }
}
