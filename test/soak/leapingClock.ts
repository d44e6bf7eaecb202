import type { Clock } from '../../src/base/clock.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { sleepOn } from '../../src/base/sleepOn.ts';

interface Timer {
  readonly dueUs: number;
  readonly callback: () => void;
}

/**
 * A clock that moves when it is told, without a turn of the event loop for each timer. `leap` is what a sleeping machine does:
 * time has passed, and what was due meanwhile fires once, late. `moveWall` is a person or NTP setting the clock.
 */
export class LeapingClock implements Clock {
  private nowUs = 0;
  private originUs: number;
  private readonly timers = new Set<Timer>();

  constructor(originUs: number) {
    this.originUs = originUs;
  }

  wallUs(): number {
    return this.originUs + this.nowUs;
  }

  monoUs(): number {
    return this.nowUs;
  }

  setTimer(ms: number, callback: () => void): Disposable {
    const timer = { dueUs: this.nowUs + Math.max(0, ms) * 1000, callback };
    this.timers.add(timer);
    return { dispose: () => this.timers.delete(timer) };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<'elapsed' | 'cancelled'> {
    return sleepOn(this, ms, signal);
  }

  /** Timers that are set: they must not grow. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Fires what is due on the way, in order. */
  advance(ms: number): void {
    const untilUs = this.nowUs + ms * 1000;
    for (let due = this.first(untilUs); due !== undefined; due = this.first(untilUs)) {
      this.timers.delete(due);
      this.nowUs = Math.max(this.nowUs, due.dueUs);
      due.callback();
    }
    this.nowUs = untilUs;
  }

  /** Time passes and nobody is awake; what was due fires when the machine is. */
  leap(ms: number): void {
    this.nowUs += ms * 1000;
    const due = [...this.timers].filter((timer) => timer.dueUs <= this.nowUs);
    for (const timer of due.sort((a, b) => a.dueUs - b.dueUs)) {
      if (this.timers.delete(timer)) {
        timer.callback();
      }
    }
  }

  moveWall(ms: number): void {
    this.originUs += ms * 1000;
  }

  private first(untilUs: number): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of this.timers) {
      if (timer.dueUs <= untilUs && (found === undefined || timer.dueUs < found.dueUs)) {
        found = timer;
      }
    }
    return found;
  }
}
