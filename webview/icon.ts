import { html, type TemplateResult } from 'lit-html';

/** A codicon of styles/codicons.css. Hidden from screen readers: the word beside it, or a label, says the same. */
export function icon(name: string): TemplateResult {
  return html`<span class="icon icon-${name}" aria-hidden="true"></span>`;
}
