import { describe, expect, it } from 'vitest';
import { attemptLines, outcomeText, reasonLines, sentence, verdictOf } from '../../../src/cli/formats/verdictText.ts';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import type { ChainId } from '../../../src/protocol/events.ts';
import { OUTCOME_KINDS, type Verdict } from '../../../src/protocol/outcome.ts';

const plain = (_style: string, text: string) => text;

const call: CallOutcome = {
  kind: 'success',
  detail: { signals: [], retry: 'never', end: { kind: 'result', result: {}, raw: '{}' } },
  chain: 'c' as ChainId,
  attempts: [
    { number: 1, outcome: 'timeout', retry: 'only_if_idempotent', durationMs: 500.4, delayMs: 0, reason: 'unknown.a' },
    { number: 2, outcome: 'success', retry: 'never', durationMs: 12, delayMs: 1000, reason: 'unknown.b' },
  ],
  stopped: 'unknown.c',
};

describe('outcomeText', () => {
  it('has a word for every outcome', () => {
    expect(OUTCOME_KINDS.map((kind) => outcomeText(kind, undefined, plain))).toEqual(
      OUTCOME_KINDS.map((kind) => kind.replaceAll('_', ' ')),
    );
  });

  it.each<[Verdict['partial'], string]>([
    [{ done: 7, total: 10, missing: [] }, 'partial 7/10'],
    [{ done: 7, missing: [] }, 'partial'],
  ])('counts %j', (partial, expected) => {
    expect(outcomeText('partial', partial, plain)).toBe(expected);
  });
});

describe('sentence', () => {
  it('quotes hostile arguments harmlessly and at bounded length', () => {
    expect(sentence('{a}', { a: '\u001b]0;x\u0007' })).toBe('\\u001b]0;x\\u0007');
    expect(sentence('{a}', { a: 'x'.repeat(10_000) })).toHaveLength(401);
  });
});

describe('reasonLines', () => {
  it('tell why, where, what is missing and whether to repeat it', () => {
    const verdict: Verdict = {
      outcome: 'partial',
      retry: 'never',
      signals: [
        { code: 'first {x}', strength: 'strong', pointer: '/result/a', args: { x: 1 } },
        { code: 'second', strength: 'weak', pointer: '', args: {} },
      ],
      partial: { missing: Array.from({ length: 21 }, (_, index) => `row ${index}`) },
    };
    const lines = reasonLines(verdict, plain);
    expect(lines.slice(0, 3)).toEqual([
      '  why      first 1 (strong at /result/a)',
      '  why      second (weak)',
      '  missing  row 0',
    ]);
    expect(lines.slice(-2)).toEqual([
      '  missing  … and 1 more',
      '  retry    never: there is nothing to be gained by sending the same request again',
    ]);
  });

  it('gives no advice where nothing failed', () => {
    expect(reasonLines({ outcome: 'success', retry: 'never', signals: [] }, plain)).toEqual([]);
  });
});

describe('attemptLines', () => {
  it('tell of each attempt when there were more than one', () => {
    expect(attemptLines(call, plain)).toEqual([
      '  attempt  1: timeout in 500 ms unknown.a',
      '  attempt  2 after 1000 ms: success in 12 ms unknown.b',
    ]);
    expect(attemptLines({ ...call, attempts: call.attempts.slice(1) }, plain)).toEqual([]);
  });
});

it('verdictOf is the verdict that the call ended with', () => {
  const partial = { missing: [] };
  expect(verdictOf({ ...call, detail: { ...call.detail, partial } })).toEqual({
    outcome: 'success',
    retry: 'never',
    signals: [],
    partial,
  });
});
