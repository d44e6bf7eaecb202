import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ImportRule, importRules } from '../../unit/importTable.ts';
import { root } from './manifest.ts';
import { table } from './markdown.ts';

/** What each folder of the import table is for. A file within one has a rule of its own, and is for the same. */
const PURPOSES: Readonly<Record<string, string>> = {
  'src/base': 'what any program needs',
  'src/protocol': 'types, tables, schemas; no behaviour',
  'src/core/transport': 'bytes to messages and back',
  'src/core/jsonc': 'JSON with comments: places, shapes',
  'src/core/client': 'the only door for calls',
  'src/core/resilience': 'whether and when to repeat',
  'src/core/log': 'the truth, on disk',
  'src/core/classify': 'what became of it, and why',
  'src/core/timeline': 'what a person sees of it',
  'src/core/report': 'what to mend first',
  'src/core/replay': 'sending again, comparing',
  'src/core/passthrough': 'standing between others',
  'src/core/agent': 'reading what is recorded, for agents',
  'src/core/mock': 'answering as recorded',
  'src/core/export': 'writing it elsewhere',
  'src/lint': 'places in source',
  'src/demo': 'a shop whose tools fail in every way',
  'src/host': "VS Code's side of everything",
  'src/extension.ts': 'a table of contents',
  'src/cli': "a terminal's side of everything",
  webview: 'the page',
};

const FILE = 'docs/architecture.md';
const BEGIN = '<!-- The table is written by `npm run docs`. -->\n\n';
const END = '\n\n## What is loaded when';

/** The page of the architecture with its table written anew. Throws when a folder has no purpose, or one has no folder. */
export function architecturePage(): string {
  const page = readFileSync(path.join(root, FILE), 'utf8');
  const [before, after] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
  if (before < BEGIN.length || after < before) {
    throw new Error(`${FILE} has no place for the table of imports`);
  }
  return page.slice(0, before) + importsTable(importRules) + page.slice(after);
}

function importsTable(rules: readonly ImportRule[]): string {
  const folders = rules.map(({ from }) => from);
  const strange = [
    ...folders.filter((folder) => purposeOf(folder) === undefined),
    ...Object.keys(PURPOSES).filter((folder) => !folders.includes(folder)),
  ];
  if (strange.length > 0) {
    throw new Error(`importsTable.ts and importTable.ts differ in ${strange.join(', ')}`);
  }
  return table(
    ['folder', 'what it is for', 'may import', 'types alone'],
    rules.map(({ from, may, types = [] }) => [`\`${from}\``, purposeOf(from) ?? '', named(may), named(types)]),
  );
}

function purposeOf(from: string): string | undefined {
  const isNestedFile = from.endsWith('.ts') && Object.keys(PURPOSES).some((folder) => from.startsWith(`${folder}/`));
  return PURPOSES[from] ?? (isNestedFile ? 'a file with a rule of its own' : undefined);
}

/** Many names of one kind are said in a word. */
function named(names: readonly string[]): string {
  const isWords = ['src/base', 'src/protocol'].every((name) => names.includes(name));
  const core = names.filter((name) => /^src\/core\/\w+$/.test(name));
  const isCore = importRules.every(({ from }) => !/^src\/core\/\w+$/.test(from) || core.includes(from));
  const rest = names.filter(
    (name) => !(isWords && (name === 'src/base' || name === 'src/protocol')) && !(isCore && core.includes(name)),
  );
  const said = [
    ...(isWords ? ['_words_'] : []),
    ...(isCore ? ['all of `src/core`'] : []),
    ...rest.map((name) => (name === 'node' ? 'Node.js' : name === 'vscode' ? 'VS Code' : `\`${name}\``)),
  ];
  return said.join(', ') || '–';
}
