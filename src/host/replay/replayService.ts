import type { Disposable } from '../../base/disposable.ts';
import { setContextKey } from '../manifest.ts';

/** The replays that are running, so that one command can stop them all. */
export class ReplayService implements Disposable {
  private readonly running = new Set<AbortController>();

  /** Does `work`, which "Cancel Replay" stops by its controller. */
  async run<T>(work: (controller: AbortController) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.running.add(controller);
    setContextKey('faultline.isReplaying', true);
    try {
      return await work(controller);
    } finally {
      this.running.delete(controller);
      setContextKey('faultline.isReplaying', this.running.size > 0);
    }
  }

  /** Stops every replay that is running, waits included. */
  cancel(): void {
    for (const controller of this.running) {
      controller.abort();
    }
  }

  dispose(): void {
    this.cancel();
  }
}
