import type { Clock } from '../base/clock.ts';

/**
 * Work at a stretch, before other things get a turn: less than a frame, since some steps are as long again, and a cancel is
 * to be noticed within 50 ms.
 */
const STRETCH_US = 10_000;

/** Cuts long work into stretches, and knows whether it is still wanted. */
export class Pacer {
  readonly #clock: Clock;
  readonly #isCancelled: () => boolean;
  #since: number;

  constructor(clock: Clock, isCancelled: () => boolean) {
    this.#clock = clock;
    this.#isCancelled = isCancelled;
    this.#since = clock.monoUs();
  }

  get isCancelled(): boolean {
    return this.#isCancelled();
  }

  /** Whether it is time to pause. */
  get isDue(): boolean {
    return this.#clock.monoUs() - this.#since > STRETCH_US;
  }

  /** Lets others run when it is time to; false when the work is no longer wanted. */
  async goOn(): Promise<boolean> {
    if (this.isDue) {
      await this.#clock.sleep(0);
      this.#since = this.#clock.monoUs();
    }
    return !this.#isCancelled();
  }
}
