import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { LogStore, RetentionLimits } from './store.ts';

/** Of a log that no window has opened yet: no disk may fill up. The size is the setting's default; age is a person's choice. */
export const UNSET_LIMITS: RetentionLimits = { maxBytes: 512 * 1024 * 1024 };

/** By how much a process without settings of its own holds back. */
const LOOSER = 1.25;

/**
 * What a process that writes for others holds a log to: a window, while one is open, lets go before that, and knows what of it is
 * on its screen. What goes elsewhere it would have to project anew.
 */
export function looserThan({ maxBytes, maxAgeMs }: RetentionLimits): RetentionLimits {
  return {
    ...(maxBytes === undefined ? {} : { maxBytes: maxBytes * LOOSER }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs: maxAgeMs * LOOSER }),
  };
}

export type EvictionReason = 'size' | 'age';

/** Between two steps, so that a host with a full log still has most of its time for everything else. */
const STEP_DELAY_MS = 20;
const AGE_CHECK_MS = 15 * 60_000;
const FIRST_AGE_CHECK_MS = 2000;
const STEP_EVENTS = 500;
/** While as much comes as goes, what went is told after so many steps. */
const STEPS_A_NOTE = 20;
/** A full log gives up a tenth at once, so that what went is told once and not with every batch. */
const KEEP_OF_SIZE = 0.9;

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'evicting'; readonly reason: EvictionReason; readonly steps: number }
  | { readonly kind: 'sweeping'; readonly isThorough: boolean };

/** Keeps a store within its limits, the oldest first, step by step. */
export class Retention implements Disposable {
  private readonly store: LogStore;
  private readonly clock: Clock;
  private readonly tell: (reason: EvictionReason) => void;
  private limits: RetentionLimits = {};
  private state: State = { kind: 'idle' };
  private timer: Disposable | undefined;
  private ageTimer: Disposable | undefined;

  /** `tell` is called after each eviction, to put on record what has gone. */
  constructor(store: LogStore, clock: Clock, tell: (reason: EvictionReason) => void) {
    this.store = store;
    this.clock = clock;
    this.tell = tell;
  }

  setLimits(limits: RetentionLimits): void {
    this.limits = limits;
    this.ageTimer?.dispose();
    this.checkSize();
    if (limits.maxAgeMs !== undefined) {
      this.checkAgeIn(FIRST_AGE_CHECK_MS);
    }
  }

  /** To be called after each write. */
  checkSize(): void {
    const { maxBytes } = this.limits;
    if (maxBytes !== undefined && this.state.kind !== 'evicting' && this.store.usedBytes() > maxBytes) {
      this.enter({ kind: 'evicting', reason: 'size', steps: 0 });
    }
  }

  /** Takes away what a deletion left behind, to the last page. */
  sweep(): void {
    if (this.state.kind !== 'evicting') {
      this.enter({ kind: 'sweeping', isThorough: true });
    }
  }

  /** Puts on record what has gone and was not declared, by a process that was killed. */
  settle(): void {
    if (this.store.undeclared().events > 0) {
      this.tell('size');
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.ageTimer?.dispose();
    this.declareRest();
    this.state = { kind: 'idle' };
  }

  private checkAgeIn(delayMs: number): void {
    this.ageTimer = this.clock.setTimer(delayMs, () => {
      if (this.state.kind === 'idle') {
        this.enter({ kind: 'evicting', reason: 'age', steps: 0 });
      }
      this.checkAgeIn(AGE_CHECK_MS);
    });
  }

  private enter(state: State): void {
    this.state = state;
    this.timer?.dispose();
    this.timer = undefined;
    if (state.kind !== 'idle') {
      this.timer = this.clock.setTimer(STEP_DELAY_MS, () => this.step());
    }
  }

  private step(): void {
    const { state } = this;
    switch (state.kind) {
      case 'idle':
        return;
      case 'evicting':
        if (this.evict(state.reason)) {
          if (state.steps % STEPS_A_NOTE === STEPS_A_NOTE - 1) {
            this.declareRest();
          }
          this.enter({ ...state, steps: state.steps + 1 });
          return;
        }
        this.declareRest();
        this.enter({ kind: 'sweeping', isThorough: false });
        return;
      case 'sweeping':
        this.enter(this.store.sweep(state.isThorough) ? state : { kind: 'idle' });
    }
  }

  /** True when there is more to do. */
  private evict(reason: EvictionReason): boolean {
    const { maxBytes, maxAgeMs } = this.limits;
    switch (reason) {
      case 'size': {
        const excess = maxBytes === undefined ? 0 : this.store.usedBytes() - maxBytes * KEEP_OF_SIZE;
        return excess > 0 && this.store.evict({ maxEvents: STEP_EVENTS, maxBytes: excess }) !== undefined;
      }
      case 'age':
        return (
          maxAgeMs !== undefined &&
          this.store.evict({ maxEvents: STEP_EVENTS, beforeUs: this.clock.wallUs() - maxAgeMs * 1000 }) !== undefined
        );
    }
  }

  private declareRest(): void {
    if (this.state.kind === 'evicting' && this.store.undeclared().events > 0) {
      this.tell(this.state.reason);
    }
  }
}
