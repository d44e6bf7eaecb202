import { messageOf, type Rpc } from './rpc.ts';
import type { Store } from './store.ts';

/**
 * Sends the filter to the host at once, but at most once a frame, without waiting for the answer to the one before: the host drops what it
 * has begun for that. Returns what to call when the filter in the store has changed. `onDidSettle` is called when the rows
 * shown are those of the filter.
 */
export function createFilterSync(
  rpc: Rpc,
  store: Store,
  nextFrame: () => Promise<void>,
  onDidSettle: () => void,
): () => void {
  /** One was sent in this frame, and another is wanted already. */
  let isHeld = false;
  let isWaiting = false;
  let latest = 0;

  async function send(): Promise<void> {
    latest += 1;
    const mine = latest;
    const isCurrent = () => mine === latest && !isWaiting;
    const { hiddenOutcomes, filterText, overview } = store.state;
    try {
      const {
        snapshot,
        problem,
        rows = [],
      } = await rpc.request('setFilter', {
        hiddenOutcomes,
        text: filterText,
        ...(overview.range === undefined ? {} : { range: overview.range }),
      });
      if (isCurrent()) {
        store.dispatch({ type: 'filterSettled', snapshot, problem });
        for (const page of rows) {
          store.dispatch({ type: 'rowsArrived', ...page });
        }
        onDidSettle();
      }
    } catch (error) {
      if (isCurrent()) {
        store.dispatch({ type: 'filterFailed', message: messageOf(error) });
      }
    }
  }

  function sync(): void {
    if (isHeld) {
      isWaiting = true;
      return;
    }
    isHeld = true;
    void send();
    void nextFrame().then(() => {
      isHeld = false;
      if (isWaiting) {
        isWaiting = false;
        sync();
      }
    });
  }
  return sync;
}
