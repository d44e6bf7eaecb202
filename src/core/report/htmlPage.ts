import { htmlText } from '../export/htmlText.ts';
import { reportStyle } from './htmlStyle.ts';
import type { ReportWords } from './reportWords.ts';

/** Where a page is shown, and what only that place knows. */
export interface PageFrame {
  readonly place: 'page' | 'editor';
  /** SHA-256 in Base64, for the page's policy. */
  hash(text: string): string;
  /** Links above the report: what can be done with it. */
  readonly actions: readonly { readonly label: string; readonly link: string }[];
}

/**
 * One file that needs nothing else: no script, and a policy that lets it load or run nothing. `body` is HTML; the title is text.
 */
export function htmlPage(title: string, body: readonly string[], words: ReportWords, frame: PageFrame): string {
  const style = reportStyle(frame.place);
  const actions = frame.actions.map(({ label, link }) => `<a href="${htmlText(link)}">${htmlText(label)}</a>`);
  return `<!doctype html>
<html lang="${htmlText(words.voice.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${frame.hash(style)}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${htmlText(title)}</h1>
${actions.length === 0 ? '' : `<nav class="actions">${actions.join('')}</nav>`}
${body.join('\n')}
</body>
</html>
`;
}

const CELLS: Readonly<Record<string, string>> = { n: ' class="n"', t: ' class="text"', w: ' class="name"' };

/**
 * A table of HTML cells; nothing without rows. `align`: of each column, `n` for numbers, `t` for running text, `w` for a name.
 * `narrow`: on a narrow screen it scrolls, or its cells stand under each other.
 */
export function htmlTable(
  head: readonly string[],
  align: string,
  rows: readonly (readonly string[])[],
  narrow: 'scroll' | 'stack' = 'scroll',
): string {
  const kind = (index: number) => CELLS[align[index] ?? ''] ?? '';
  const cells = (tag: 'th' | 'td', content: readonly string[]) =>
    content
      .map((cell, index) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}${kind(index)}>${cell}</${tag}>`)
      .join('');
  return rows.length === 0
    ? ''
    : `<div class="wide${narrow === 'stack' ? ' stack' : ''}"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>
${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}
</tbody></table></div>`;
}

/** Rows of the timeline, each a link where it has a place to go to. */
export function htmlRows(keys: readonly number[], { voice }: ReportWords): string {
  const rows = keys.map((key) => {
    const link = voice.rowLink?.(key);
    return link === undefined ? `<span>#${key}</span>` : `<a href="${htmlText(link)}">#${key}</a>`;
  });
  return rows.length === 0 ? '' : `<span class="rows">${rows.join(' ')}</span>`;
}

/** A foreign text, word for word. */
export function htmlCode(text: string): string {
  return `<code>${htmlText(text)}</code>`;
}

/** The name of a tool and its server, which leads to its source where that has a place to go to. */
export function htmlTool(
  { server, tool }: { readonly server: string; readonly tool: string },
  { voice }: ReportWords,
): string {
  const link = voice.toolLink?.(server, tool);
  const name = htmlCode(tool);
  const told = link === undefined ? name : `<a href="${htmlText(link)}">${name}</a>`;
  return `${told} <span class="faint">${htmlText(voice.nameOf(server))}</span>`;
}
