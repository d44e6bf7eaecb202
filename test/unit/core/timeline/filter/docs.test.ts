import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILTER_KEYS, HAS_GROUPS, IS_GROUPS } from '../../../../../src/core/timeline/filter/keys.ts';
import { MAX_DEPTH, MAX_FILTER_LENGTH, MAX_TERMS } from '../../../../../src/core/timeline/filter/limits.ts';
import { parseFilter } from '../../../../../src/core/timeline/filter/parse.ts';
import { ROW_KINDS } from '../../../../../src/protocol/exchange.ts';
import { MARKS } from '../../../../../src/protocol/outcome.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../../../docs/filter.md'), 'utf8');

/** The rows of the tables, as their cells. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('| -'))
  .map((line) => line.slice(1, -1).split('|'));

const codeOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

describe('the reference of the filter', () => {
  it('has a row for each key, in the order of the grammar', () => {
    const keys = rows.filter((cells) => cells.length === 3).map(([key]) => codeOf(key)[0]);
    expect(keys.filter((key) => key !== undefined)).toEqual(Object.keys(FILTER_KEYS));
  });

  it('names every choice that is not an outcome', () => {
    const valuesOf = (key: string) => codeOf(rows.find(([name]) => name?.trim() === `\`${key}\``)?.[1]);
    expect(valuesOf('is').sort()).toEqual([...IS_GROUPS, ...ROW_KINDS].sort());
    expect(valuesOf('has').sort()).toEqual([...HAS_GROUPS, ...MARKS].sort());
    expect(valuesOf('from')).toEqual(['client', 'server']);
  });

  it('gives examples that are filters', () => {
    const examples = [
      ...rows.flatMap((cells) => codeOf(cells.length === 3 ? cells[2] : cells[0])),
      ...(/```\n(.*)\n```/.exec(page)?.slice(1) ?? []),
    ];
    expect(examples.length).toBeGreaterThan(25);
    expect(examples.filter((example) => parseFilter(example).kind === 'error')).toEqual([]);
  });

  it('tells the limits', () => {
    expect(page).toContain(`${MAX_FILTER_LENGTH} characters, ${MAX_TERMS} terms, and ${MAX_DEPTH} parentheses`);
  });
});
