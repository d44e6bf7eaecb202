import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { PayloadView } from '../src/protocol/details.ts';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import { escapeLine, segmentsOf } from './escape.ts';
import { fill, formatCount } from './format.ts';
import { icon } from './icon.ts';
import type { Island } from './island.ts';
import { moveOf } from './jsonTreeKeys.ts';
import { JsonTreeModel, type TreeLine, type TreeRow } from './jsonTreeModel.ts';
import type { Place } from './store.ts';
import { styled } from './styled.ts';

export interface JsonTreeProps {
  readonly payload: PayloadView;
  readonly label: string;
  readonly strings: PageStrings;
  /** A place to go to; a new object each time that a person asks for it. */
  readonly place: Place | undefined;
  readonly copyText: (text: string) => void;
}

/** Characters of a text that a line shows. */
const SHOWN_TEXT = 4000;

/** Trees that keep their state while a person looks at others. */
const KEPT_TREES = 20;

interface TreeState {
  readonly payload: PayloadView;
  readonly model: JsonTreeModel;
  active: string;
}

const kept = new Map<number, TreeState>();

/** The state of a message's tree: what was open stays open while the page lives. */
function stateOf(payload: PayloadView): TreeState | undefined {
  const known = kept.get(payload.seq);
  if (known !== undefined && known.payload.raw === payload.raw && known.payload.bytes === payload.bytes) {
    return known;
  }
  const { tree, raw, pointers } = payload;
  const json = tree.kind === 'raw' ? raw : tree.kind === 'cut' ? tree.json : undefined;
  if (json === undefined) {
    return undefined;
  }
  const model = new JsonTreeModel(JSON.parse(json), pointers, tree.kind === 'cut' ? tree.cuts : []);
  const state = { payload, model, active: '' };
  kept.set(payload.seq, state);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_TREES && oldest !== undefined) {
    kept.delete(oldest);
  }
  return state;
}

/** A message as a tree: one tab stop, arrows as in any tree, and the active line's value and pointer to be copied. */
export function createJsonTree(element: HTMLElement): Island<JsonTreeProps> {
  let props: JsonTreeProps | undefined;
  let state: TreeState | undefined;
  let lines: readonly TreeLine[] = [];
  let shownPlace: Place | undefined;

  const activeIndex = () =>
    Math.max(
      0,
      lines.findIndex(({ id }) => id === state?.active),
    );

  function draw(): void {
    if (props === undefined || state === undefined) {
      return;
    }
    lines = state.model.lines();
    render(treeView(props, lines, activeIndex(), { onKey, onPress, onCopy }), element);
  }

  function activate(index: number, isToggled: boolean): void {
    const line = lines[index];
    if (state === undefined || line === undefined) {
      return;
    }
    if (!('value' in line)) {
      if (line.canShow) {
        state.model.showMore(line.parent);
      }
    } else if (isToggled && line.isExpandable) {
      state.model.setExpanded(line.id, !line.isExpanded);
    }
    state.active = line.id;
    draw();
  }

  function reveal(): void {
    element.querySelector('.tree-row.is-active')?.scrollIntoView({ block: 'nearest' });
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || state === undefined) {
      return;
    }
    if (event.key === 'v' || event.key === 'p') {
      event.preventDefault();
      event.stopPropagation();
      onCopy(event.key === 'v' ? 'value' : 'pointer');
      return;
    }
    const page = Math.max(1, Math.floor(element.clientHeight / 20) - 1);
    const move = moveOf(lines, activeIndex(), event.key, Math.min(page, 20));
    if (move === undefined) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    switch (move.kind) {
      case 'to':
        state.active = lines[move.index]?.id ?? '';
        draw();
        break;
      case 'activate':
        activate(move.index, true);
        break;
      default:
        state.model.setExpanded(move.id, move.kind === 'expand');
        draw();
    }
    reveal();
  }

  function onPress(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest('.tree-row') : null;
    const index = Number(row?.getAttribute('data-index') ?? -1);
    const isTwisty = event.target instanceof Element && event.target.closest('.tree-twisty') !== null;
    const isDouble = event.type === 'dblclick';
    if (row !== null && (isTwisty ? !isDouble : true)) {
      activate(index, isTwisty || isDouble);
    }
  }

  function onCopy(what: 'value' | 'pointer'): void {
    const line = lines[activeIndex()];
    if (line !== undefined && 'value' in line) {
      props?.copyText(what === 'pointer' ? line.pointer : valueText(line));
    }
  }

  return {
    update(next) {
      const isOther = props?.payload.seq !== next.payload.seq;
      props = next;
      state = stateOf(next.payload);
      const isNewPlace = next.place !== undefined && next.place !== shownPlace;
      if (isOther || isNewPlace) {
        const [decided] = next.payload.pointers;
        if (isNewPlace && state !== undefined) {
          state.active = state.model.reveal(next.place?.pointer ?? '');
        } else if (state !== undefined && state.active === '' && decided !== undefined) {
          state.active = state.model.reveal(decided);
        }
      }
      shownPlace = next.place;
      draw();
      if (isOther || isNewPlace) {
        // The element is put into the page only after this update.
        requestAnimationFrame(() => {
          if (isNewPlace) {
            element.querySelector<HTMLElement>('[role=tree]')?.focus({ preventScroll: true });
          }
          if (state?.active !== '') {
            element.querySelector('.tree-row.is-active')?.scrollIntoView({ block: isNewPlace ? 'center' : 'nearest' });
          }
        });
      }
    },
  };
}

