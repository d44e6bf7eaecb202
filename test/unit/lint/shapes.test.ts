import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LintEngine, languageOf } from '../../../src/lint/engine.ts';
import { fixtures, grammars } from './support.ts';

interface Sidecar {
  readonly file: string;
  /** 1-based lines by rule; what is absent is not expected anywhere. */
  readonly expected: Readonly<Partial<Record<keyof typeof RULES, readonly number[]>>>;
}

/** The sidecars' names of the rules that they speak of. */
const RULES = { R1: 'FL001', R2: 'FL002', R3: 'FL003', R4: 'FL004', R6: 'FL006', R7: 'FL007' } as const;

const folder = path.join(fixtures, 'shapes');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const shapes = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(read(file)) as Sidecar);

describe('the rules on the shapes', () => {
  const engine = new LintEngine(grammars);
  afterAll(() => engine.dispose());

  it('has all of them', () => {
    expect(shapes.length).toBe(78);
  });

  it.each(shapes)('$file', async ({ file, expected }) => {
    const languageId = languageOf(file);
    if (languageId === undefined) {
      throw new Error(`No language for ${file}`);
    }
    const result = await engine.lint({ path: file, text: read(file), languageId }, { confidence: 'medium' });
    const findings = result.kind === 'linted' ? result.findings : [];
    const lines = Object.entries(RULES).map(([name, rule]) => [
      name,
      findings.filter((finding) => finding.rule === rule).map(({ range }) => range.startLine + 1),
    ]);
    const none = Object.fromEntries(Object.keys(RULES).map((name) => [name, []]));
    expect(Object.fromEntries(lines)).toEqual({ ...none, ...expected });
  });
});
