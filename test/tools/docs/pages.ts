import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type MarkdownPage, readMarkdown } from './markdown.ts';

/** Not ours, or made: what is in them is not read. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'out', 'fixtures', '.git', '.vscode-test']);

/** Markdown files of the repository by their path from `root`, with `/`. */
export function readPages(root: string): ReadonlyMap<string, MarkdownPage> {
  const pages = new Map<string, MarkdownPage>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) {
        walk(name);
      } else if (entry.isFile() && entry.name.endsWith('.md')) {
        pages.set(name, readMarkdown(readFileSync(path.join(root, name), 'utf8')));
      }
    }
  };
  walk('');
  return pages;
}

/** Links to other places than this repository, with where they stand. */
export function externalLinks(pages: ReadonlyMap<string, MarkdownPage>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [file, { links }] of pages) {
    for (const { target, line } of links.filter((link) => isExternal(link.target))) {
      found.set(target, [...(found.get(target) ?? []), `${file}:${line}`]);
    }
  }
  return found;
}

/** What is wrong with the links of the pages, as sentences. External ones are looked at for their form alone. */
export function brokenLinks(pages: ReadonlyMap<string, MarkdownPage>, root: string): readonly string[] {
  return [...pages].flatMap(([file, { links }]) =>
    links.flatMap(({ target, line }) => {
      const problem = isExternal(target) ? flawOfAddress(target) : flawOfPath(file, target, pages, root);
      return problem === undefined ? [] : [`${file}:${line}: ${target} ${problem}`];
    }),
  );
}

const isExternal = (target: string) => /^[a-z][a-z0-9+.-]*:/i.test(target);

function flawOfAddress(target: string): string | undefined {
  return URL.canParse(target) && /^(https:|mailto:|vscode:)/.test(target) ? undefined : 'is no https address';
}

function flawOfPath(
  file: string,
  target: string,
  pages: ReadonlyMap<string, MarkdownPage>,
  root: string,
): string | undefined {
  const [relative = '', anchor] = target.split('#');
  if (relative.startsWith('/')) {
    return 'is absolute';
  }
  const there = relative === '' ? file : path.posix.join(path.posix.dirname(file), decodeURI(relative));
  if (there.startsWith('..') || !existsSync(path.join(root, there))) {
    return 'does not exist';
  }
  const page = pages.get(there);
  return anchor === undefined || anchor === '' || page === undefined || page.anchors.has(anchor)
    ? undefined
    : 'names no heading there';
}
