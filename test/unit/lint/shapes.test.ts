import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LintEngine, languageOf } from '../../../src/lint/engine.ts';
import { fixtures, grammars } from './support.ts';

interface Sidecar {
  readonly file: string;
  readonly expected: { readonly R1: readonly number[] };
}

const folder = path.join(fixtures, 'shapes');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const shapes = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(read(file)) as Sidecar);

describe('FL001 on the shapes', () => {
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
    const lines = result.kind === 'linted' ? result.findings.map(({ range }) => range.startLine + 1) : result.reason;
    expect(lines).toEqual(expected.R1);
  });
});
