import { html, nothing, type TemplateResult } from 'lit-html';
import type { PayloadView, TextSpan } from '../src/protocol/details.ts';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import { segmentsOf, type TextRange } from './escape.ts';
import { formatBytes } from './format.ts';
import { icon } from './icon.ts';
import { createImagePreview } from './imagePreview.ts';
import type { Intents } from './intents.ts';
import { island } from './island.ts';
import { createJsonTree } from './jsonTree.ts';
import type { Place } from './store.ts';

function partsOf(text: string, highlights: readonly TextRange[]): readonly (TemplateResult | string)[] {
  return segmentsOf(text, highlights).map((segment) => {
    const inner = segment.isEscape ? html`<span class="escape">${segment.text}</span>` : segment.text;
    return segment.isMarked ? html`<mark>${inner}</mark>` : inner;
  });
}

/** Server text in a `<pre>`: text nodes only, hidden characters as escapes, marked places in the row's tone. */
export function preView(text: string, highlights: readonly TextRange[] = []): TemplateResult {
  return html`<pre class="payload" tabindex="0">${partsOf(text, highlights)}</pre>`;
}

/** A message as on the wire; what stands for bytes that are no text looks like an escape too. */
function rawView(text: string, invalid: readonly TextSpan[], label: string): TemplateResult {
  const parts: (TemplateResult | readonly (TemplateResult | string)[])[] = [];
  let from = 0;
  for (const { start, end } of invalid) {
    parts.push(partsOf(text.slice(from, start), []), html`<span class="escape">${text.slice(start, end)}</span>`);
    from = end;
  }
  return html`<pre class="payload is-raw" tabindex="0" aria-label=${label}>${parts}${partsOf(text.slice(from), [])}</pre>`;
}

export interface PayloadContext {
  readonly strings: PageStrings;
  readonly isRaw: boolean;
  readonly place: Place | undefined;
  readonly label: string;
  readonly intents: Intents;
}

/** A whole message: as a tree or as on the wire, with its size, its images, and the way to open all of it as a document. */
export function payloadView(payload: PayloadView, context: PayloadContext): TemplateResult {
  const { strings, intents, label } = context;
  const { details } = strings;
  const hasTree = payload.tree.kind !== 'none';
  const isRaw = context.isRaw || !hasTree;
  const choice = (text: string, raw: boolean) => html`<button
    type="button"
    class="segment"
    aria-pressed=${isRaw === raw}
    @click=${() => intents.setRaw(raw)}
  >${text}</button>`;
  const openLabel = payload.isTruncated ? details.showAll : strings.actions.openDocument;
  return html`<div class="payload-head">
      ${hasTree ? html`<div class="segments" role="group" aria-label=${details.view}>${choice(details.tree, false)}${choice(details.raw, true)}</div>` : nothing}
      <span class="bytes">${formatBytes(payload.bytes)}</span>
      ${payload.isTruncated ? html`<span class="truncated">${icon('info')}${strings.truncated}</span>` : nothing}
      <button
        type="button"
        class="link is-document"
        title=${openLabel}
        aria-label=${openLabel}
        @click=${() => void intents.ask('openPayload', { seq: payload.seq, isRaw })}
      >
        ${icon('go-to-file')}<span>${openLabel}</span>
      </button>
    </div>
    ${payload.tree.kind === 'none' ? html`<p class="payload-note">${payload.tree.text}</p>` : nothing}
    ${payload.images.map(
      (image) =>
        html`<div
          class="image"
          ${island(createImagePreview, {
            seq: payload.seq,
            image,
            strings: details,
            load: (seq, pointer) => intents.ask('image', { seq, pointer }),
          })}
        ></div>`,
    )}
    ${
      isRaw
        ? rawView(payload.raw, payload.invalid, label)
        : html`<div
            class="tree-box"
            ${island(createJsonTree, {
              payload,
              label,
              strings,
              place: context.place,
              copyText: (text) => void intents.ask('copyText', { text: text.slice(0, 1_000_000) }),
            })}
          ></div>`
    }`;
}

/** Lines of context before and after the marked place. */
const CONTEXT_LINES = 2;

/** Characters shown around the marked place in a message of long lines. */
const CONTEXT_CHARS = 240;

export interface Excerpt {
  readonly text: string;
  readonly highlights: readonly TextRange[];
}

/** Takes the indentation that all lines share off each of them, and moves the ranges along. */
function dedent({ text, highlights }: Excerpt): Excerpt {
  const lines = text.split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  if (indent === 0 || indents.length === 0) {
    return { text, highlights };
  }
  const removedBefore = (offset: number) => {
    const line = text.slice(0, offset).split('\n').length - 1;
    const column = offset - (text.lastIndexOf('\n', offset - 1) + 1);
    return line * indent + Math.min(column, indent);
  };
  return {
    text: lines.map((line) => line.slice(indent)).join('\n'),
    highlights: highlights.map(({ start, end }) => ({
      start: start - removedBefore(start),
      end: end - removedBefore(end),
    })),
  };
}

/** Where the excerpt around `range` begins: some lines before it, but not too many characters. */
function excerptStart(text: string, range: TextRange): number {
  let start = range.start;
  for (let line = 0; line <= CONTEXT_LINES && start > 0; line += 1) {
    start = text.lastIndexOf('\n', start - 1);
  }
  return Math.max(start < 0 || (start === 0 && text[0] !== '\n') ? 0 : start + 1, range.start - CONTEXT_CHARS);
}

/** One past where the excerpt around `range` ends. */
function excerptEnd(text: string, range: TextRange): number {
  let end = range.end - 1;
  for (let line = 0; line <= CONTEXT_LINES; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) {
      end = text.length;
      break;
    }
  }
  return Math.min(end, range.end + CONTEXT_CHARS);
}

/**
 * The first marked place of a message with a few lines around it, its highlights moved along; `undefined` when nothing
 * is marked. Cuts within a line are shown as "…".
 */
export function excerptOf({ text, highlights }: Pick<PayloadView, 'text' | 'highlights'>): Excerpt | undefined {
  const first = highlights[0];
  if (first === undefined) {
    return undefined;
  }
  const from = excerptStart(text, first);
  const to = excerptEnd(text, first);
  const before = from > 0 && text[from - 1] !== '\n' ? '…' : '';
  const after = to < text.length && text[to] !== '\n' ? '…' : '';
  const shift = from - before.length;
  return dedent({
    text: `${before}${text.slice(from, to)}${after}`,
    highlights: highlights
      .filter((range) => range.start < to && range.end > from)
      .map((range) => ({ start: Math.max(range.start, from) - shift, end: Math.min(range.end, to) - shift })),
  });
}
