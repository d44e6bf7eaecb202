import { html, nothing, type TemplateResult } from 'lit-html';
import type { ChartsPart } from './charts.ts';
import { fill } from './format.ts';
import { lazyPart } from './lazyPart.ts';
import type { OverviewHost, OverviewPart } from './overviewPart.ts';
import { messageOf } from './rpc.ts';
import type { TimeSpan } from './waterfall.ts';

/** The parts of the page that are chunks of their own. */
export interface Parts {
  /** Above the rows: the overview with its lanes, and the charts. `visible`: the time of the rows on screen. */
  view(visible: TimeSpan | undefined): TemplateResult | typeof nothing;
  /** What they do after each render. */
  settle(root: ParentNode): void;
  dispose(): void;
}

/** Loads the overview at once, though after the rows, and the charts when they are first shown. */
export function createParts(host: OverviewHost): Parts {
  const { store, requestRender } = host;
  const onDidFail = (error: unknown) => {
    const message = fill(store.state.strings.overview.partFailed, { why: messageOf(error) });
    store.dispatch({ type: 'actionFailed', message });
  };
  const overview = lazyPart<OverviewPart>(
    async () => (await import('./overviewPart.ts')).createOverview(host),
    requestRender,
    onDidFail,
  );
  const charts = lazyPart<ChartsPart>(
    async () => (await import('./charts.ts')).createCharts(host),
    requestRender,
    onDidFail,
  );
  const isEmpty = () => store.state.snapshot.recorded === 0;
  const shownCharts = () => (store.state.overview.hasCharts ? charts.get() : undefined);
  return {
    view(visible) {
      // The overview's room is kept while it is loading, so that the rows do not jump when it comes.
      return isEmpty()
        ? nothing
        : html`${overview.get()?.view(visible) ?? html`<section class="overview is-loading"></section>`}${
            shownCharts()?.view() ?? nothing
          }`;
    },
    settle(root) {
      if (!isEmpty()) {
        overview.get()?.settle(root);
        shownCharts()?.settle();
      }
    },
    dispose() {
      overview.dispose((part) => part.dispose());
      charts.dispose((part) => part.dispose());
    },
  };
}
