import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { LintEngine, type LintResult, languageOf } from '../../../src/lint/engine.ts';
import { frontEnds } from '../../../src/lint/languages/frontEnd.ts';
import { Pacer } from '../../../src/lint/pacer.ts';
import { TreeSitter } from '../../../src/lint/treeSitter.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import { applyFix } from './applyFix.ts';
import { fixtures, grammars } from './support.ts';

const folder = path.join(fixtures, 'shapes');
const files = readdirSync(folder).filter((file) => !file.endsWith('.json'));
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

const engine = new LintEngine(grammars);
const pacer = new Pacer(systemClock, () => false);
const parser = await TreeSitter.create((file) => grammars.load(file));
afterAll(() => {
  engine.dispose();
  parser.dispose();
});

function language(file: string) {
  const id = languageOf(file);
  if (id === undefined) {
    throw new Error(`No language for ${file}`);
  }
  return id;
}

async function findingsOf(file: string, text: string): Promise<readonly Finding[]> {
  const result: LintResult = await engine.lint({ path: file, text, languageId: language(file) }, { confidence: 'low' });
  return result.kind === 'linted' ? result.findings : [];
}

async function hasSyntaxError(file: string, text: string): Promise<boolean> {
  const tree = await parser.parse({ path: file, text, grammar: frontEnds[language(file)].grammar }, pacer);
  return tree?.hasError ?? true;
}

describe('every fix of every shape', () => {
  it.each(files)('%s', async (file) => {
    const text = read(file);
    const before = await findingsOf(file, text);
    for (const finding of before) {
      for (const fix of finding.fixes) {
        const fixed = applyFix(text, fix);
        const after = await findingsOf(file, fixed);
        expect(await hasSyntaxError(file, fixed), fixed).toBe(false);
        // The finding is gone, and no rule finds more than before.
        const count = (rule: string, all: readonly Finding[]) => all.filter((it) => it.rule === rule).length;
        expect(count(finding.rule, after), fixed).toBeLessThan(count(finding.rule, before));
        expect(
          after.filter((it) => count(it.rule, after) > count(it.rule, before)),
          fixed,
        ).toEqual([]);
      }
      expect(finding.fixes.filter(({ isPreferred }) => isPreferred).length).toBeLessThanOrEqual(1);
    }
  });

  it('mends most of what is found', async () => {
    const all = (await Promise.all(files.map((file) => findingsOf(file, read(file)))))
      .flat()
      .filter(({ rule }) => rule === 'FL001');
    const mended = all.filter(({ fixes }) => fixes.length > 0);
    expect(mended.length / all.length).toBeGreaterThan(0.9);
  });
});
