import type { RowView } from '../src/protocol/timelineViews.ts';
import { messageOf, type Rpc } from './rpc.ts';
import { PAGE_ROWS, rowAt, type Store } from './store.ts';

export interface RowLoader {
  /** Asks for the pages of `[start, end)` that are missing or of an older epoch, each once. */
  ensure(start: number, end: number): void;
  /** The row at `index` of the current epoch's rows, asked for when it is not loaded; `undefined` when it cannot be had. */
  rowAt(index: number): Promise<RowView | undefined>;
}

/** Rows that change as fast as they are asked for are not asked for for ever. */
const MAX_TRIES = 5;

/**
 * Pulls rows by range. A range of an older epoch than the snapshot's is thrown away by the store and asked for again.
 */
export function createRowLoader(rpc: Rpc, store: Store, requestRender: () => void): RowLoader {
  const inFlight = new Map<number, Promise<void>>();
  // A page that the host could not give is not asked for again before something has changed.
  const failedAt = new Map<number, number>();

  async function load(page: number): Promise<void> {
    const askedAt = store.state.snapshot.epoch;
    try {
      const { epoch, from, rows } = await rpc.request('rows', { from: page * PAGE_ROWS, count: PAGE_ROWS });
      inFlight.delete(page);
      failedAt.delete(page);
      store.dispatch({ type: 'rowsArrived', epoch, from, rows });
      if (epoch < store.state.snapshot.epoch) {
        requestRender();
      }
    } catch (error) {
      inFlight.delete(page);
      failedAt.set(page, askedAt);
      store.dispatch({ type: 'actionFailed', message: messageOf(error) });
    }
  }

  function ask(page: number): Promise<void> {
    const running = inFlight.get(page);
    if (running !== undefined) {
      return running;
    }
    const asked = load(page);
    inFlight.set(page, asked);
    return asked;
  }

  return {
    ensure(start, end) {
      const { pages, snapshot } = store.state;
      for (let page = Math.floor(start / PAGE_ROWS); page * PAGE_ROWS < end; page += 1) {
        const epoch = pages.get(page)?.epoch ?? -1;
        if (epoch < snapshot.epoch && failedAt.get(page) !== snapshot.epoch) {
          void ask(page);
        }
      }
    },
    async rowAt(index) {
      const page = Math.floor(index / PAGE_ROWS);
      // What was asked before the rows changed is thrown away when it comes, as while a filter is on its way.
      for (let tries = 0; tries < MAX_TRIES && rowAt(store.state, index) === undefined; tries += 1) {
        await ask(page);
        if (failedAt.has(page)) {
          break;
        }
      }
      return rowAt(store.state, index);
    },
  };
}
