import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/systemClock.ts';
import { languageOf } from '../../../../src/lint/engine.ts';
import { frontEnds } from '../../../../src/lint/languages/frontEnd.ts';
import { Pacer } from '../../../../src/lint/pacer.ts';
import { TreeSitter } from '../../../../src/lint/treeSitter.ts';
import type { Finding } from '../../../../src/protocol/finding.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { applyFix } from '../applyFix.ts';
import { engine, findingsIn, linesIn } from '../lintText.ts';
import { fixtures, grammars } from '../support.ts';

interface Sidecar {
  readonly file: string;
  readonly expected: { readonly R1: readonly number[] };
}

/**
 * The tests that every language's shapes share: exact lines of FL001, and of each fix that it parses, removes its
 * finding and adds none. `least` shapes, of which five at least are clean; of the findings at least `mended` have a fix.
 */
export function testShapes(language: string, least: number, mended: number): void {
  const folder = path.join(fixtures, language);
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const shapes = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(read(file)) as Sidecar);
  const returned = async (file: string, text: string): Promise<readonly Finding[]> =>
    (await findingsIn(file, text)).filter(({ rule }) => rule === 'FL001');

  afterAll(() => engine.dispose());

  describe(`FL001 on the shapes of ${language}`, () => {
    it('has enough of them', () => {
      expect(shapes.length).toBeGreaterThanOrEqual(least);
      expect(shapes.filter(({ file }) => file.includes('_ok_')).length).toBeGreaterThanOrEqual(5);
    });

    it.each(shapes)('$file', async ({ file, expected }) => {
      const found = await returned(file, read(file));
      expect(found.map(({ range }) => range.startLine + 1)).toEqual(expected.R1);
    });
  });

  describe(`every fix of the shapes of ${language}`, async () => {
    const parser = await TreeSitter.create((file) => grammars.load(file));
    const pacer = new Pacer(systemClock, () => false);
    afterAll(() => parser.dispose());

    const hasSyntaxError = async (file: string, text: string) => {
      const id = languageOf(file);
      const tree =
        id === undefined ? undefined : await parser.parse({ path: file, text, grammar: frontEnds[id].grammar }, pacer);
      return tree?.hasError ?? true;
    };

    it.each(shapes)('$file', async ({ file }) => {
      const text = read(file);
      expect(await hasSyntaxError(file, text)).toBe(false);
      const before = await returned(file, text);
      for (const fix of before.flatMap(({ fixes }) => fixes)) {
        const fixed = applyFix(text, fix);
        expect(await hasSyntaxError(file, fixed), fixed).toBe(false);
        expect((await returned(file, fixed)).length, fixed).toBe(before.length - 1);
        expect(TEXTS[fix.title]).toBeTypeOf('string');
      }
    });

    it('mends most of what is found', async () => {
      const all = (await Promise.all(shapes.map(({ file }) => returned(file, read(file))))).flat();
      const fixed = all.filter(({ fixes }) => fixes.length > 0);
      expect(fixed.length / all.length).toBeGreaterThanOrEqual(mended);
    });
  });

  it(`survives broken ${language}, however it breaks off`, async () => {
    const whole = read(shapes[0]?.file ?? '');
    const file = shapes[0]?.file ?? '';
    const lengths = Array.from({ length: 12 }, (_, index) => Math.floor((whole.length * (index + 13)) / 24));
    const lines = await Promise.all(lengths.map((length) => linesIn(file, whole.slice(0, length))));
    expect(lines.length).toBe(lengths.length);
  });
}
