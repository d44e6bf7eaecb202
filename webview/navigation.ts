import type { RowView } from '../src/protocol/timelineViews.ts';
import type { RowLoader } from './rowLoader.ts';
import type { Rpc } from './rpc.ts';
import { indexOfKey, rowAt, type Store } from './store.ts';
import type { RevealMode } from './window.ts';

/** The page's effects that moving about needs. */
export interface NavigationHost {
  /** Scrolls so that the row is visible, at the next render. */
  readonly reveal: (index: number, mode: RevealMode) => void;
  /** Rows that a person sees now. */
  readonly visible: () => { readonly start: number; readonly end: number };
  readonly onDidSelect: (key: number | undefined) => void;
}

export interface Navigation {
  /** Selects by key; `undefined` selects nothing. */
  select(key: number | undefined, index?: number): void;
  /** Moves the selection to a row, loading it first when need be; out of range means the first or last row. */
  moveTo(index: number): Promise<void>;
  /** Moves the selection by a number of rows. */
  moveBy(rows: number): Promise<void>;
  /** Rows of a page key: what is visible, less one that stays in sight. */
  pageRows(): number;
  /** The selected row and where it is; `undefined` when it is not loaded. */
  current(): { readonly row: RowView; readonly index: number } | undefined;
  /** Selects a row by key and brings it to the middle; `false` when it is folded or filtered out. */
  goTo(key: number): Promise<boolean>;
  /** Index of the chain head above an attempt's row. */
  headOf(index: number): number;
}

/** Moves the selection. What the user looks at must not be scrolled away, so that any move stops the live tail. */
export function createNavigation(store: Store, rpc: Rpc, loader: RowLoader, host: NavigationHost): Navigation {
  // Where keys that come faster than rows go on from.
  let goingTo: number | undefined;

  function select(key: number | undefined, index?: number): void {
    if (key !== store.state.selected) {
      store.dispatch({ type: 'selected', key, index });
      host.onDidSelect(key);
    }
  }

  async function moveTo(index: number): Promise<void> {
    const target = Math.max(0, Math.min(store.state.snapshot.total - 1, index));
    if (store.state.snapshot.total === 0) {
      return;
    }
    store.dispatch({ type: 'followingChanged', isFollowing: false });
    host.reveal(target, 'nearest');
    goingTo = target;
    const row = await loader.rowAt(target);
    if (goingTo === target) {
      goingTo = undefined;
      if (row !== undefined) {
        select(row.key, target);
      }
    }
  }

  function moveBy(rows: number): Promise<void> {
    const { selected, selectedIndex } = store.state;
    const at = goingTo ?? (selected === undefined ? undefined : indexOfKey(store.state, selected));
    if (at !== undefined) {
      return moveTo(at + rows);
    }
    const { start, end } = host.visible();
    const entry = rows > 0 ? start : end - 1;
    return moveTo(selected === undefined ? entry : (selectedIndex ?? entry));
  }

  return {
    select,
    moveTo,
    moveBy,
    pageRows() {
      const { start, end } = host.visible();
      return Math.max(1, end - start - 2);
    },
    current() {
      const { selected } = store.state;
      const index = selected === undefined ? undefined : indexOfKey(store.state, selected);
      const row = index === undefined ? undefined : rowAt(store.state, index);
      return index === undefined || row === undefined ? undefined : { row, index };
    },
    async goTo(key) {
      const { index } = await rpc.request('indexOf', { key });
      if (index < 0) {
        select(key);
        return false;
      }
      store.dispatch({ type: 'followingChanged', isFollowing: false });
      select(key, index);
      host.reveal(index, 'center');
      return true;
    },
    headOf(index) {
      let head = index;
      while (head > 0 && rowAt(store.state, head)?.depth === 1) {
        head -= 1;
      }
      return head;
    },
  };
}
