import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { OverviewLaneView, OverviewView } from '../src/protocol/timelineViews.ts';
import { escapeLine } from './escape.ts';
import { hasTerm } from './filterTerms.ts';
import { fill, formatCount } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import { toneOf } from './outcomes.ts';
import { failedOf, totalOf, WORST_FIRST } from './overviewCounts.ts';
import type { OverviewContext } from './overviewPart.ts';
import type { Strip } from './overviewStrip.ts';
import { styled } from './styled.ts';
import { windowOf } from './window.ts';

/** From this width of the page on, names stand beside the lanes; below, over them. */
export const WIDE_LANES_FROM_PX = 640;

/** px that the names take beside the lanes; `--lane-label` is the same. */
export const NARROW_LABEL_PX = 190;

const WIDE_LANE_PX = 24;
const NARROW_LANE_PX = 38;
const OVERSCAN_LANES = 4;

/** Parts of the window's height that the lanes take at most: alone, and with the charts below them. */
const MAX_SHARE = 0.4;
const MAX_SHARE_WITH_CHARTS = 0.28;

export interface LanesHost {
  readonly strip: Strip;
  readonly intents: Intents;
  readonly requestRender: () => void;
}

export interface Lanes {
  view(context: OverviewContext, isWide: boolean): TemplateResult;
}

const STATE_ICONS = { up: 'pass', down: 'circle-outline', failed: 'disconnect', busy: 'loading' } as const;

/** A lane with its numbers. */
interface Lane extends OverviewLaneView {
  readonly count: number;
  readonly failed: number;
  /** Tone of its worst failure. */
  readonly tone: string;
}

/**
 * One lane a server on the axis of the overview. Those with failures come first, since they are what a person with twenty
 * servers looks for; their order among themselves is that of their names, so that it does not jump with each call.
 */
export function lanesInOrder(lanes: readonly OverviewLaneView[]): readonly Lane[] {
  return lanes
    .map((lane): Lane => {
      const failed = lane.cells.reduce((sum, cell) => sum + failedOf(cell), 0);
      const count = lane.cells.reduce((sum, cell) => sum + totalOf(cell), 0);
      const worst = WORST_FIRST.find((kind) => lane.cells.some(({ counts }) => (counts[kind] ?? 0) > 0));
      return { ...lane, count, failed, tone: failed > 0 ? toneOf(worst) : 'tone-none' };
    })
    .sort((a, b) => Number(b.failed > 0) - Number(a.failed > 0) || a.name.localeCompare(b.name));
}

/** The lanes below the overview. */
export function createLanes({ strip, intents, requestRender }: LanesHost): Lanes {
  let scrollTop = 0;
  let active = 0;
  /** Sorted once for each answer: the page renders at every scroll. */
  let sorted: { readonly of: readonly OverviewLaneView[]; readonly lanes: readonly Lane[] } | undefined;

  function lanesOf({ lanes = [] }: OverviewView): readonly Lane[] {
    if (sorted?.of !== lanes) {
      sorted = { of: lanes, lanes: lanesInOrder(lanes) };
    }
    return sorted.lanes;
  }

  const onScroll = (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) {
      ({ scrollTop } = event.currentTarget);
      requestRender();
    }
  };

  function moveTo(index: number, list: HTMLElement, lanePx: number): void {
    active = index;
    const top = index * lanePx;
    list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + lanePx - list.clientHeight));
    requestRender();
    // The lane may only now come into the window that is rendered.
    requestAnimationFrame(() => list.querySelector<HTMLElement>(`[data-lane-index="${index}"]`)?.focus());
  }

  const onKey = (event: KeyboardEvent, count: number, lanePx: number) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -count, End: count };
    const step = steps[event.key];
    if (step !== undefined && event.currentTarget instanceof HTMLElement) {
      event.preventDefault();
      event.stopPropagation();
      moveTo(Math.max(0, Math.min(count - 1, active + step)), event.currentTarget, lanePx);
    }
  };

  function laneView(lane: Lane, index: number, top: number, context: OverviewContext): TemplateResult {
    const { strings, filterText } = context.state;
    const name = escapeLine(lane.name);
    const isOnly = hasTerm(filterText, 'server', lane.name);
    return html`<div class="lane" role="listitem" ${styled({ transform: `translateY(${top}px)` })}>
      <button
        type="button"
        class="lane-label ${lane.tone}"
        data-lane-index=${index}
        tabindex=${index === active ? 0 : -1}
        aria-pressed=${isOnly}
        title=${laneText(lane, strings)}
        @focus=${() => {
          active = index;
        }}
        @click=${() => intents.filterServer(lane.name)}
      >
        ${lane.state === undefined ? nothing : html`<span class="lane-state is-${lane.state.kind}">${icon(STATE_ICONS[lane.state.kind])}</span>`}
        <span class="lane-name">${name}</span>
        <span class="sr-only">, ${factsOf(lane, strings)}</span>
        <span class="lane-count" aria-hidden="true"
          >${lane.failed > 0 ? html`<b>${formatCount(lane.failed)}</b>/` : nothing}${formatCount(lane.count)}</span
        >
      </button>
      ${strip.laneCanvas(context, lane.id)}
    </div>`;
  }

  return {
    view(context, isWide) {
      const lanes = lanesOf(context.view);
      const lanePx = isWide ? WIDE_LANE_PX : NARROW_LANE_PX;
      const share = context.state.overview.hasCharts ? MAX_SHARE_WITH_CHARTS : MAX_SHARE;
      // Half a lane looks out when there are more.
      const fitting = Math.max(1, Math.round((window.innerHeight * share) / lanePx)) + 0.5;
      const height = Math.min(lanes.length, fitting) * lanePx;
      active = Math.min(active, Math.max(0, lanes.length - 1));
      const shown = windowOf({
        scrollTop,
        viewportHeight: height,
        count: lanes.length,
        rowHeight: lanePx,
        overscan: OVERSCAN_LANES,
      });
      return html`<div
        class="lanes ${isWide ? 'is-wide' : ''}"
        role="list"
        tabindex="-1"
        aria-label=${context.state.strings.overview.lanesLabel}
        ${styled({ height: `${height}px` })}
        @scroll=${onScroll}
        @keydown=${(event: KeyboardEvent) => onKey(event, lanes.length, lanePx)}
      >
        <div class="lanes-rows" ${styled({ height: `${lanes.length * lanePx}px` })}>
          ${repeat(
            lanes.slice(shown.start, shown.end).map((lane, offset) => ({ lane, index: shown.start + offset })),
            ({ lane }) => lane.id,
            ({ lane, index }) => laneView(lane, index, index * lanePx, context),
          )}
        </div>
      </div>`;
    },
  };
}

/** "github, 2025-11-25, 12 of 340 failed. Show only github" */
function laneText(lane: Lane, strings: PageStrings): string {
  return `${escapeLine(lane.name)}, ${factsOf(lane, strings)}`;
}

/** The same without the name before it, which the lane shows. */
function factsOf({ name, state, count, failed }: Lane, { overview }: PageStrings): string {
  const numbers =
    failed > 0
      ? fill(overview.failedOf, { failed: formatCount(failed), count: formatCount(count) })
      : fill(overview.calls, { count: formatCount(count) });
  const facts = [...(state === undefined ? [] : [escapeLine(state.text)]), numbers].join(', ');
  return `${facts}. ${fill(overview.onlyServer, { server: escapeLine(name) })}`;
}
