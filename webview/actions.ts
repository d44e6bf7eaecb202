import type { RowView } from '../src/protocol/timelineViews.ts';
import { hasTerm, termOf, withTerm } from './filterTerms.ts';
import type { Intents } from './intents.ts';
import type { KeyCommand } from './keyboard.ts';
import { layoutOf } from './layout.ts';
import type { Navigation } from './navigation.ts';
import { isSameRange } from './overviewState.ts';
import { messageOf, type Rpc } from './rpc.ts';
import { rowAt, type Store } from './store.ts';

/** The page's effects that actions need. */
export interface ActionHost {
  readonly focus: (target: 'grid' | 'filter' | 'details') => void;
  readonly revealEnd: () => void;
  readonly syncFilter: () => void;
  /** Screen readers have no live tail but the one that is asked for. */
  readonly isTailManual: () => boolean;
  /** Did the page itself scroll there to follow the tail? The browser tells of that a frame late. True once. */
  readonly isTailScroll: (scrollTop: number) => boolean;
}

/** What the page does for a person, by intent. A failure is told in the footer until the next action. */
export function createIntents(store: Store, rpc: Rpc, navigation: Navigation, host: ActionHost): Intents {
  function attempt(action: () => Promise<unknown>): void {
    store.dispatch({ type: 'actionFailed', message: undefined });
    action().catch((error: unknown) => store.dispatch({ type: 'actionFailed', message: messageOf(error) }));
  }

  async function expand(index: number, isExpanded: boolean): Promise<void> {
    const row = rowAt(store.state, index);
    if (row === undefined || !row.isExpandable) {
      return;
    }
    const current = navigation.current();
    if (!isExpanded && current !== undefined && current.index > index && navigation.headOf(current.index) === index) {
      navigation.select(row.key, index);
    }
    const { snapshot } = await rpc.request('setExpanded', { key: row.key, isExpanded });
    store.dispatch({ type: 'snapshotArrived', snapshot });
  }

  /** Goes to a row; one that is folded under the row in the details pane is unfolded first. */
  async function revealKey(key: number): Promise<void> {
    const current = navigation.current();
    if (!(await navigation.goTo(key)) && current?.row.isExpandable === true && !current.row.isExpanded) {
      await expand(current.index, true);
      await navigation.goTo(key);
    }
  }

  async function goToFailure(direction: 1 | -1): Promise<void> {
    const found = await rpc.request('nextFailure', { from: store.state.selected, direction });
    if (found !== undefined) {
      await navigation.goTo(found.key);
    }
  }

  async function collapseOrUp(): Promise<void> {
    const current = navigation.current();
    if (current?.row.isExpanded === true) {
      await expand(current.index, false);
    } else if (current?.row.depth === 1) {
      await navigation.moveTo(navigation.headOf(current.index));
    }
  }

  async function expandOrDown(): Promise<void> {
    const current = navigation.current();
    if (current?.row.isExpanded === true) {
      await navigation.moveTo(current.index + 1);
    } else if (current?.row.isExpandable === true) {
      await expand(current.index, true);
    }
  }

  async function replay(): Promise<void> {
    const { selected, isReplaying } = store.state;
    if (selected === undefined || isReplaying) {
      return;
    }
    store.dispatch({ type: 'replayChanged', isReplaying: true });
    try {
      await rpc.request('replay', { key: selected });
    } finally {
      store.dispatch({ type: 'replayChanged', isReplaying: false });
    }
  }

  async function copy(): Promise<void> {
    const { selected } = store.state;
    if (selected !== undefined) {
      await rpc.request('copy', { key: selected, format: 'json' });
    }
  }

  function typeFilter(text: string): void {
    store.dispatch({ type: 'filterTyped', text });
    host.syncFilter();
  }

  function openDetails(): void {
    if (store.state.selected !== undefined) {
      store.dispatch({ type: 'detailsToggled', isOpen: true });
      host.focus('details');
    }
  }

  function closeDetails(): void {
    store.dispatch({ type: 'detailsToggled', isOpen: false });
    host.focus('grid');
  }

  function focusGrid(): void {
    host.focus('grid');
    attempt(async () => {
      // A row that the filter hides is none to stand on: a screen reader would be told of nothing.
      const { selected } = store.state;
      if (selected === undefined || (await rpc.request('indexOf', { key: selected })).index < 0) {
        await navigation.moveBy(1);
      }
    });
  }

  /** Shows only rows that have what the selected one has; what else the filter says of that key gives way. */
  function filterBySelected(key: string, of: (row: RowView) => string | undefined): void {
    const current = navigation.current();
    const value = current === undefined ? undefined : of(current.row);
    if (value !== undefined) {
      const isOfKey = (term: string) => term.startsWith(`${key}:`);
      typeFilter(withTerm(store.state.filterText, isOfKey, termOf(key, value)));
    }
  }

  const commands: Readonly<Record<KeyCommand, () => void>> = {
    up: () => attempt(() => navigation.moveBy(-1)),
    down: () => attempt(() => navigation.moveBy(1)),
    pageUp: () => attempt(() => navigation.moveBy(-navigation.pageRows())),
    pageDown: () => attempt(() => navigation.moveBy(navigation.pageRows())),
    first: () => attempt(() => navigation.moveTo(0)),
    last: () => attempt(() => navigation.moveTo(store.state.snapshot.total - 1)),
    collapse: () => attempt(collapseOrUp),
    expand: () => attempt(expandOrDown),
    open: openDetails,
    back: () => (store.state.isDetailsOpen ? closeDetails() : focusGrid()),
    focusFilter: () => host.focus('filter'),
    focusGrid,
    nextFailure: () => attempt(() => goToFailure(1)),
    previousFailure: () => attempt(() => goToFailure(-1)),
    replay: () => attempt(replay),
    copy: () => attempt(copy),
    showCompare() {
      store.dispatch({ type: 'detailsAged' });
      store.dispatch({ type: 'tabChosen', tab: 'compare' });
      openDetails();
    },
    filterTool: () => filterBySelected('tool', ({ target, kind }) => (kind === 'request' ? target : undefined)),
    filterServer: () => filterBySelected('server', ({ server }) => server),
    filterOutcome: () => filterBySelected('outcome', ({ outcome }) => outcome),
    toggleLanes: () => store.dispatch({ type: 'lanesToggled' }),
    toggleCharts: () => store.dispatch({ type: 'chartsToggled' }),
  };

  return {
    selectRow(index) {
      const row = rowAt(store.state, index);
      if (row !== undefined) {
        store.dispatch({ type: 'followingChanged', isFollowing: false });
        navigation.select(row.key, index);
      }
    },
    openRow(index) {
      const row = rowAt(store.state, index);
      if (row !== undefined) {
        store.dispatch({ type: 'followingChanged', isFollowing: false });
        navigation.select(row.key, index);
        store.dispatch({ type: 'detailsToggled', isOpen: true });
        if (layoutOf(store.state.pageWidth).details === 'over') {
          host.focus('details');
        }
      }
    },
    setExpanded: (index, isExpanded) => attempt(() => expand(index, isExpanded)),
    revealKey: (key) =>
      attempt(async () => {
        await revealKey(key);
        store.dispatch({ type: 'detailsToggled', isOpen: true });
      }),
    closeDetails,
    chooseTab: (tab) => store.dispatch({ type: 'tabChosen', tab }),
    setRaw: (isRaw) => store.dispatch({ type: 'rawChosen', isRaw }),
    showPlace: (place) => store.dispatch({ type: 'placeShown', place: { ...place } }),
    async ask(method, params) {
      store.dispatch({ type: 'actionFailed', message: undefined });
      try {
        return await rpc.request(method, params);
      } catch (error) {
        store.dispatch({ type: 'actionFailed', message: messageOf(error) });
        return undefined;
      }
    },
    resizeDetails: (width) => store.dispatch({ type: 'detailsResized', width }),
    toggleOutcome(outcome) {
      store.dispatch({ type: 'outcomeToggled', outcome });
      host.syncFilter();
    },
    typeFilter,
    chooseRange(range) {
      if (!isSameRange(range, store.state.overview.range)) {
        store.dispatch({ type: 'rangeChosen', range });
        host.syncFilter();
      }
    },
    jumpToTime: (fromUs, toUs, server) =>
      attempt(async () => {
        const found = await rpc.request('rowNear', { fromUs, toUs, ...(server === undefined ? {} : { server }) });
        if (found !== undefined) {
          await navigation.goTo(found.key);
        }
      }),
    filterServer(name) {
      const { filterText } = store.state;
      const isServer = (term: string) => term.startsWith('server:');
      const term = hasTerm(filterText, 'server', name) ? undefined : termOf('server', name);
      typeFilter(withTerm(filterText, isServer, term));
    },
    filterSlower(us) {
      const isDuration = (term: string) => /^ms[<>]/.test(term);
      typeFilter(withTerm(store.state.filterText, isDuration, `ms>=${Math.round(us / 100) / 10}`));
    },
    toggleLanes: commands.toggleLanes,
    toggleCharts: commands.toggleCharts,
    replaceFilter(text, hiddenOutcomes) {
      store.dispatch({ type: 'filterReplaced', text, hiddenOutcomes });
      host.syncFilter();
    },
    emptyFilter() {
      store.dispatch({ type: 'filterTyped', text: '' });
      host.syncFilter();
      host.focus('filter');
    },
    pickFilter: () =>
      attempt(() => {
        const { hiddenOutcomes, filterText } = store.state;
        return rpc.request('pickFilter', { hiddenOutcomes, text: filterText });
      }),
    clearFilter() {
      store.dispatch({ type: 'filterCleared' });
      host.syncFilter();
      host.focus('grid');
    },
    toggleFollowing() {
      const isFollowing = !store.state.isFollowing;
      store.dispatch({ type: 'followingChanged', isFollowing });
      if (isFollowing) {
        host.revealEnd();
      }
    },
    scrolled(scrollTop, isAtEnd) {
      const isUpward = scrollTop < store.state.scrollTop;
      store.dispatch({ type: 'scrolled', scrollTop });
      // A person may have left the end since, by a key whose row is not shown yet.
      if (host.isTailScroll(scrollTop)) {
        return;
      }
      // Only a person scrolls upward. Rows that come between a scroll and its event, or a list that is made smaller,
      // leave the end behind too, and the next render goes there.
      if (isAtEnd ? !host.isTailManual() : isUpward) {
        store.dispatch({ type: 'followingChanged', isFollowing: isAtEnd });
      }
    },
    goToToolSource: (key) => attempt(() => rpc.request('goToToolSource', { key })),
    openPayload: (seq) => attempt(() => rpc.request('openPayload', { seq })),
    runCommand: (command) => attempt(() => rpc.request('runCommand', { command })),
    run: (command) => commands[command](),
  };
}
