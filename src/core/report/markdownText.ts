import { safeLine } from '../../base/safeText.ts';

/** Longest text that is quoted; UTF-16 code units. */
const MAX_QUOTED = 400;
const MAX_SENTENCE = 1000;

/**
 * A text as Markdown shows it, on one line: nothing of it is markup, a link, a mention or a reference to an issue (GitHub
 * Flavored Markdown). Also within a cell of a table.
 */
export function markdownText(text: string): string {
  return (
    safeLine(text.toWellFormed(), MAX_SENTENCE)
      .replace(/[\\`*_{}[\]<>|~&$^]/g, '\\$&')
      .replace(/:(?=\/\/)/g, '\\:')
      .replace(/(?<=www)\./gi, '\\.')
      .replace(/^(\s*)([-+=#>])/, '$1\\$2')
      .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
      // Mentions and references are looked for in what is shown, whatever was escaped.
      .replace(/@(?=\w)/g, '@\u200b')
      .replace(/#(?=\d)/g, '#\u200b')
  );
}

/** A foreign text word for word, on one line, in a cell of a table or elsewhere. */
export function markdownCode(text: string, place: 'cell' | 'line' = 'line'): string {
  const line = safeLine(text.toWellFormed(), MAX_QUOTED).replace(/\s+/g, ' ');
  if (line.trim() === '') {
    return '';
  }
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const padding = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  const code = `${fence}${padding}${line}${padding}${fence}`;
  // A table takes its cells apart before it looks for code.
  return place === 'cell' ? code.replaceAll('|', '\\|') : code;
}

/** A table. Cells are Markdown; a table without rows is nothing. `align`: of each column, `r` for numbers. */
export function markdownTable(
  head: readonly string[],
  align: string,
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (align[index] === 'r' ? '--:' : '---'));
  return rows.length === 0 ? [] : [line(head), line(rule), ...rows.map(line), ''];
}