function valueText({ value }: TreeRow): string {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  } catch {
    // It nests too deeply to be written.
    return '…';
  }
}

interface TreeHandlers {
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onPress: (event: Event) => void;
  readonly onCopy: (what: 'value' | 'pointer') => void;
}

function treeView(
  { label, strings, payload }: JsonTreeProps,
  lines: readonly TreeLine[],
  active: number,
  { onKey, onPress, onCopy }: TreeHandlers,
): TemplateResult {
  const line = lines[active];
  const pointer = line !== undefined && 'value' in line ? line.pointer : '';
  const name = (index: number) => `tree-${payload.seq}-${index}`;
  return html`<div
      class="tree"
      role="tree"
      tabindex="0"
      aria-label=${label}
      aria-activedescendant=${name(active)}
      @keydown=${onKey}
      @click=${onPress}
      @dblclick=${onPress}
    >${lines.map((each, index) => lineView(each, index, index === active, name(index), strings))}</div>
    <div class="tree-bar">
      <code class="tree-pointer">${pointer === '' ? '/' : escapeLine(pointer)}</code>
      ${copyButton('copy', strings.details.copyValue, () => onCopy('value'))}
      ${copyButton('link', strings.details.copyPointer, () => onCopy('pointer'))}
    </div>`;
}

function copyButton(name: string, label: string, run: () => void): TemplateResult {
  return html`<button type="button" class="tool" aria-label=${label} title=${label} @click=${run}>${icon(name)}</button>`;
}

function lineView(line: TreeLine, index: number, isActive: boolean, id: string, strings: PageStrings): TemplateResult {
  const look = styled({ '--depth': String(line.depth) });
  if (!('value' in line)) {
    return html`<div
      class="tree-row is-more ${isActive ? 'is-active' : ''} ${line.canShow ? 'can-show' : ''}"
      role="treeitem"
      id=${id}
      data-index=${index}
      aria-level=${line.depth + 1}
      aria-selected=${isActive}
      ${look}
    ><span class="tree-twisty"></span><span class="tree-more">${icon('ellipsis')}${fill(strings.details.more, { count: formatCount(line.more) })}</span></div>`;
  }
  return html`<div
    class="tree-row ${isActive ? 'is-active' : ''} ${line.isMarked ? 'is-marked' : ''}"
    role="treeitem"
    id=${id}
    data-index=${index}
    aria-level=${line.depth + 1}
    aria-setsize=${line.siblings}
    aria-posinset=${line.position}
    aria-expanded=${line.isExpandable ? String(line.isExpanded) : nothing}
    aria-selected=${isActive}
    ${look}
  ><span class="tree-twisty">${line.isExpandable ? icon(line.isExpanded ? 'chevron-down' : 'chevron-right') : nothing}</span
    ><span class="tree-text">${line.name === undefined ? nothing : html`<span class="tree-name">${escapeLine(line.name)}</span><span class="tree-colon">: </span>`}${valueView(line, strings)}</span></div>`;
}

function valueView(row: TreeRow, strings: PageStrings): TemplateResult {
  switch (row.kind) {
    case 'object':
      return html`<span class="tree-size">${`{${formatCount(row.cutFrom ?? row.size)}}`}</span>`;
    case 'list':
      return html`<span class="tree-size">${`[${formatCount(row.cutFrom ?? row.size)}]`}</span>`;
    case 'text':
      return row.isDecoded && row.isExpanded
        ? html`<span class="tree-decoded">${icon('json')}${strings.details.decoded}</span>`
        : textView(row, strings);
    case 'number':
    case 'boolean':
    case 'null':
      return html`<span class="tree-value is-${row.kind}">${String(row.value)}</span>`;
  }
}

function textView({ value, cutFrom, isDecoded }: TreeRow, strings: PageStrings): TemplateResult {
  const text = String(value);
  const shown = text.slice(0, SHOWN_TEXT);
  const rest = (cutFrom ?? text.length) - shown.length;
  const parts = segmentsOf(shown, []).map((part) =>
    part.isEscape ? html`<span class="escape">${part.text}</span>` : part.text,
  );
  return html`<span class="tree-value is-text">"${parts}${rest > 0 ? html`<span class="tree-rest">… ${fill(strings.details.more, { count: formatCount(rest) })}</span>` : '"'}</span>${
    isDecoded ? html` <span class="tree-decoded">${icon('json')}${strings.details.decoded}</span>` : nothing
  }`;
}
