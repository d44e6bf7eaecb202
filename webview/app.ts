import { render } from 'lit-html';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { RowView, TimelineSnapshot } from '../src/protocol/timelineViews.ts';
import type { HostToPage, PageToHost } from '../src/protocol/webview.ts';
import { createIntents } from './actions.ts';
import { isCalm, isScreenReader } from './ambient.ts';
import { createAnnouncer } from './announcer.ts';
import { assertNever } from './assertNever.ts';
import { createDetailsLoader } from './detailsLoader.ts';
import { escapeLine } from './escape.ts';
import { alignPlace } from './filterBar.ts';
import { createFilterSync } from './filterSync.ts';
import { createTimeFormats, fill, formatCount } from './format.ts';
import { listWindow, loadedRows } from './grid.ts';
import { initialState } from './initialState.ts';
import type { Intents } from './intents.ts';
import { handleKeys } from './keyHandler.ts';
import { layoutOf } from './layout.ts';
import { lazyCompletion } from './lazyCompletion.ts';
import { createNavigation } from './navigation.ts';
import { grownFailure } from './outcomes.ts';
import { createParts } from './parts.ts';
import { persistedOf } from './persisted.ts';
import { isTicking } from './row.ts';
import { createRowLoader } from './rowLoader.ts';
import { messageOf, type Rpc } from './rpc.ts';
import { createStore } from './store.ts';
import { pageView } from './view.ts';
import type { TimeSpan } from './waterfall.ts';
import { type RevealMode, scrollTopFor } from './window.ts';

