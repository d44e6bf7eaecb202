import { describe, expect, it } from 'vitest';
import { callKey, LoopGuard } from '../../../../src/core/resilience/loopGuard.ts';
import type { CallOutcome } from '../../../../src/protocol/call.ts';
import type { ChainId } from '../../../../src/protocol/events.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';

const outcome = (kind: OutcomeKind, attempts = 1): CallOutcome => ({
  kind,
  detail: { signals: [], retry: 'never', end: { kind: 'cancelled', by: 'user' } },
  chain: 'c' as ChainId,
  attempts: Array.from({ length: attempts }, (_, index) => ({
    number: index + 1,
    outcome: kind,
    retry: 'never',
    durationMs: 0,
    delayMs: 0,
    reason: '',
  })),
  stopped: '',
});

describe('the loop guard', () => {
  it.each<[string, OutcomeKind[], number | undefined]>([
    ['too few failures', ['tool_error', 'tool_error'], undefined],
    ['three failures of any kind', ['tool_error', 'timeout', 'silent_error'], 3],
    ['more', ['tool_error', 'tool_error', 'tool_error', 'protocol_error'], 4],
    ['a success between', ['tool_error', 'tool_error', 'success', 'tool_error'], undefined],
    ['a part between', ['tool_error', 'tool_error', 'partial', 'tool_error'], undefined],
    ['what says nothing between', ['tool_error', 'cancelled', 'tool_error', 'input_required', 'tool_error'], 3],
  ])('after %s', (_name, kinds, count) => {
    const guard = new LoopGuard();
    for (const kind of kinds) {
      guard.ended(() => 'k', outcome(kind));
    }
    expect(guard.check('k', 3)?.count).toBe(count);
    expect(guard.check('other', 3)).toBeUndefined();
    expect(guard.check('k', 0)).toBeUndefined();
  });

  it('begins anew when another call succeeded, since that may have changed what this one failed of', () => {
    const guard = new LoopGuard();
    for (let calls = 0; calls < 3; calls += 1) {
      guard.ended(() => 'k', outcome('tool_error'));
    }
    guard.ended(() => 'other', outcome('success'));
    expect(guard.check('k', 3)).toBeUndefined();
  });

  it('does not count what was not sent', () => {
    const guard = new LoopGuard();
    for (let calls = 0; calls < 5; calls += 1) {
      guard.ended(() => 'k', outcome('transport_error', 0));
    }
    expect(guard.check('k', 3)).toBeUndefined();
  });

  it('forgets the oldest of very many', () => {
    const guard = new LoopGuard();
    for (let call = 0; call < 400; call += 1) {
      guard.ended(() => String(call), outcome('tool_error'));
    }
    expect([guard.check('0', 1), guard.check('399', 1)?.count]).toEqual([undefined, 1]);
  });
});

describe('the key of a call', () => {
  it.each([
    [
      { name: 'a', arguments: { x: 1, y: [1, { z: 2, w: 3 }] } },
      { arguments: { y: [1, { w: 3, z: 2 }], x: 1 }, name: 'a' },
      true,
    ],
    [{ name: 'a', _meta: { progressToken: 1 } }, { name: 'a' }, true],
    [{ name: 'a', arguments: { x: [1, 2] } }, { name: 'a', arguments: { x: [2, 1] } }, false],
    [{ name: 'a' }, { name: 'b' }, false],
  ])('of %j and %j', (a, b, isSame) => {
    expect(callKey('tools/call', a) === callKey('tools/call', b)).toBe(isSame);
  });
});
