import { html, type TemplateResult } from 'lit-html';
import { clampDetails, detailsRange } from './layout.ts';

const STEP_PX = 16;

export interface SplitterModel {
  /** Width of the pane at its right, px. */
  readonly width: number;
  readonly pageWidth: number;
  /** Name of the pane that it resizes, as the ARIA window splitter pattern asks. */
  readonly label: string;
  readonly onResize: (width: number) => void;
}

/** New width after a key press; `undefined` when the key is not the splitter's. Left widens the pane at its right. */
export function widthAfterKey(key: string, width: number, pageWidth: number): number | undefined {
  const { min, max } = detailsRange(pageWidth);
  switch (key) {
    case 'ArrowLeft':
      return clampDetails(width + STEP_PX, pageWidth);
    case 'ArrowRight':
      return clampDetails(width - STEP_PX, pageWidth);
    case 'Home':
      return min;
    case 'End':
      return max;
    default:
      return undefined;
  }
}

/** The bar between list and details: dragged by a pointer, moved by the arrow keys, Home and End. */
export function splitterView({ width, pageWidth, label, onResize }: SplitterModel): TemplateResult {
  const { min, max } = detailsRange(pageWidth);
  const onPointerDown = (down: PointerEvent) => {
    const bar = down.currentTarget;
    if (!(bar instanceof HTMLElement) || down.button !== 0) {
      return;
    }
    down.preventDefault();
    bar.setPointerCapture(down.pointerId);
    bar.classList.add('is-dragging');
    const onMove = (move: PointerEvent) => onResize(clampDetails(width + down.clientX - move.clientX, pageWidth));
    const onEnd = () => {
      bar.classList.remove('is-dragging');
      bar.removeEventListener('pointermove', onMove);
    };
    bar.addEventListener('pointermove', onMove);
    bar.addEventListener('lostpointercapture', onEnd, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = widthAfterKey(event.key, width, pageWidth);
    if (next !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      onResize(next);
    }
  };
  return html`<div
    role="separator"
    class="splitter"
    tabindex="0"
    aria-orientation="vertical"
    aria-controls="details"
    aria-label=${label}
    aria-valuenow=${width}
    aria-valuemin=${min}
    aria-valuemax=${max}
    @pointerdown=${onPointerDown}
    @keydown=${onKeyDown}
  ></div>`;
}
