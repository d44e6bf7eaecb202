import { describe, expect, it } from 'vitest';
import { bestSearch, firstSearch, NO_SCORE, scored, sharesOf } from '../../../bench/peers/lintScore.ts';

describe('the score of what was found', () => {
  it.each<[string, { wanted: number[]; unsure: number[] }, number[], object]>([
    ['the line itself', { wanted: [10], unsure: [] }, [10], { labelled: 1, found: 1, wrong: 0 }],
    ['the statement that begins there', { wanted: [10], unsure: [] }, [9, 16], { labelled: 1, found: 1, wrong: 0 }],
    ['another statement', { wanted: [10], unsure: [] }, [8, 17], { labelled: 1, found: 0, wrong: 2 }],
    ['what one can differ on', { wanted: [], unsure: [5] }, [5], { wrong: 0, cleanFiles: 1, alarmedFiles: 0 }],
    ['a clean file', { wanted: [], unsure: [] }, [], { cleanFiles: 1, alarmedFiles: 0 }],
    ['a false alarm', { wanted: [], unsure: [] }, [1, 30], { wrong: 2, cleanFiles: 1, alarmedFiles: 1 }],
  ])('%s', (_, labels, reported, expected) => {
    expect(scored(NO_SCORE, labels, reported)).toEqual({ ...NO_SCORE, ...expected });
  });

  it('adds up over files, and tells shares', () => {
    const first = scored(NO_SCORE, { wanted: [1, 20], unsure: [] }, [1, 50]);
    const both = scored(first, { wanted: [5], unsure: [] }, [5]);
    expect(sharesOf(both)).toEqual({ precision: 2 / 3, recall: 2 / 3 });
    expect(sharesOf(NO_SCORE)).toEqual({ precision: Number.NaN, recall: Number.NaN });
  });
});

describe('the searches by text', () => {
  it.each<[string, string, readonly number[], readonly number[]]>([
    ['a returned text', 'x = 1\n    return "Error: no such book"', [2], [2]],
    ['a formatted one', 'return f"Error {e}"', [1], [1]],
    ['another word', 'return "Could not open it"', [], [1]],
    ['a message of an exception', 'return String(err)', [], [1]],
    ['a member', '  "error": text,', [], [1]],
    ['a success flag', '{ success: false }', [], [1]],
    ['the flag near by', 'return {\n  text: "Failed: " + e,\n  isError: true }', [], []],
    ['a raise', 'raise ToolError("not found")', [], []],
    ['a log', 'logger.error("failed"); return "failed"', [], []],
    ['a good answer', 'return "three books"', [], []],
  ])('%s', (_, text, first, best) => {
    expect({ first: firstSearch(text), best: bestSearch(text) }).toEqual({ first, best });
  });
});
