import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageStrings, PayloadView } from '../src/protocol/webview.ts';
import { segmentsOf, type TextRange } from './escape.ts';
import { formatBytes } from './format.ts';
import { icon } from './icon.ts';

/** Server text in a `<pre>`: text nodes only, hidden characters as escapes, marked places in the row's tone. */
export function preView(text: string, highlights: readonly TextRange[] = []): TemplateResult {
  const parts = segmentsOf(text, highlights).map((segment) => {
    const inner = segment.isEscape ? html`<span class="escape">${segment.text}</span>` : segment.text;
    return segment.isMarked ? html`<mark>${inner}</mark>` : inner;
  });
  return html`<pre class="payload" tabindex="0">${parts}</pre>`;
}

/** A whole message with its size and the way to open it as a document; says so when only its beginning is here. */
export function payloadView(
  payload: PayloadView,
  strings: PageStrings,
  openPayload: (seq: number) => void,
): TemplateResult {
  return html`<div class="payload-head">
      ${payload.isTruncated ? html`<span class="truncated">${icon('info')}${strings.truncated}</span>` : nothing}
      <span class="bytes">${formatBytes(payload.bytes)}</span>
      <button type="button" class="link" @click=${() => openPayload(payload.seq)}>
        ${icon('go-to-file')}${strings.actions.openDocument}
      </button>
    </div>
    ${preView(payload.text, payload.highlights)}`;
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
