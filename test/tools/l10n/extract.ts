import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { getL10nJson } from '@vscode/l10n-dev';
import { root } from '../lib/paths.mjs';

/** English strings by themselves: VS Code looks a translation up by the English text. Sorted. */
export type Bundle = Readonly<Record<string, string>>;

/** Files whose argument is a table's sentence, which is extracted from the table. */
const TAKES_TABLES: ReadonlySet<string> = new Set(['src/host/say.ts', 'src/host/servers/explain.ts']);

/** What is wrong with a string in the source: it cannot be extracted. */
export interface Unreadable {
  readonly file: string;
  readonly line: number;
  readonly call: string;
}

/** Every string that the host shows: those of its own code, and the sentences of the text tables. */
export async function englishBundle(): Promise<Bundle> {
  const own = await extracted(hostFiles().map(({ text }) => text));
  return sorted(Object.fromEntries([...own, ...(await tableSentences())].map((sentence) => [sentence, sentence])));
}

/** Calls of `t` in the host whose text is not one plain literal. */
export function unreadableCalls(): readonly Unreadable[] {
  return hostFiles()
    .filter(({ file }) => !TAKES_TABLES.has(file))
    .flatMap(({ file, text }) => unreadableIn(file, text));
}

/** Calls in one text; exported for tests. */
export function unreadableIn(file: string, text: string): readonly Unreadable[] {
  const full = asFullCalls(text);
  return [...full.matchAll(/\bl10n\.t\((?!\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*[,)])/g)].map(
    ({ index }) => ({
      file,
      line: full.slice(0, index).split('\n').length,
      call: full.slice(index, index + 60).split('\n')[0] ?? '',
    }),
  );
}

/** The strings of sources, each as it is written there. */
export async function extracted(texts: readonly string[]): Promise<readonly string[]> {
  // As one text, since the extractor takes as long to begin with a file as with all of them.
  const bodies = texts.map((text) => asFullCalls(text).replaceAll(/^import [^;]*;$/gm, ''));
  const contents = ["import * as vscode from 'vscode';", ...bodies].join('\n');
  return Object.keys(await getL10nJson([{ extension: '.ts', contents }]));
}

/** The extractor does not follow `const { t } = vscode.l10n`, which is how our files shorten it. */
function asFullCalls(text: string): string {
  const short = /^\s*const \{ t \} = vscode\.l10n;$/gm;
  return text.search(short) >= 0 ? text.replaceAll(short, '').replaceAll(/(?<![\w.$])t\(/g, 'vscode.l10n.t(') : text;
}

function hostFiles(): readonly { readonly file: string; readonly text: string }[] {
  return globSync(['src/extension.ts', 'src/host/**/*.ts'], { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** Every value of every table in `src/protocol/texts`: core and lint say nothing else. */
async function tableSentences(): Promise<readonly string[]> {
  const files = globSync('src/protocol/texts/*.ts', { cwd: root });
  const modules: readonly Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(path.join(root, file)).href)),
  );
  return modules.flatMap((module) => Object.values(module).flatMap(sentencesOf));
}

function sentencesOf(table: unknown): readonly string[] {
  return typeof table === 'object' && table !== null
    ? Object.values(table).filter((value) => typeof value === 'string')
    : [];
}

/** By code unit, so that the order is the same on every machine. */
function sorted(bundle: Bundle): Bundle {
  return Object.fromEntries(Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1)));
}
