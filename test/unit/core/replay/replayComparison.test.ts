import { describe, expect, it } from 'vitest';
import { compareReplay } from '../../../../src/core/replay/replayComparison.ts';
import type { CallOutcome, RawEnd } from '../../../../src/protocol/call.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';

const answer = (result: JsonValue, id = 1): RawEnd => ({
  kind: 'result',
  result,
  raw: JSON.stringify({ jsonrpc: '2.0', id, result }),
});

function ended(kind: OutcomeKind, end: RawEnd, more: Partial<CallOutcome> & { attempts?: never; count?: number } = {}) {
  const { count = 1, ...rest } = more;
  const attempts = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    outcome: kind,
    retry: 'never' as const,
    durationMs: 200,
    delayMs: index === 0 ? 0 : 1000,
    reason: 'retry.first',
  }));
  return {
    kind,
    detail: { signals: [], retry: 'never', end },
    chain: 'c' as never,
    stopped: 'retry.answered',
    ...rest,
    attempts,
  } satisfies CallOutcome;
}

const recorded = (outcome: OutcomeKind | undefined, result?: JsonValue) => ({
  outcome,
  attempts: 1,
  timeMs: 50,
  answer: result === undefined ? undefined : { jsonrpc: '2.0', id: 77, result },
});

describe('compareReplay', () => {
  it('says what became better, on which attempt and after how long', () => {
    const compared = compareReplay(
      recorded('tool_error', { isError: true, content: [] }),
      ended('success', answer({ content: [] }), { count: 2 }),
    );
    expect(compared).toMatchObject({
      verdict: 'better',
      change: {
        code: 'diff.changedOnAttempt',
        args: { before: 'tool_error', after: 'success', attempt: 2, seconds: '1.4' },
      },
      diff: { isSame: false, isEquivalent: false },
    });
    const changes = compared.diff.changes.map(({ pointer, kind, isVolatile }) => ({ pointer, kind, isVolatile }));
    expect(changes).toEqual([
      { pointer: '/id', kind: 'changed', isVolatile: true },
      { pointer: '/result/isError', kind: 'removed', isVolatile: false },
    ]);
  });

  it('takes answers for the same that differ in what changes by itself', () => {
    const at = (time: string) => ({ content: [], structuredContent: { checkedAt: time } });
    const after = ended('success', answer(at('2026-01-02T10:00:00Z')));
    const { verdict, diff } = compareReplay(recorded('success', at('2025-01-02T10:00:00Z')), after);
    expect({ verdict, isSame: diff.isSame, isEquivalent: diff.isEquivalent }).toEqual({
      verdict: 'same',
      isSame: false,
      isEquivalent: true,
    });
  });

  const refused: RawEnd = { kind: 'transport', failure: { reason: 'refused', message: 'no' } };
  const lost: RawEnd = { kind: 'transport', failure: { reason: 'exited', message: 'gone' } };
  const cancelled: RawEnd = { kind: 'cancelled', by: 'user' };
  it.each([
    ['success', 'success', answer({}), 'same'],
    ['success', 'tool_error', answer({}), 'worse'],
    ['success', 'partial', answer({}), 'worse'],
    ['silent_error', 'tool_error', answer({}), 'better'],
    ['tool_error', 'silent_error', answer({}), 'worse'],
    ['timeout', 'transport_error', lost, 'same'],
    ['tool_error', 'protocol_error', answer({}), 'worse'],
    [undefined, 'success', answer({}), 'better'],
    ['transport_error', 'transport_error', refused, 'failed'],
    ['cancelled', 'cancelled', cancelled, 'failed'],
  ] as const)('judges %s → %s', (was, is, end, verdict) => {
    expect(compareReplay(recorded(was), ended(is, end)).verdict).toBe(verdict);
  });

  it.each([
    ['in a wait', ended('tool_error', answer({}), { stopped: 'retry.cancelled' }), 'replay.cancelled'],
    ['before anything was sent', ended('cancelled', cancelled, { count: 0 }), 'replay.cancelledUnsent'],
  ])('says that it was stopped %s, whatever came before', (_name, after, code) => {
    expect(compareReplay(recorded('success'), after)).toMatchObject({ verdict: 'failed', change: { code } });
  });
});
