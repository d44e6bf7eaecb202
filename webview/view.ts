import { html, nothing, type TemplateResult } from 'lit-html';
import { detailsLabel, detailsView } from './details.ts';
import { emptyView } from './emptyState.ts';
import { faultsBanner } from './faultsBanner.ts';
import type { FilterCompletion } from './filterCompletion.ts';
import type { TimeFormats } from './format.ts';
import { gridView } from './grid.ts';
import type { Intents } from './intents.ts';
import { clampDetails, type Layout } from './layout.ts';
import { splitterView } from './splitter.ts';
import type { PageState } from './store.ts';
import { styled } from './styled.ts';
import { togglesView } from './toggles.ts';
import { footerView, toolbarView } from './toolbar.ts';
import type { RowWindow } from './window.ts';

/** What a render needs beside the state: derived from it, or from the moment. */
export interface ViewContext {
  readonly layout: Layout;
  readonly window: RowWindow;
  readonly nowUs: number;
  readonly times: TimeFormats;
  readonly placement: 'sidebar' | 'editor';
  readonly completion: FilterCompletion;
  /** What stands between the filter and the rows. */
  readonly parts: TemplateResult | typeof nothing;
}

/** The whole page as a function of its state. */
export function pageView(state: PageState, context: ViewContext, intents: Intents): TemplateResult {
  const { layout, window, nowUs, times, placement, completion, parts } = context;
  const { strings, selected, isDetailsOpen, pageWidth } = state;
  const hasDetails = isDetailsOpen && selected !== undefined;
  const isCovered = hasDetails && layout.details === 'over';
  const detailsWidth = clampDetails(state.detailsWidth, pageWidth);
  return html`<div
    class="page is-${layout.rows}"
    ${styled({
      '--row-height': `${layout.rowHeight}px`,
      '--header-height': `${layout.headerHeight}px`,
      '--details-width': `${detailsWidth}px`,
    })}
  >
    ${faultsBanner(state, intents)}
    <search class="stack" aria-label=${strings.filterPlaceholder} ?inert=${isCovered}>
      ${toolbarView(state, layout, placement, intents, completion)} ${togglesView(state, layout, intents)}
    </search>
    <div class="parts" ?inert=${isCovered}>${parts}</div>
    <main class="main">
      <h1 class="sr-only">${strings.gridLabel}</h1>
      <div class="list" ?inert=${isCovered}>
        ${gridView(state, window, { strings, times, layout, nowUs, selected }, intents)}
        ${state.snapshot.total === 0 ? emptyView(state, intents) : nothing}
      </div>
      ${
        hasDetails && layout.details === 'beside'
          ? splitterView({
              width: detailsWidth,
              pageWidth,
              label: detailsLabel(state),
              onResize: intents.resizeDetails,
            })
          : nothing
      }
      ${hasDetails ? detailsView(state, layout, intents) : nothing}
    </main>
    ${footerView(state)}
  </div>`;
}
