import { messageOf } from './rpc.ts';
import type { Store } from './store.ts';

export interface Puller {
  /**
   * Asks when what the page has is of an older epoch than `epoch`, or was asked for under another name: at once for another
   * name, since that is what the person did, else only after a while.
   */
  ensure(name: string, epoch: number | undefined): void;
  dispose(): void;
}

/**
 * Pulls a snapshot that is costly for the host: one request at a time, and while rows stream in no more often than every
 * `everyMs`, which is asked for the number of recorded rows. `ask` dispatches what came; when it rejects, that is told, and nothing is asked again before something changes.
 */
export function createPuller(
  store: Store,
  everyMs: (recorded: number) => number,
  requestRender: () => void,
  ask: () => Promise<void>,
): Puller {
  let isRunning = false;
  let askedName = '';
  let askedMs = Number.NEGATIVE_INFINITY;
  let failedEpoch = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(name: string): Promise<void> {
    const { epoch } = store.state.snapshot;
    clearTimeout(timer);
    timer = undefined;
    isRunning = true;
    askedName = name;
    askedMs = performance.now();
    try {
      await ask();
    } catch (error) {
      failedEpoch = epoch;
      store.dispatch({ type: 'actionFailed', message: messageOf(error) });
    }
    isRunning = false;
    // What has changed meanwhile has asked for nothing.
    requestRender();
  }

  return {
    ensure(name, epoch = -1) {
      const { snapshot, isFilterPending } = store.state;
      const isOther = name !== askedName;
      const isOld = epoch < snapshot.epoch && failedEpoch !== snapshot.epoch;
      if (isRunning || isFilterPending || !(isOther || isOld)) {
        return;
      }
      const waitMs = isOther ? 0 : askedMs + everyMs(snapshot.recorded) - performance.now();
      if (waitMs <= 0) {
        void run(name);
      } else {
        timer ??= setTimeout(() => {
          timer = undefined;
          requestRender();
        }, waitMs);
      }
    },
    dispose() {
      clearTimeout(timer);
    },
  };
}

/** The filter as a name for what was asked under it. */
export function filterName({ state }: Pick<Store, 'state'>, hasRange: boolean): string {
  const { filterText, hiddenOutcomes, overview } = state;
  return JSON.stringify([filterText, hiddenOutcomes, hasRange ? overview.range : undefined]);
}
