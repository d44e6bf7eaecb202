import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { parseFrame } from '../../../../src/core/transport/envelope.ts';
import { ReplayRows } from '../../../../src/host/replay/replayRows.ts';
import type { ChainId, EventBody, LogEvent, Origin } from '../../../../src/protocol/events.ts';

const chain = (name: string) => name as ChainId;

const announced = (name: string, number: number): EventBody => ({
  kind: 'attempt',
  chain: chain(name),
  number,
  maxAttempts: 3,
  decision: 'send',
  token: `${name}.${number}`,
  reason: 'retry.replay',
});

function sent(token: string): EventBody {
  const raw = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: token } } });
  return { kind: 'message', direction: 'sent', raw, bytes: raw.length, envelope: parseFrame(raw).envelope };
}

function rowsOf(bodies: readonly EventBody[], origin: Origin = 'replay'): ReplayRows {
  const appended = new Emitter<readonly LogEvent[]>();
  const rows = new ReplayRows({ onDidAppend: appended.event });
  bodies.forEach((body, index) => {
    const context = { session: 's', server: 'x', connection: 'c', wallUs: 0, monoUs: 0, origin };
    appended.fire([{ ...context, seq: index + 1, body } as LogEvent]);
  });
  return rows;
}

describe('ReplayRows', () => {
  it('gives the row of the first attempt, of replays that run beside each other', () => {
    const rows = rowsOf([
      announced('a', 1),
      announced('b', 1),
      sent('b.1'),
      sent('a.1'),
      announced('a', 2),
      sent('a.2'),
    ]);
    expect([rows.rowOf(chain('a')), rows.rowOf(chain('b')), rows.rowOf(chain('c'))]).toEqual([4, 3, undefined]);
  });

  it.each([
    ['a call of the client', [announced('a', 1), sent('a.1')], 'client'],
    ['one that was never sent', [announced('a', 1)], 'replay'],
  ] as const)('has none for %s', (_name, bodies, origin) => {
    expect(rowsOf(bodies, origin).rowOf(chain('a'))).toBeUndefined();
  });

  it('listens no more once it is disposed', () => {
    const appended = new Emitter<readonly LogEvent[]>();
    const rows = new ReplayRows({ onDidAppend: appended.event });
    rows.dispose();
    const context = { session: 's', server: 'x', connection: 'c', wallUs: 0, monoUs: 0, origin: 'replay' };
    appended.fire([{ ...context, seq: 1, body: announced('a', 1) } as LogEvent]);
    appended.fire([{ ...context, seq: 2, body: sent('a.1') } as LogEvent]);
    expect(rows.rowOf(chain('a'))).toBeUndefined();
  });
});
