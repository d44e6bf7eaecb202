import { describe, expect, it } from 'vitest';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import { DURATIONS } from '../../../../src/core/timeline/toolTallies.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { attempt, exchange, verdict } from './support.ts';

function call(key: number, target: string, outcome: OutcomeKind, ms: number, server = 'test:shop') {
  const startUs = 1_700_000_000_000_000 + key * 1000;
  return exchange(key, {
    target,
    server: server as ServerId,
    verdict: verdict(outcome),
    startUs,
    endUs: startUs + ms * 1000,
    endSeq: key + 1,
  });
}

describe('tools', () => {
  it('counts calls by server, tool and outcome, those called last first', () => {
    const timeline = new Timeline();
    timeline.apply([
      call(1, 'search', 'success', 10),
      call(3, 'order', 'tool_error', 20),
      call(5, 'order', 'timeout', 9000),
      call(7, 'order', 'success', 30, 'test:other'),
      call(9, 'order', 'success', 40),
      exchange(11, { target: 'order' }),
      exchange(13, { method: 'tools/list', verdict: verdict('tool_error') }),
    ]);
    timeline.setFilter({ hiddenOutcomes: ['success'], text: 'nothing' });
    expect(timeline.tools()).toEqual([
      {
        server: 'test:shop',
        tool: 'order',
        calls: 4,
        outcomes: { success: 1, tool_error: 1, timeout: 1, pending: 1 },
        p95Ms: 40,
        lastFailure: 5,
      },
      { server: 'test:other', tool: 'order', calls: 1, outcomes: { success: 1 }, p95Ms: 30 },
      { server: 'test:shop', tool: 'search', calls: 1, outcomes: { success: 1 }, p95Ms: 10 },
    ]);
  });

  it('takes a chain of attempts for one call, with the outcome and the time of the last', () => {
    const timeline = new Timeline();
    const at = 1_700_000_000_000_000;
    timeline.apply([
      attempt(1, 1, 1, { target: 'order', verdict: verdict('transport_error'), startUs: at, endUs: at + 5_000_000 }),
      attempt(3, 1, 2, { target: 'order', verdict: verdict('success'), startUs: at, endUs: at + 7000 }),
    ]);
    expect(timeline.tools()).toEqual([
      { server: 'test:shop', tool: 'order', calls: 1, outcomes: { success: 1 }, p95Ms: 7 },
    ]);
  });

  it.each([
    ['of one', [5], 5],
    ['of twenty', Array.from({ length: 20 }, (_, index) => index + 1), 19],
    ['of the newest only', [...Array(50).fill(9000), ...Array(DURATIONS).fill(1)], 1],
  ])('gives the 95th percentile %s', (_name, durations, p95Ms) => {
    const timeline = new Timeline();
    timeline.apply(durations.map((ms, index) => call(1 + index * 2, 'search', 'success', ms)));
    expect(timeline.tools()[0]?.p95Ms).toBe(p95Ms);
  });
});

describe('failuresAfter', () => {
  it('counts what failed since, by its end and once a chain', () => {
    const timeline = new Timeline();
    timeline.apply([
      call(1, 'search', 'tool_error', 1),
      // Sent before, answered after.
      exchange(3, { target: 'search', verdict: verdict('timeout'), endSeq: 40 }),
      call(20, 'search', 'success', 1),
      call(22, 'search', 'silent_error', 1),
      exchange(24, { verdict: verdict('protocol_error'), marks: ['era_probe'], endSeq: 25 }),
      attempt(30, 30, 1, { verdict: verdict('transport_error'), endSeq: 31 }),
      attempt(32, 30, 2, { verdict: verdict('transport_error'), endSeq: 33 }),
      attempt(34, 34, 1, { verdict: verdict('transport_error'), endSeq: 35 }),
      attempt(36, 34, 2, { verdict: verdict('success'), endSeq: 37 }),
    ]);
    expect([0, 2, 23, 33, 40].map((seq) => timeline.failuresAfter(seq))).toEqual([4, 3, 2, 1, 0]);
    timeline.clear();
    expect(timeline.failuresAfter(0)).toBe(0);
  });
});
