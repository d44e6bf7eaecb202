import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LintEngine, languageOf } from '../../../src/lint/engine.ts';
import { fixtures, grammars } from '../../unit/lint/support.ts';
import { progress } from '../bench.ts';
import {
  bestSearch,
  firstSearch,
  type LabelledLines,
  type LintScore,
  NO_SCORE,
  scored,
  sharesOf,
} from './lintScore.ts';
import { OURS, type PeerRow } from './row.ts';

interface LabelledFile extends LabelledLines {
  readonly path: string;
  readonly text: string;
}

/** How those who look for tools that hide their failures fare on the same labelled files. */
export async function lintAccuracy(corpus: string | undefined): Promise<readonly PeerRow[]> {
  const snippets = await rowsOf('snippets of this repository', snippetFiles());
  if (corpus === undefined) {
    progress('lint accuracy: no --corpus, so only the snippets of this repository');
    return snippets;
  }
  return [...snippets, ...(await rowsOf('files of public servers', corpusFiles(corpus)))];
}

async function rowsOf(set: string, files: readonly LabelledFile[]): Promise<readonly PeerRow[]> {
  progress(`lint accuracy: ${files.length} ${set}`);
  const engine = new LintEngine(grammars);
  const ours = async (file: LabelledFile) => {
    const languageId = languageOf(file.path);
    const result =
      languageId === undefined
        ? undefined
        : await engine.lint({ path: file.path, text: file.text, languageId }, { confidence: 'medium' });
    return (result?.kind === 'linted' ? result.findings : [])
      .filter(({ rule }) => rule === 'FL001')
      .map(({ range }) => range.startLine + 1);
  };
  const subjects: readonly (readonly [
    string,
    (file: LabelledFile) => Promise<readonly number[]> | readonly number[],
  ])[] = [
    [OURS, ours],
    ['search for `return "Error`', ({ text }) => firstSearch(text)],
    ['best search by text', ({ text }) => bestSearch(text)],
  ];
  const scores: (readonly [string, LintScore])[] = [];
  try {
    for (const [name, find] of subjects) {
      let score = NO_SCORE;
      for (const file of files) {
        score = scored(score, file, await find(file));
      }
      scores.push([name, score]);
    }
  } finally {
    engine.dispose();
  }
  const measured = (what: string, value: (score: LintScore) => number, note: (score: LintScore) => string) =>
    scores.map(([subject, score]) => ({
      measure: `lint, ${files.length} ${set}: ${what}`,
      subject,
      value: value(score),
      unit: '',
      note: note(score),
    }));
  return [
    ...measured(
      'precision',
      (score) => sharesOf(score).precision,
      ({ wrong }) => `${wrong} false`,
    ),
    ...measured(
      'recall',
      (score) => sharesOf(score).recall,
      ({ found, labelled }) => `${found} of ${labelled} lines found`,
    ),
    ...measured(
      'clean files with a false alarm',
      ({ alarmedFiles }) => alarmedFiles,
      ({ cleanFiles }) => `of ${cleanFiles}`,
    ),
  ];
}

interface Sidecar {
  readonly file: string;
  readonly expected: { readonly R1?: readonly number[] };
}

function snippetFiles(): readonly LabelledFile[] {
  return globSync('*/*.json', { cwd: fixtures })
    .sort()
    .map((name) => {
      const sidecar = path.join(fixtures, name);
      const { file, expected } = JSON.parse(readFileSync(sidecar, 'utf8')) as Sidecar;
      const text = readFileSync(path.join(path.dirname(sidecar), file), 'utf8');
      return { path: file, text, wanted: expected.R1 ?? [], unsure: [] };
    });
}

interface Label {
  readonly file: string;
  readonly exhaustive_r1: boolean;
  readonly r1: readonly { readonly line: number }[];
  readonly ambiguous: readonly { readonly line: number }[];
}

/** The files that a list of labels names, materialised as docs/lint-accuracy.md says, with the list in the same folder. */
function corpusFiles(folder: string): readonly LabelledFile[] {
  const [list] = globSync('labels*.jsonl', { cwd: folder });
  if (list === undefined) {
    throw new Error(`${folder} holds no labels*.jsonl`);
  }
  return readFileSync(path.join(folder, list), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label)
    .filter((label) => label.exhaustive_r1 && existsSync(path.join(folder, label.file)))
    .map(({ file, r1, ambiguous }) => ({
      path: file,
      text: readFileSync(path.join(folder, file), 'utf8'),
      wanted: r1.map(({ line }) => line),
      unsure: ambiguous.map(({ line }) => line),
    }));
}