/** What VS Code gives to a webview's script. */
export interface VsCodeApi {
  postMessage(message: PageToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export interface AppInput {
  readonly root: HTMLElement;
  readonly liveRegion: HTMLElement;
  readonly api: VsCodeApi;
  readonly rpc: Rpc;
  readonly placement: 'sidebar' | 'editor';
  readonly strings: PageStrings;
  readonly snapshot: TimelineSnapshot;
}

export interface App {
  /** Takes a notification of the host. */
  accept(notification: Extract<HostToPage, { type: 'notification' }>): void;
  dispose(): void;
}

const OVERSCAN_ROWS = 8;
const OVERSCAN_FOR_READERS = 50;
const TICK_MS = 100;
const CALM_TICK_MS = 1000;

/** Puts the parts together: one store, one render per frame, and the effects that need the rendered page. */
export function createApp(input: AppInput): App {
  const { root, api, rpc, placement, strings, snapshot } = input;
  const times = createTimeFormats();
  let frame: number | undefined;
  let ticker: ReturnType<typeof setInterval> | undefined;
  let revealing: { readonly index: number; readonly mode: RevealMode } | undefined;
  let focusing: 'grid' | 'filter' | 'details' | undefined;
  let savedJson = '';
  let toldError: string | undefined;
  /** Where the list was last scrolled to follow the tail, until the browser has told of a scroll. */
  let tailScrollTop: number | undefined;

  function requestRender(): void {
    frame ??= requestAnimationFrame(renderNow);
  }

  const store = createStore(
    initialState({ strings, snapshot, saved: api.getState(), isTailAllowed: !isScreenReader(), root }),
    requestRender,
  );
  const loader = createRowLoader(rpc, store, requestRender);
  const ensureDetails = createDetailsLoader(rpc, store);
  const announcer = createAnnouncer({
    say: (text) => {
      input.liveRegion.textContent = text;
    },
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    nowMs: () => performance.now(),
  });

  const layout = () => layoutOf(store.state.pageWidth);
  // A tail that follows is at the end by definition, also before the page has been scrolled there.
  const effectiveState = () =>
    store.state.isFollowing && revealing === undefined
      ? { ...store.state, scrollTop: Number.MAX_SAFE_INTEGER }
      : store.state;
  const windowNow = () =>
    listWindow(effectiveState(), layout(), isScreenReader() ? OVERSCAN_FOR_READERS : OVERSCAN_ROWS);

  function reveal(index: number, mode: RevealMode): void {
    revealing = { index, mode };
    requestRender();
  }

  const navigation = createNavigation(store, rpc, loader, {
    reveal,
    visible: () => {
      const { visibleStart, visibleEnd } = windowNow();
      return { start: visibleStart, end: visibleEnd };
    },
    onDidSelect: (key) => api.postMessage({ type: 'selection', key }),
  });

  async function onDidFilter(): Promise<void> {
    const { selected, isFollowing } = store.state;
    const { total, recorded } = store.state.snapshot;
    const problem = store.state.filterError;
    announcer.settle(
      problem !== undefined
        ? escapeLine(problem.message)
        : fill(strings.announceFiltered, { shown: formatCount(total), recorded: formatCount(recorded) }),
    );
    if (isFollowing) {
      return;
    }
    const index = selected === undefined ? -1 : (await rpc.request('indexOf', { key: selected })).index;
    if (index >= 0) {
      reveal(index, 'center');
    } else if (document.activeElement?.id === 'grid') {
      // The list was entered while its rows were on the way: there may have been none to stand on where it was looked for.
      await navigation.moveBy(1);
    }
  }

  const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  // A selected row that cannot be found again is not worth a word: the list itself is right.
  const syncFilter = createFilterSync(rpc, store, nextFrame, () => void onDidFilter().catch(() => undefined));

  const intents: Intents = createIntents(store, rpc, navigation, {
    // At once: the next key may already be meant for the new place.
    focus: (target) => {
      focusing = target;
      renderNow();
    },
    revealEnd: requestRender,
    syncFilter,
    isTailManual: isScreenReader,
    isTailScroll: (scrollTop) => {
      const isTold = scrollTop === tailScrollTop;
      tailScrollTop = undefined;
      return isTold;
    },
  });
  const completion = lazyCompletion(
    async () => (await import('./filterCompletion.ts')).createCompletion(rpc, intents, requestRender),
    (error) =>
      store.dispatch({
        type: 'actionFailed',
        message: fill(strings.overview.partFailed, { why: messageOf(error) }),
      }),
  );

  const parts = createParts({ rpc, store, times, intents, requestRender });

  function scrollBeforeRender(): number | undefined {
    const { state } = store;
    const { rowHeight, headerHeight } = layout();
    const viewportHeight = state.listHeight - headerHeight;
    const count = state.snapshot.total;
    if (revealing === undefined) {
      return undefined;
    }
    const scrollTop = scrollTopFor({ ...revealing, scrollTop: state.scrollTop, viewportHeight, count, rowHeight });
    revealing = undefined;
    store.dispatch({ type: 'scrolled', scrollTop });
    return scrollTop;
  }

  function renderNow(): void {
    const scrollTop = scrollBeforeRender();
    const window = windowNow();
    const visibleRows = loadedRows(store.state, window.visibleStart, window.visibleEnd);
    render(
      pageView(
        store.state,
        {
          layout: layout(),
          window,
          nowUs: Date.now() * 1000,
          times,
          placement,
          completion,
          parts: parts.view(startsOf(visibleRows)),
        },
        intents,
      ),
      root,
    );
    // Only now: what was dispatched before is part of this render.
    if (frame !== undefined) {
      cancelAnimationFrame(frame);
      frame = undefined;
    }
    afterRender(scrollTop);
    tellFailure();
    loader.ensure(window.start, window.end);
    ensureDetails();
    parts.settle(root);
    tick(visibleRows.some(isTicking));
    save();
  }

  /** The footer is not a live region: the page has one, which says one thing at a time. */
  function tellFailure(): void {
    const { actionError } = store.state;
    if (actionError !== undefined && actionError !== toldError) {
      announcer.settle(escapeLine(actionError));
    }
    toldError = actionError;
  }

  function afterRender(scrollTop: number | undefined): void {
    const grid = root.querySelector('#grid');
    if (grid !== null) {
      if (scrollTop !== undefined) {
        grid.scrollTop = scrollTop;
        tailScrollTop = undefined;
      } else if (store.state.isFollowing) {
        const before = grid.scrollTop;
        grid.scrollTop = grid.scrollHeight;
        tailScrollTop = grid.scrollTop === before ? tailScrollTop : grid.scrollTop;
      }
    }
    for (const input of root.querySelectorAll<HTMLInputElement>('#filter')) {
      alignPlace(input);
    }
    root.querySelector('#filter-list [aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    if (focusing !== undefined) {
      const target = root.querySelector<HTMLElement>(`#${focusing}`);
      focusing = undefined;
      target?.focus({ preventScroll: true });
      if (target instanceof HTMLInputElement) {
        target.select();
      }
    }
  }

  /** One interval, and only while a row that waits is on screen. */
  function tick(isNeeded: boolean): void {
    if (isNeeded) {
      ticker ??= setInterval(requestRender, isCalm() ? CALM_TICK_MS : TICK_MS);
    } else {
      clearInterval(ticker);
      ticker = undefined;
    }
  }

  function save(): void {
    const persisted = persistedOf(store.state);
    const json = JSON.stringify(persisted);
    if (json !== savedJson) {
      savedJson = json;
      api.setState(persisted);
    }
  }

  function announceFailure(after: TimelineSnapshot): void {
    const outcome = grownFailure(store.state.snapshot.counts, after.counts);
    if (outcome !== undefined) {
      announcer.interrupt(fill(strings.announceFailure, { what: strings.outcomes[outcome] }));
    }
  }

  /** Earlier rows take their place before those that a person looks at, who goes on looking at the same. */
  function acceptSnapshot(snapshot: TimelineSnapshot): void {
    const isRead = store.state.snapshot.isReading === true && snapshot.isReading !== true;
    const [first] = loadedRows(store.state, windowNow().visibleStart, windowNow().visibleEnd);
    store.dispatch({ type: 'snapshotArrived', snapshot });
    if (isRead && first !== undefined && !store.state.isFollowing) {
      rpc
        .request('indexOf', { key: first.key })
        .then(({ index }) => (index < 0 ? undefined : reveal(index, 'start')))
        // Then the list begins where it did.
        .catch(() => undefined);
    }
  }

  const observer = new ResizeObserver(() => {
    const { rowHeight } = layout();
    const { visibleStart } = windowNow();
    store.dispatch({ type: 'pageResized', width: root.clientWidth });
    if (layout().rowHeight !== rowHeight && !store.state.isFollowing) {
      reveal(visibleStart, 'start');
    }
    store.dispatch({ type: 'listResized', height: root.querySelector('#grid')?.clientHeight ?? root.clientHeight });
  });

  const stopKeys = handleKeys(intents.run);
  renderNow();
  observer.observe(root);
  for (const grid of root.querySelectorAll('#grid')) {
    observer.observe(grid);
  }
  if (store.state.isFilterPending) {
    syncFilter();
  }
  if (store.state.selected !== undefined) {
    api.postMessage({ type: 'selection', key: store.state.selected });
    if (!store.state.isFollowing) {
      // The row may be gone, with its session; then the page starts as if nothing were selected.
      navigation.goTo(store.state.selected).catch(() => undefined);
    }
  }

  return {
    accept(notification) {
      switch (notification.name) {
        case 'changed':
          announceFailure(notification.params.snapshot);
          return acceptSnapshot(notification.params.snapshot);
        case 'reveal':
          return intents.revealKey(notification.params.key);
        case 'filter':
          store.dispatch({ type: 'filterReplaced', ...notification.params });
          return syncFilter();
        case 'act':
          return intents.run(ACTIONS[notification.params.action]);
        default:
          return assertNever(notification);
      }
    },
    dispose() {
      observer.disconnect();
      stopKeys();
      clearInterval(ticker);
      announcer.dispose();
      parts.dispose();
      if (frame !== undefined) {
        cancelAnimationFrame(frame);
      }
    },
  };
}

/** The time in which rows began. */
function startsOf(rows: readonly RowView[]): TimeSpan | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  return first === undefined || last === undefined ? undefined : { fromUs: first.startUs, toUs: last.startUs };
}

/** Palette commands that act on the page's own state. */
const ACTIONS = {
  nextError: 'nextFailure',
  previousError: 'previousFailure',
  focusFilter: 'focusFilter',
  replaySelected: 'replay',
  copySelected: 'copy',
  showCompare: 'showCompare',
  filterTool: 'filterTool',
  filterServer: 'filterServer',
  filterOutcome: 'filterOutcome',
  toggleLanes: 'toggleLanes',
  toggleCharts: 'toggleCharts',
} as const;
