import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { RowView } from '../src/protocol/timelineViews.ts';
import { fill, formatDuration } from './format.ts';
import type { Intents } from './intents.ts';
import type { Layout } from './layout.ts';
import { type RowContext, rowId, rowView } from './row.ts';
import { indexOfKey, type PageState, rowAt } from './store.ts';
import { styled } from './styled.ts';
import { busyTime } from './waterfall.ts';
import { axisOf, type WaterfallAxis } from './waterfallAxis.ts';
import { type RowWindow, windowOf } from './window.ts';

/** px by which a scroll position may miss the end and still count as being there: a fraction of a row. */
const END_SLACK_PX = 8;

/** Rows to render for the present scroll position. Screen readers get more, so that a page of reading needs no scroll. */
export function listWindow(state: PageState, layout: Layout, overscan: number): RowWindow {
  return windowOf({
    scrollTop: state.scrollTop,
    viewportHeight: state.listHeight - layout.headerHeight,
    count: state.snapshot.total,
    rowHeight: layout.rowHeight,
    overscan,
  });
}

/** The loaded rows of `[start, end)`. */
export function loadedRows(state: PageState, start: number, end: number): RowView[] {
  const rows: RowView[] = [];
  for (let index = start; index < end; index += 1) {
    const row = rowAt(state, index);
    if (row !== undefined) {
      rows.push(row);
    }
  }
  return rows;
}

function headerView(strings: PageStrings, layout: Layout, axis: WaterfallAxis | undefined): TemplateResult {
  const { columns } = strings;
  const { shownUs = 0, folds = [] } = axis ?? {};
  const idleUs = folds.reduce((sum, { us }) => sum + us, 0);
  const idle = idleUs > 0 ? ` + ${fill(strings.overview.idle, { duration: formatDuration(idleUs) })}` : '';
  return html`<div role="rowgroup" class=${layout.rows === 'wide' ? 'head' : 'head sr-only'}>
    <div role="row" class="columns" aria-rowindex="1">
      <span role="columnheader" aria-colindex="1">${columns.time}</span>
      <span role="columnheader" aria-colindex="2" class="server">${columns.server}</span>
      <span role="columnheader" aria-colindex="3">${columns.call}</span>
      <span role="columnheader" aria-colindex="4">${columns.outcome}</span>
      <span role="columnheader" aria-colindex="5" class="bars"
        >${columns.waterfall}<span class="scale" aria-hidden="true">${shownUs > 0 ? formatDuration(shownUs) : ''}${idle}</span></span
      >
      <span role="columnheader" aria-colindex="6" class="numeric">${columns.duration}</span>
    </div>
  </div>`;
}

/** What VS Code's menu of the rows (`webview/context`) goes by; the row itself is the selected one. */
const ROW_CONTEXT = JSON.stringify({ webviewSection: 'row', preventDefaultContextMenuItems: true });

function indexOfEvent(event: Event): number | undefined {
  const row = event.target instanceof Element ? event.target.closest('[data-index]') : null;
  return row instanceof HTMLElement ? Number(row.getAttribute('data-index')) : undefined;
}

/** Row indices to render: the window, and the selected row wherever it is, since `aria-activedescendant` names it. */
function renderedIndices(state: PageState, { start, end, skipped }: RowWindow): number[] {
  const indices = Array.from({ length: end - start }, (_, offset) => start + offset);
  const selected = state.selected === undefined ? undefined : indexOfKey(state, state.selected);
  if (selected !== undefined && selected >= skipped && (selected < start || selected >= end)) {
    return selected < start ? [selected, ...indices] : [...indices, selected];
  }
  return indices;
}

/** The list: one scrolling element that is the grid and the only tab stop, with its headers stuck to the top. */
export function gridView(
  state: PageState,
  window: RowWindow,
  context: Omit<RowContext, 'axis'>,
  intents: Intents,
): TemplateResult {
  const { snapshot, strings } = state;
  const { layout } = context;
  const visible = loadedRows(state, window.visibleStart, window.visibleEnd);
  const axis = axisOf(visible.map((row) => busyTime(row, context.nowUs)));
  const rowContext: RowContext = { ...context, axis };
  const isSelectedLoaded = state.selected !== undefined && indexOfKey(state, state.selected) !== undefined;

  const onClick = (event: Event) => {
    const index = indexOfEvent(event);
    const row = index === undefined ? undefined : rowAt(state, index);
    if (index === undefined || row === undefined) {
      return;
    }
    if (event.target instanceof Element && event.target.closest('.twisty') !== null) {
      intents.setExpanded(index, !row.isExpanded);
    } else {
      intents.openRow(index);
    }
  };
  const onContextMenu = (event: Event) => {
    const index = indexOfEvent(event);
    if (index !== undefined) {
      intents.selectRow(index);
    }
  };
  const onScroll = (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) {
      const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
      intents.scrolled(scrollTop, scrollTop + clientHeight >= scrollHeight - END_SLACK_PX);
    }
  };

  return html`<div
    role="grid"
    id="grid"
    class="grid is-${layout.rows}"
    tabindex="0"
    aria-label=${strings.gridLabel}
    aria-rowcount=${snapshot.total + 1}
    aria-colcount="6"
    aria-activedescendant=${isSelectedLoaded && state.selected !== undefined ? rowId(state.selected) : nothing}
    data-vscode-context=${state.selected === undefined && snapshot.total === 0 ? nothing : ROW_CONTEXT}
    @click=${onClick}
    @contextmenu=${onContextMenu}
    @scroll=${onScroll}
  >
    ${headerView(strings, layout, axis)}
    <div role="rowgroup" class="rows" ${styled({ height: `${window.height}px` })}>
      ${repeat(
        renderedIndices(state, window),
        (index) => index,
        (index) =>
          rowView(rowAt(state, index), { index, top: (index - window.skipped) * layout.rowHeight }, rowContext),
      )}
    </div>
  </div>`;
}
