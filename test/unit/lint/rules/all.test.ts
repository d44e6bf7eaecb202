import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../../src/lint/rules/all.ts';
import { unusedSuppression } from '../../../../src/lint/rules/unusedSuppression.ts';
import { lintTexts } from '../../../../src/protocol/texts/lint.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const all = [unusedSuppression, ...rules];

/** The sections of a rule's page, in their order. */
const SECTIONS = ['What it does', 'Why it matters', 'Use instead', 'Fix safety', 'When not to use it'];

/** Files that hold a rule; tests of FL000 and FL001 are older than the tables. */
const TESTS: Readonly<Record<string, string>> = {
  FL000: 'test/unit/lint/suppressions.test.ts',
  FL001: 'test/unit/lint/fixTexts.test.ts',
};

describe('the rules', () => {
  it('have codes from FL000 on, without a gap, and names of their own', () => {
    expect(all.map(({ meta }) => meta.code)).toEqual(all.map((_, index) => `FL${String(index).padStart(3, '0')}`));
    expect(new Set(all.map(({ meta }) => meta.name)).size).toBe(all.length);
  });

  it.each(all.map(({ meta, messages }) => ({ ...meta, messages })))(
    '$code $name',
    ({ code, name, severity, messages }) => {
      const page = readFileSync(path.join(root, 'docs/rules', `${code}.md`), 'utf8');
      const headings = [...page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(
        ([, heading]) => heading,
      );
      expect(headings).toEqual([`${code} ${name}`, ...SECTIONS]);
      expect(page).toMatch(/```(?:python|ts|js)\n/);
      const index = readFileSync(path.join(root, 'docs/rules/README.md'), 'utf8');
      const row = index.split('\n').find((line) => line.includes(`[${code} ${name}](${code}.md)`));
      expect(row?.split('|')[3]?.trim()).toBe(severity);
      for (const message of Object.values(messages)) {
        expect(Object.keys(lintTexts)).toContain(message);
      }
      const file = name.replace(/-./g, (dash) => dash.slice(1).toUpperCase());
      const named = TESTS[code] ?? `test/unit/lint/rules/${TABLES[file] ?? file}.test.ts`;
      expect(existsSync(path.join(root, named)), named).toBe(true);
    },
  );
});

/** Files that are called less than their rule. */
const TABLES: Readonly<Record<string, string>> = { protocolErrorForToolFailure: 'protocolError' };
