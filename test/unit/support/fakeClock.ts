import type { Clock } from '../../../src/base/clock.ts';
import { sleepOn } from '../../../src/base/sleepOn.ts';

interface Timer {
  readonly atUs: number;
  readonly callback: () => void;
}

/**
 * A clock that moves only when told. `advance` fires due timers in order and lets promise continuations run between
 * them, so that a loop of waits can be driven through in one call.
 */
export class FakeClock implements Clock {
  private nowUs = 0;
  private timers: Timer[] = [];
  private epochUs: number;

  constructor(epochUs = 1_700_000_000_000_000) {
    this.epochUs = epochUs;
  }

  wallUs(): number {
    return this.epochUs + this.nowUs;
  }

  monoUs(): number {
    return this.nowUs;
  }

  /** Delays of the timers that are set, in ms from now, soonest first. */
  pendingMs(): number[] {
    return this.timers.map((timer) => (timer.atUs - this.nowUs) / 1000).sort((a, b) => a - b);
  }

  setTimer(ms: number, callback: () => void): { dispose(): void } {
    const timer = { atUs: this.nowUs + ms * 1000, callback };
    this.timers.push(timer);
    return {
      dispose: () => {
        this.timers = this.timers.filter((other) => other !== timer);
      },
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<'elapsed' | 'cancelled'> {
    return sleepOn(this, ms, signal);
  }

  /** The machine sleeps: time passes and nothing fires. What was due does so, late, on the next `advance`. */
  lapse(ms: number): void {
    this.nowUs += ms * 1000;
  }

  /** Somebody, or NTP, sets the wall clock. */
  setWall(ms: number): void {
    this.epochUs += ms * 1000;
  }

  async advance(ms: number): Promise<void> {
    const untilUs = this.nowUs + ms * 1000;
    for (;;) {
      await settle();
      const due = this.timers.filter((timer) => timer.atUs <= untilUs).sort((a, b) => a.atUs - b.atUs)[0];
      if (due === undefined) {
        break;
      }
      this.timers = this.timers.filter((timer) => timer !== due);
      this.nowUs = Math.max(this.nowUs, due.atUs);
      due.callback();
    }
    this.nowUs = untilUs;
    await settle();
  }
}

/** Lets everything that is already resolved run. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
