import { describe, expect, it } from 'vitest';
import { projectionLine } from '../../../../src/core/export/projectionText.ts';
import type { Anomaly, AnomalyCode } from '../../../../src/protocol/anomaly.ts';
import type { Exchange } from '../../../../src/protocol/exchange.ts';

const base: Exchange = {
  key: 7,
  kind: 'request',
  session: 's1' as Exchange['session'],
  server: 'demo:shop' as Exchange['server'],
  connection: 'c1' as Exchange['connection'],
  origin: 'client',
  initiator: 'client',
  startUs: 1000,
  method: 'tools/call',
  related: [],
  bytes: 10,
  verdict: undefined,
  marks: [],
};

const anomaly = (code: AnomalyCode): Anomaly => ({
  code,
  severity: 'note',
  group: 'transport',
  args: {},
  seq: 7,
});

describe('a projected exchange on one line', () => {
  it.each<[string, Partial<Exchange>, string]>([
    ['pending', {}, '#7 demo:shop request tools/call  by client  pending  10 B'],
    [
      'whole',
      {
        target: 'get_stock',
        requestId: 'a',
        origin: 'replay',
        endUs: 3500,
        endSeq: 9,
        related: [8, 10],
        marks: ['retried', 'replay'],
        anomalies: [anomaly('stdoutNoise'), anomaly('sessionOnModern')],
        group: { kind: 'mrtr', head: 5, index: 1, activeUs: 1500 },
        replayOf: 3,
        verdict: {
          outcome: 'partial',
          retry: 'never',
          signals: [{ code: 'signal.x', strength: 'strong', pointer: '/result/a b', args: {} }],
          partial: { done: 7, total: 10, missing: ['one'] },
        },
        chain: { id: 'k1' as never, head: 5, attempt: 2, maxAttempts: 3, delayMs: 100, reason: 'retry.lost' },
      },
      '#7 demo:shop request tools/call "get_stock"  id="a"  by client (replay)  partial/never  7/10 -"one"  because signal.x@"/result/a b"  [retried replay]  unusual stdoutNoise,sessionOnModern  end=#9 after 2.5 ms  related=#8,#10  10 B  chain=k1 2/3 head=#5 delay=100 retry.lost  mrtr[1] head=#5 active=1.5 ms  replays #3',
    ],
    [
      'lost',
      {
        endUs: 2000,
        endSeq: 8,
        failure: { reason: 'exited', message: 'x', exitCode: 3, exitSignal: null, stderrTail: ['a\nb'] },
      },
      '#7 demo:shop request tools/call  by client  end=#8 after 1 ms  10 B  failure=exited 3 "a\\nb"',
    ],
    [
      'with a hostile name',
      { method: 'x\ny', target: '"' },
      '#7 demo:shop request "x\\ny" "\\""  by client  pending  10 B',
    ],
  ])('%s', (_, more, expected) => {
    expect(projectionLine({ ...base, ...more })).toBe(expected);
  });
});
