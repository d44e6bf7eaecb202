// Last finding: 1.75 to 1.81 beside four other busy processes on two cores, and up to 1.96 before all is compiled. In parses: copying the
// tree takes 0.22, lowering and indexing 0.2, following 0.12, the rules 0.2, and collecting garbage 0.08.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Language, Parser } from 'web-tree-sitter';
import { systemClock } from '../../src/base/systemClock.ts';
import { type LintDocument, LintEngine, languageOf } from '../../src/lint/engine.ts';
import { frontEnds } from '../../src/lint/languages/frontEnd.ts';
import { type BenchResult, processTimeSince, ratioOf, rounded } from './bench.ts';
import { generatedServer, loadGrammar } from './lintSources.ts';

const GOAL = 2;
const WARM_ROUNDS = 200;
const root = path.resolve(import.meta.dirname, '../..');

/**
 * The lint's whole time by the bare parse of the same files: the fixtures and a server of 1,000 lines a language. Processor time
 * of all threads, those that collect garbage included: on a shared machine the time that passes is mostly that of others.
 */
export async function lintParse(): Promise<BenchResult[]> {
  const documents = [...fixtures(), generatedServer('server.py', 1000), generatedServer('server.ts', 1000)];
  // Work is measured, not the pauses in which it gives way to others.
  const engine = new LintEngine({ load: loadGrammar }, { ...systemClock, sleep: () => Promise.resolve('elapsed') });
  // The first to start the parser decides how trees are walked: the engine, as in an editor.
  await engine.lint(generatedServer('server.py', 50), { confidence: 'medium' });
  const parsers = await parsersFor(documents);
  let round = 0;
  const lintAll = async () => {
    round++;
    const start = process.cpuUsage();
    for (const document of documents) {
      // A path of its own each time: an incremental parse would flatter us.
      await engine.lint({ ...document, path: `${round}/${document.path}` }, { confidence: 'medium' });
    }
    return processTimeSince(start);
  };
  const parseAll = () => {
    const start = process.cpuUsage();
    for (const { text, languageId } of documents) {
      parsers.get(frontEnds[languageId].grammar)?.parse(text)?.delete();
    }
    return processTimeSince(start);
  };
  // An editor's host lives for hours: measure code that is compiled, as the parser's always is.
  for (let warm = 0; warm < WARM_ROUNDS; warm++) {
    await lintAll();
  }
  const { ours, baseline, ratio } = await ratioOf(lintAll, parseAll, 31);
  engine.dispose();
  return [
    {
      name: 'lint.vsParse',
      value: rounded(ours),
      unit: 'ms',
      baseline: rounded(baseline),
      ratio: rounded(ratio),
      goal: `≤ ${GOAL}`,
      ok: ratio <= GOAL,
    },
  ];
}

function fixtures(): LintDocument[] {
  const folder = path.join(root, 'test/fixtures/lint/shapes');
  return readdirSync(folder).flatMap((file) => {
    const languageId = languageOf(file);
    return languageId === undefined
      ? []
      : [{ path: file, text: readFileSync(path.join(folder, file), 'utf8'), languageId }];
  });
}

async function parsersFor(documents: readonly LintDocument[]): Promise<Map<string, Parser>> {
  await Parser.init({ wasmBinary: await loadGrammar('web-tree-sitter.wasm') });
  const parsers = new Map<string, Parser>();
  for (const { languageId } of documents) {
    const { grammar } = frontEnds[languageId];
    if (!parsers.has(grammar)) {
      const language = await Language.load(await loadGrammar(`tree-sitter-${grammar}.wasm`));
      parsers.set(grammar, new Parser().setLanguage(language));
    }
  }
  return parsers;
}
