import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { textOf } from './support/attackTexts.ts';
import { type Growth, growthOf } from './support/growth.ts';
import { composedPatterns, literalPatterns, type OwnPattern, ROOT, sourceFiles } from './support/ownPatterns.ts';

/** Patterns whose steps grow faster than their text, which is therefore cut: where they begin, and how long it can be. */
const GIVEN_SHORT_TEXTS: readonly (readonly [file: string, source: string, mostCharacters: number, by: string])[] = [
  ['src/core/classify/causes.ts', 'fetch failed|timed', 2601, 'HEAD and TAIL'],
  ['src/core/classify/detectors/accounts.ts', '\\b(?:showing|displaying|page', 600, 'MAX_SUMMARY'],
  ['src/core/classify/detectors/counts.ts', '\\b(?:showing|shows?|', 1500, 'MAX_SUMMARY'],
  ['src/core/classify/detectors/counts.ts', ',\\s+|\\s+(?:and|und', 1500, 'MAX_SUMMARY'],
  ['src/core/classify/detectors/failureWords.ts', '^\\W{0,2}(?!last |latest |previous', 400, 'undecorated'],
  ['src/core/log/redact/userPatterns.ts', '\\[(?:[^\\]])*\\]', 500, 'MAX_PATTERN'],
  ['src/lint/fixes/typescriptParts.ts', '^catch\\s*', 200, 'a slice'],
  ['src/lint/rules/hiddenPartial.ts', '(?:OSError|IOError', 200, 'LONGEST_NAME'],
];

/** Modules that make patterns while they run, of what. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'src/core/export/copyAs/pytestTest.ts': 'a name of our own, between word boundaries',
  'src/core/log/redact/userPatterns.ts': 'what a person sets, refused where it could be slow',
  'src/core/mock/answerBook.ts': 'the placeholder of the log',
  'src/core/replay/suites/linearPattern.ts': 'one class of a pattern that is run as an automaton',
  'src/lint/languages/ruby/strings.ts': 'the word that a heredoc names, on at most 600 characters',
};

const files = sourceFiles('src', 'webview');
const composing = files.filter((file) => /\bRegExp\(/.test(readFileSync(path.join(ROOT, file), 'utf8')));
const composed = await composedPatterns(composing);
const patterns = new Map(
  [...(await literalPatterns(files)), ...composed].map((pattern) => [`${pattern.file} ${pattern.regex}`, pattern]),
);

const exceptionOf = ({ file, regex }: OwnPattern) =>
  GIVEN_SHORT_TEXTS.find(([where, begins]) => where === file && regex.source.startsWith(begins));

const measured = new Map<OwnPattern, Growth>();
for (const pattern of patterns.values()) {
  const growth = growthOf(pattern.regex);
  if (growth !== undefined) {
    measured.set(pattern, growth);
  }
}

describe('what counts the steps of a pattern', () => {
  it.each([
    /(a+)+$/,
    /(?:a|a)*b/,
    /^(?:\w+\s?)*$/,
    /\s+$/,
    /x*x*y/,
    /\d+\.\d+/,
    /[^,]*?,/g,
    /<!--.*-->/,
    /(.*),(.*),(.*)$/,
    /^[\s>|]*[\w+/=:, -]*\s*$/,
    /(?<name>[a-z]+)\k<name>/,
  ])('finds that %s takes more than time linear in its text', (regex) => expect(growthOf(regex)?.isLinear).toBe(false));

  it.each([
    /^\s*x/,
    /(?<!\s)\s+$/,
    /^\d[\d_.]*(?:[A-Za-z]\w*)?$/,
    /^(.)\1*$/,
    /\b\w{1,64}@/,
    /"(?:[^"\\]|\\.)*"/y,
    /^(?:a|b)*$/,
    /^(?:x?)*$/,
    /"[^"]*"/g,
  ])('finds that %s does not', (regex) => expect(growthOf(regex)?.isLinear).toBe(true));
});

describe('a pattern of our own', () => {
  it('is found in the sources, whether it is written or put together', () => {
    expect(patterns.size).toBeGreaterThan(1000);
    expect(measured.size).toBeGreaterThan(400);
    const without = composing.filter((file) => !composed.some((pattern) => pattern.file === file));
    expect(without.toSorted()).toEqual(Object.keys(MADE_LATER).toSorted());
  });

  it('takes time linear in its text, or is given a short one', () => {
    const superlinear = [...measured].filter(
      ([pattern, { isLinear }]) => !isLinear && exceptionOf(pattern) === undefined,
    );
    expect(superlinear.map(([{ file, line, regex }, { worst }]) => ({ at: `${file}:${line}`, regex, worst }))).toEqual(
      [],
    );
  });

  it('is named as an exception only as long as it is one', () => {
    const grows = GIVEN_SHORT_TEXTS.map((exception) =>
      [...measured].some(([pattern, { isLinear }]) => exceptionOf(pattern) === exception && !isLinear),
    );
    expect(grows).toEqual(GIVEN_SHORT_TEXTS.map(() => true));
  });

  it('is done with on what is hardest for it, however long that is', { timeout: 120_000 }, async () => {
    const runs = [...measured].map(
      ([pattern, { worst }]) => [pattern.regex, textOf(worst, exceptionOf(pattern)?.[2] ?? 50_000)] as const,
    );
    expect(await everRun(runs)).toBe(runs.length);
  });
});

/** Tries each pattern on its text in a thread of its own; how many were done before patience ended, which is generous. */
function everRun(runs: readonly (readonly [RegExp, string])[]): Promise<number> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    let done = 0;
    for (const [regex, text] of workerData) {
      text.replace(regex, '');
      done += 1;
      parentPort.postMessage(done);
    }`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: runs });
    let done = 0;
    const patience = setTimeout(() => void worker.terminate(), 90_000);
    worker.on('message', (count: number) => {
      done = count;
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(patience);
      resolve(done);
    });
  });
}
