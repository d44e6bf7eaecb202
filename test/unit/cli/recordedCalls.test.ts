import { describe, expect, it } from 'vitest';
import { chooseCalls } from '../../../src/cli/replay/recordedCalls.ts';
import type { ChainId, ConnectionId, ServerId, SessionId } from '../../../src/protocol/events.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { OutcomeKind } from '../../../src/protocol/outcome.ts';

const exchange = (key: number, outcome: OutcomeKind, more: Partial<Exchange> = {}): Exchange => ({
  key,
  kind: 'request',
  session: 's' as SessionId,
  server: 'x:shop' as ServerId,
  connection: 'c' as ConnectionId,
  origin: 'client',
  initiator: 'client',
  startUs: key,
  method: 'tools/call',
  related: [],
  bytes: 0,
  verdict: { outcome, retry: 'never', signals: [] },
  marks: [],
  ...more,
});

const attempt = (key: number, head: number, number: number, outcome: OutcomeKind) =>
  exchange(key, outcome, {
    chain: { id: 'a' as ChainId, head, attempt: number, maxAttempts: 3, delayMs: 0, reason: 'retry.first' },
  });

const keysOf = (exchanges: readonly Exchange[], isWanted?: (head: Exchange, end: Exchange) => boolean) =>
  chooseCalls(exchanges, isWanted).map(({ head, end }) => [head.key, end.key]);

describe('chooseCalls', () => {
  it('takes a chain of attempts for one call, which its last attempt ended', () => {
    const attempts = [attempt(1, 1, 1, 'timeout'), attempt(5, 1, 2, 'timeout'), attempt(9, 1, 3, 'success')];
    expect(keysOf([...attempts, exchange(3, 'success')])).toEqual([
      [1, 9],
      [3, 3],
    ]);
  });

  it.each([
    ['a replay', { marks: ['replay'] }],
    ['a probe', { marks: ['era_probe'] }],
    ['the handshake', { method: 'initialize' }],
    ['a notification', { kind: 'notification' }],
    ['a request of the server', { initiator: 'server' }],
    ['a further page', { group: { kind: 'pagination', head: 1, index: 1, activeUs: 0 } }],
    ['a further round', { group: { kind: 'mrtr', head: 1, index: 2, activeUs: 0 } }],
    ['a listing', { method: 'tools/list' }],
    ['a ping', { method: 'ping' }],
  ] as const)('leaves out %s', (_name, more) => {
    expect(keysOf([exchange(1, 'success', more)])).toEqual([]);
    expect(keysOf([exchange(1, 'success', more)], () => true)).toEqual([]);
  });

  it.each([
    ['tool_error', [[1, 1]]],
    ['success', []],
  ] as const)('takes a listing that is asked for only where it failed: %s', (outcome, keys) => {
    expect(keysOf([exchange(1, outcome, { method: 'tools/list' })], () => true)).toEqual(keys);
  });

  it('asks of the first attempt and of the last one', () => {
    const seen: [number, OutcomeKind | undefined][] = [];
    keysOf([attempt(1, 1, 1, 'timeout'), attempt(5, 1, 2, 'success')], (head, end) => {
      seen.push([head.key, end.verdict?.outcome]);
      return true;
    });
    expect(seen).toEqual([[1, 'success']]);
  });
});
