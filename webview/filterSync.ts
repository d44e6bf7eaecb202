import { messageOf, type Rpc } from './rpc.ts';
import type { Store } from './store.ts';

/**
 * Sends the filter to the host: at most once a frame, one request at a time, and always the latest. Returns what to call
 * when the filter in the store has changed. `onDidSettle` is called when the rows shown are those of the filter.
 */
export function createFilterSync(
  rpc: Rpc,
  store: Store,
  nextFrame: () => Promise<void>,
  onDidSettle: () => void,
): () => void {
  let isDirty = false;
  let isRunning = false;

  async function sendLatest(): Promise<void> {
    isDirty = false;
    const { hiddenOutcomes, filterText, overview } = store.state;
    try {
      const { snapshot } = await rpc.request('setFilter', {
        hiddenOutcomes,
        text: filterText,
        ...(overview.range === undefined ? {} : { range: overview.range }),
      });
      if (!isDirty) {
        store.dispatch({ type: 'filterSettled', snapshot });
        onDidSettle();
      }
    } catch (error) {
      if (!isDirty) {
        store.dispatch({ type: 'filterFailed', message: messageOf(error) });
      }
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (isDirty) {
      await nextFrame();
      await sendLatest();
    }
    isRunning = false;
  }

  return () => {
    isDirty = true;
    if (!isRunning) {
      void run();
    }
  };
}
