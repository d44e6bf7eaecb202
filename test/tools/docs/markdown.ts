/** A place in a Markdown file that leads somewhere. */
export interface MarkdownLink {
  /** As it is written: an address, a relative path, an anchor. */
  readonly target: string;
  /** From 1. */
  readonly line: number;
}

/** What is checked of a Markdown file. Fenced code is left out of all of it. */
export interface MarkdownPage {
  readonly links: readonly MarkdownLink[];
  /** What may stand behind `#`: the headings as GitHub calls them, and `id`s of HTML. */
  readonly anchors: ReadonlySet<string>;
  /** Code spans, without their backticks. */
  readonly codes: readonly { readonly text: string; readonly line: number }[];
  /** Text in bold. */
  readonly bold: readonly { readonly text: string; readonly line: number }[];
}

const FENCE = /^\s*(?:[-*]\s+|\d+\.\s+)?(`{3,}|~{3,})/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const CODE = /(`+)(.+?)\1(?!`)/g;

/** Where a line leads: inline links and images, reference definitions, addresses in angle brackets, HTML. */
const LINKS = [
  /\]\(\s*<?([^)\s>]+)/g,
  /^\s*\[[^\]]+\]:\s*<?(\S+?)>?\s*$/g,
  /<(https?:[^>\s]+)>/g,
  /\s(?:src|href)="([^"]+)"/g,
];

/** Reads the lines of a Markdown file. As much of the language as the pages of this repository use. */
export function readMarkdown(text: string): MarkdownPage {
  const links: MarkdownLink[] = [];
  const codes: { text: string; line: number }[] = [];
  const bold: { text: string; line: number }[] = [];
  const anchors = new Set<string>();
  let fence: string | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1;
    const mark = FENCE.exec(raw)?.[1];
    if (fence !== undefined) {
      fence = mark?.startsWith(fence) ? undefined : fence;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    for (const [, , code = ''] of raw.matchAll(CODE)) {
      codes.push({ text: code.trim(), line });
    }
    // Brackets in code are no links, but a link's text may be code.
    const prose = raw.replaceAll(CODE, (span) => ' '.repeat(span.length));
    for (const pattern of LINKS) {
      links.push(...[...prose.matchAll(pattern)].map(([, target = '']) => ({ target, line })));
    }
    bold.push(...[...prose.matchAll(/\*\*([^*]+)\*\*/g)].map(([, strong = '']) => ({ text: strong, line })));
    const heading = HEADING.exec(raw)?.[1];
    if (heading !== undefined) {
      anchors.add(free(slugOf(heading), anchors));
    }
    for (const [, id = ''] of prose.matchAll(/\s(?:id|name)="([^"]+)"/g)) {
      anchors.add(id);
    }
  }
  return { links, anchors, codes, bold };
}

/** What GitHub makes of a heading: lower case, punctuation gone, each space a hyphen. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** The second heading of a name is told from the first by a number. */
function free(slug: string, taken: ReadonlySet<string>): string {
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? slug : `${slug}-${count}`;
    if (!taken.has(candidate)) {
      return candidate;
    }
  }
}

/** A cell of a table: one line, with its bars escaped. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** A table. Cells are Markdown and must have been escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
