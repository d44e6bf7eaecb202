import type { Clock } from '../../base/clock.ts';

const MINUTE_US = 60_000_000;

/** Retries that one server may cost in any minute, so that many failing calls do not become a storm. */
export class RetryBudget {
  private readonly spentUs: number[] = [];
  private readonly clock: Clock;
  private readonly perMinute: () => number;

  constructor(clock: Clock, perMinute: () => number) {
    this.clock = clock;
    this.perMinute = perMinute;
  }

  /** Takes one retry; false when the minute's are used up. */
  take(): boolean {
    const nowUs = this.clock.monoUs();
    while (this.spentUs[0] !== undefined && nowUs - this.spentUs[0] >= MINUTE_US) {
      this.spentUs.shift();
    }
    if (this.spentUs.length >= this.perMinute()) {
      return false;
    }
    this.spentUs.push(nowUs);
    return true;
  }
}
