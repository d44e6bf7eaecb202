import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { LogEvent, NewLogEvent } from '../../protocol/events.ts';
import type { EventLog, EventLogOptions, LogStatus } from './eventLog.ts';
import type { SqliteProblem } from './sqlite.ts';
import type { EventRange, LogStore } from './store.ts';
import { WriteQueue } from './writeQueue.ts';

/** An event waits at most so long for others to be written with. */
const BATCH_DELAY_MS = 50;
/** At most so much in one transaction, so that a burst does not hold the event loop. */
const BATCH_EVENTS = 512;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Until a failed write is tried again. */
const RETRY_DELAY_MS = 250;
const CLOSING_PATIENCE_MS = 1000;
const FOREIGN_PAGE = 500;

/** An `EventLog` over a store: batches what is written, tells what was, keeps what could not be. Owns the store. */
export class BatchingLog implements EventLog {
  readonly status: LogStatus;
  private readonly appended = new Emitter<readonly LogEvent[]>();
  readonly onDidAppend = this.appended.event;
  private readonly store: LogStore;
  private readonly clock: Clock;
  private readonly queue: WriteQueue;
  private problem: SqliteProblem | undefined;
  private timer: Disposable | undefined;
  private pollTimer: Disposable | undefined;
  private isDisposed = false;
  /** Batches that are told one after the other, also when a listener writes. */
  private readonly untold: Array<readonly LogEvent[]> = [];
  private isTelling = false;
  private seenSeq: number;
  private counted: { readonly events: number; readonly upTo: number } | undefined;

  constructor(store: LogStore, status: LogStatus, options: EventLogOptions) {
    this.store = store;
    this.status = status;
    this.clock = options.clock;
    this.queue = new WriteQueue(options.queue ?? { maxEvents: 20_000, maxBytes: 64 * 1024 * 1024 });
    this.seenSeq = store.lastSeq();
    store.setPatience(options.patienceMs ?? 25);
    if (options.pollMs !== undefined && status.kind === 'file') {
      this.pollEvery(options.pollMs);
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
    // The one door into the log: redaction belongs here, before anything is queued, written or told.
    this.queue.push(event, `log.gap.${this.problem ?? 'queue-full'}`);
    if (this.timer === undefined) {
      this.schedule(BATCH_DELAY_MS);
    } else if (this.queue.length === BATCH_EVENTS && this.problem === undefined) {
      this.schedule(0);
    }
  }

  flush(): void {
    let isGoingOn = !this.isDisposed;
    while (isGoingOn && this.queue.length > 0) {
      isGoingOn = this.writeBatch();
    }
    this.scheduleRest();
  }

  poll(): void {
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

  clear(): boolean {
    this.flush();
    if (this.isDisposed || !this.store.clear()) {
      return false;
    }
    this.seenSeq = this.store.lastSeq();
    this.counted = { upTo: this.seenSeq, events: 0 };
    return true;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.store.setPatience(CLOSING_PATIENCE_MS);
    this.flush();
    this.isDisposed = true;
    this.timer?.dispose();
    this.pollTimer?.dispose();
    this.store.close();
    this.appended.dispose();
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
      this.writeBatch();
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
  private writeBatch(): boolean {
    this.poll();
    const batch = this.isDisposed ? [] : this.queue.peek(BATCH_EVENTS, BATCH_BYTES);
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
        // Another process may have committed since the poll: its events have the lower numbers.
        this.queueForeign(result.firstSeq - 1, Number.MAX_SAFE_INTEGER);
        this.queueTold(batch.map((event, index) => ({ ...event, seq: result.firstSeq + index })));
        this.tell();
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
    this.untold.push(events);
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
    }
    this.isTelling = false;
  }

  private pollEvery(pollMs: number): void {
    this.pollTimer = this.clock.setTimer(pollMs, () => {
      this.poll();
      if (!this.isDisposed) {
        this.pollEvery(pollMs);
      }
    });
  }
}
