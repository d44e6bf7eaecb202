import { assertNever } from '../../../base/assertNever.ts';
import type { Clock, Random } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/messageOf.ts';
import type { Rejected } from './encode.ts';
import type { DropReason } from './metrics.ts';
import type { Sent, Transport } from './transport.ts';

/** Between attempts, ms: doubled each time up to the cap, a fifth more or less. */
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;
/** What a collector may ask for at most. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** What a sender does. `waiting`: the collector does not take what it is sent; `untilUs` is monotonic time. */
export type SenderState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'waiting'; readonly why: string; readonly untilUs: number; readonly failures: number };

export interface SenderOptions<T> {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  readonly timeoutMs: number;
  /** Things that wait at most, those under way among them. */
  readonly maxQueue: number;
  readonly maxBatch: number;
  /** How long the first thing waits for others to be sent with, ms. */
  readonly delayMs: number;
  /** Gives up when the collector has taken nothing for so long, or asks for more than is left of it, ms; never when absent. */
  readonly patienceMs?: number;
  encode(batch: readonly T[]): Uint8Array;
  rejected(answer: Uint8Array): Rejected | undefined;
  /** `why` of what the collector refused, in its words. */
  onLost(count: number, reason: DropReason, why?: string): void;
  onState(state: SenderState): void;
}

/**
 * Sends what it is given, in order and in batches. What could not be sent stays until it can, as the collector says when; what
 * there is no room for is counted. `push` costs nothing more than its place; nothing throws or rejects.
 */
export class Sender<T> {
  private readonly options: SenderOptions<T>;
  private readonly queue: T[] = [];
  private sentCount = 0;
  private batchSize: number;
  private timer: Disposable | undefined;
  private running: Promise<void> | undefined;
  private isClosed = false;
  private isHurried = false;
  /** Ends our own wait between two attempts. */
  private waking = new AbortController();
  private readonly closing = new AbortController();
  private waiters: (() => void)[] = [];

  constructor(options: SenderOptions<T>) {
    this.options = options;
    this.batchSize = options.maxBatch;
  }

  /** Things that wait or are under way. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Things that the collector has taken. */
  get sent(): number {
    return this.sentCount;
  }

  push(things: readonly T[]): void {
    const room = this.isClosed ? 0 : this.options.maxQueue - this.queue.length;
    for (const thing of things.slice(0, Math.max(0, room))) {
      this.queue.push(thing);
    }
    if (things.length > room) {
      this.options.onLost(things.length - Math.max(0, room), this.isClosed ? 'closed' : 'queue_full');
    }
    if (this.queue.length >= this.options.maxBatch) {
      this.start();
    } else if (this.queue.length > 0 && this.running === undefined) {
      this.timer ??= this.options.clock.setTimer(this.options.delayMs, () => this.start());
    }
  }

  /** In the place of everything that has not been sent yet: it says the same and more. */
  replace(thing: T): void {
    this.queue.length = this.running === undefined ? 0 : Math.min(this.queue.length, 1);
    this.push([thing]);
  }

  /** Resolves when there is room for `count` more, or no hope for it. */
  async room(count: number): Promise<void> {
    while (!this.isClosed && this.queue.length > 0 && this.queue.length + count > this.options.maxQueue) {
      this.start();
      await this.changed();
    }
  }

  /**
   * Sends what waits without waiting any longer than the collector has asked for. Resolves to whether all of it is gone after at
   * most `limitMs`.
   */
  async flush(limitMs: number): Promise<boolean> {
    const { clock } = this.options;
    const endUs = clock.monoUs() + limitMs * 1000;
    let isOver = false;
    const timer = clock.setTimer(limitMs, () => {
      isOver = true;
      this.tellChange();
    });
    this.isHurried = true;
    this.waking.abort();
    while (this.queue.length > 0 && !isOver && clock.monoUs() < endUs) {
      this.start();
      await this.changed();
    }
    this.isHurried = false;
    timer.dispose();
    return this.queue.length === 0;
  }

  /** Gives up what waits. */
  close(): void {
    this.giveUp(undefined);
  }

