import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { watchFile } from './watchFile.ts';

/** After a write of whomever, until it is looked whose: a burst is looked at once. */
const LOOK_DELAY_MS = 30;
/** Where the system tells of writes, nobody has to ask; but should it forget one, it is found so many times later. */
const WATCHED_POLL_FACTOR = 20;

/**
 * Calls `look` when the system says that the file was written, and now and then: every `pollMs` where the system does not say
 * it, rarely where it does.
 */
export function followFile(
  file: string,
  look: () => void,
  clock: Clock,
  { pollMs, isWatched }: { readonly pollMs: number; readonly isWatched: boolean },
): Disposable {
  let isDisposed = false;
  let lookTimer: Disposable | undefined;
  let pollTimer: Disposable | undefined;
  const lookSoon = () => {
    lookTimer ??= clock.setTimer(LOOK_DELAY_MS, () => {
      lookTimer = undefined;
      look();
    });
  };
  const pollEvery = (ms: number) => {
    pollTimer?.dispose();
    pollTimer = clock.setTimer(ms, () => {
      look();
      if (!isDisposed) {
        pollEvery(ms);
      }
    });
  };
  const watcher = isWatched ? watchFile(file, lookSoon, () => pollEvery(pollMs)) : undefined;
  pollEvery(watcher === undefined ? pollMs : pollMs * WATCHED_POLL_FACTOR);
  return {
    dispose: () => {
      isDisposed = true;
      for (const each of [watcher, lookTimer, pollTimer]) {
        each?.dispose();
      }
    },
  };
}
