import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';

/**
 * Who starts for the first time comes before who starts once more. A server that died of the first question is started anew at
 * once as a rule; while others are still on their first start, that would be one more process that they have to share the machine
 * with.
 */
export class StartTurns {
  private readonly clock: Clock;
  private readonly emitter = new Emitter<void>();
  private first = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Runs a first start. */
  async take<T>(start: () => Promise<T>): Promise<T> {
    this.first += 1;
    try {
      return await start();
    } finally {
      this.first -= 1;
      if (this.first === 0) {
        this.emitter.fire();
      }
    }
  }

  /** Resolves when no first start is under way, and after `ms` in any case. */
  async afterFirst(ms: number): Promise<void> {
    if (this.first === 0) {
      return;
    }
    const done = new AbortController();
    const listening = this.emitter.event(() => done.abort());
    await this.clock.sleep(ms, done.signal);
    listening.dispose();
  }
}