  private giveUp(why: string | undefined): void {
    this.isClosed = true;
    this.timer?.dispose();
    this.closing.abort();
    if (this.queue.length > 0) {
      this.options.onLost(this.queue.length, 'closed', why);
      this.queue.length = 0;
    }
    this.options.transport.close();
    this.tellChange();
  }

  private start(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      // What came in the last moment.
      if (this.queue.length > 0 && !this.isClosed) {
        this.timer ??= this.options.clock.setTimer(this.options.delayMs, () => this.start());
      }
    });
  }

  private async run(): Promise<void> {
    const { clock, transport, timeoutMs, patienceMs, onState } = this.options;
    let failures = 0;
    let takenUs = clock.monoUs();
    let body: Uint8Array | { readonly why: string } | undefined;
    let count = 0;
    while (this.queue.length > 0 && !this.isClosed) {
      if (body === undefined) {
        count = Math.min(this.batchSize, this.queue.length);
        body = this.encoded(count);
      }
      onState({ kind: 'sending' });
      const sent: Sent =
        body instanceof Uint8Array ? await transport.send(body, timeoutMs) : { kind: 'refused', why: body.why };
      if (this.isClosed) {
        // Counted as given up, whatever became of it.
        return;
      }
      if (sent.kind === 'later') {
        failures += 1;
        const waitedMs = (clock.monoUs() - takenUs) / 1000;
        if (patienceMs !== undefined && waitedMs + (sent.retryAfterMs ?? 0) > patienceMs) {
          this.giveUp(sent.why);
          break;
        }
        await this.wait(sent, failures);
      } else {
        failures = 0;
        takenUs = clock.monoUs();
        body = undefined;
        this.settle(count, sent);
      }
      this.tellChange();
    }
    onState({ kind: 'idle' });
  }

  private encoded(count: number): Uint8Array | { readonly why: string } {
    try {
      return this.options.encode(this.queue.slice(0, count));
    } catch (error) {
      return { why: messageOf(error) };
    }
  }

  private settle(count: number, sent: Exclude<Sent, { kind: 'later' }>): void {
    const { onLost, rejected, maxBatch } = this.options;
    switch (sent.kind) {
      case 'taken': {
        const lost = rejected(sent.answer);
        this.queue.splice(0, count);
        const lostCount = Math.min(lost?.count ?? 0, count);
        this.sentCount += count - lostCount;
        if (lost !== undefined) {
          onLost(lostCount, 'rejected', lost.message);
        }
        this.batchSize = Math.min(maxBatch, this.batchSize * 2);
        return;
      }
      case 'too-large':
        if (count > 1) {
          this.batchSize = Math.ceil(count / 2);
          return;
        }
        this.queue.splice(0, count);
        onLost(count, 'rejected', sent.why);
        return;
      case 'refused':
        this.queue.splice(0, count);
        onLost(count, 'rejected', sent.why);
        return;
      default:
        assertNever(sent);
    }
  }

  /** Until the collector may be asked again. A hurry ends our own patience, never what the collector has asked for. */
  private async wait({ why, retryAfterMs }: Extract<Sent, { kind: 'later' }>, failures: number): Promise<void> {
    const { clock, random, onState } = this.options;
    const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 16));
    const ownMs = backoffMs * (0.8 + 0.4 * random());
    const askedMs = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    const fromUs = clock.monoUs();
    const waitMs = Math.max(this.isHurried && failures > 1 ? FIRST_BACKOFF_MS : ownMs, askedMs);
    onState({ kind: 'waiting', why, untilUs: fromUs + waitMs * 1000, failures });
    if (askedMs > 0) {
      await clock.sleep(askedMs, this.closing.signal);
    }
    const leftMs = waitMs - (clock.monoUs() - fromUs) / 1000;
    if (leftMs > 0 && !this.isClosed) {
      this.waking = new AbortController();
      await clock.sleep(leftMs, AbortSignal.any([this.closing.signal, this.waking.signal]));
    }
  }

  private changed(): Promise<void> {
    return new Promise((resolve) => {
      this.waiters.push(resolve);
    });
  }

  private tellChange(): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const resolve of waiters) {
      resolve();
    }
  }
}
