import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { ChangeView, CompareView, DiffView } from '../src/protocol/details.ts';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import { escapeLine } from './escape.ts';
import { fill, formatCount } from './format.ts';
import { icon } from './icon.ts';
import type { Island } from './island.ts';
import { OUTCOME_LOOKS, toneOf } from './outcomes.ts';

export interface DiffProps {
  readonly key: number;
  readonly compare: CompareView;
  readonly strings: PageStrings;
  readonly load: (key: number, base: number, ignoreVolatile: boolean) => Promise<DiffView | undefined>;
  readonly reveal: (key: number) => void;
  readonly openTextDiff: (key: number, base: number) => void;
}

const CHANGE_ICONS = { added: 'add', removed: 'remove', changed: 'edit', moved: 'arrow-both' } as const;

/** Whether what changes by itself is left out: as a person last had it. */
let ignoreVolatile = true;

/** How a row's answer differs from another's: a sentence, then the places. Asks the host when the rows change. */
export function createDiffPanel(element: HTMLElement): Island<DiffProps> {
  let props: DiffProps | undefined;
  let diff: DiffView | undefined;

  async function load(): Promise<void> {
    const asked = props;
    if (asked === undefined) {
      return;
    }
    const found = await asked.load(asked.key, asked.compare.base, ignoreVolatile);
    if (props?.key === asked.key && props.compare.base === asked.compare.base) {
      diff = found;
      draw();
    }
  }

  function draw(): void {
    if (props !== undefined) {
      render(panelView(props, diff, onIgnore), element);
    }
  }

  function onIgnore(event: Event): void {
    if (event.target instanceof HTMLInputElement) {
      ignoreVolatile = event.target.checked;
      void load();
    }
  }

  return {
    update(next) {
      const isOther = props?.key !== next.key || props.compare.base !== next.compare.base;
      props = next;
      if (isOther) {
        diff = undefined;
        void load();
      }
      draw();
    },
  };
}

function panelView(props: DiffProps, diff: DiffView | undefined, onIgnore: (event: Event) => void): TemplateResult {
  const { strings, compare } = props;
  const { details } = strings;
  return html`<div class="diff-with">
      <span>${details.comparedWith}</span>
      <button type="button" class="link" @click=${() => props.reveal(compare.base)}>${icon('history')}${escapeLine(compare.label)}</button>
    </div>
    ${
      diff === undefined
        ? nothing
        : html`<p class="diff-sentence ${toneOf(diff.after)}">
              ${diff.after === undefined ? nothing : icon(OUTCOME_LOOKS[diff.after].icon)}<b>${escapeLine(diff.sentence)}</b>
            </p>
            <div class="diff-tools">
              ${
                diff.volatileCount === 0
                  ? nothing
                  : html`<label class="check"><input type="checkbox" .checked=${ignoreVolatile} @change=${onIgnore} />${fill(details.ignoreVolatile, { count: formatCount(diff.volatileCount) })}</label>`
              }
              <button type="button" class="link" @click=${() => props.openTextDiff(props.key, compare.base)}>
                ${icon('diff')}${details.openTextDiff}
              </button>
            </div>
            ${diff.note === '' ? nothing : html`<p class="diff-note">${icon('info')}${diff.note}</p>`}
            ${diff.changes.length === 0 ? nothing : html`<ul class="changes">${diff.changes.map(changeView)}</ul>`}
            ${diff.omittedText === '' ? nothing : html`<p class="diff-note">${diff.omittedText}</p>`}`
    }`;
}

function changeView(change: ChangeView): TemplateResult {
  const { kind, kindText, pointer, inner, before, after, from, volatileText } = change;
  const value = (text: string | undefined, look: string) =>
    text === undefined ? nothing : html`<pre class="change-value ${look}">${escapeLine(text)}</pre>`;
  return html`<li class="change is-${kind} ${volatileText === undefined ? '' : 'is-volatile'}">
    <div class="change-head">
      <span class="change-kind">${icon(CHANGE_ICONS[kind])}${escapeLine(kindText)}</span>
      <code>${pointer === '' ? '/' : escapeLine(pointer)}${inner === undefined ? nothing : html`<span class="change-inner"> ${icon('json')}${inner === '' ? '/' : escapeLine(inner)}</span>`}</code>
      ${volatileText === undefined ? nothing : html`<span class="change-volatile">${volatileText}</span>`}
    </div>
    ${from === undefined ? nothing : html`<div class="change-from">${icon('arrow-left')}<code>${escapeLine(from)}</code></div>`}
    ${value(before, 'is-before')} ${value(after, kind === 'moved' ? 'is-moved' : 'is-after')}
  </li>`;
}
