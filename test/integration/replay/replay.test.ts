import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { learnTools, type ReplayRequest, replay } from '../../../src/core/replay/replay.ts';
import { compareReplay } from '../../../src/core/replay/replayComparison.ts';
import { type Lease, replayMany } from '../../../src/core/replay/replayMany.ts';
import { presetPolicy } from '../../../src/core/replay/replayPolicy.ts';
import { DEFAULT_RETRY_SETTINGS } from '../../../src/core/resilience/policy.ts';
import { start as startHttp } from '../../servers/httpStatus.mjs';
import { createReal, define, emptyFolder, http, idOf, type Real, testServer } from '../client/support.ts';

const policy = { ...presetPolicy('persistent', DEFAULT_RETRY_SETTINGS), baseMs: 5, capMs: 20, jitter: 0 };

const request = (name: string, args = {}): ReplayRequest => ({
  server: idOf('shop'),
  method: 'tools/call',
  params: { name, arguments: args },
  policy,
});

const no = () => Promise.resolve(false);

describe('over real transports, a replay', () => {
  let ran: string;
  const open: Real[] = [];

  beforeEach(() => {
    ran = emptyFolder();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ pool }) => pool.dispose()));
    rmSync(ran, { recursive: true, force: true });
  });

  function start(isTrusted: boolean): Real {
    const real = createReal([define('shop', testServer('replayed', ran, '2'), isTrusted)]);
    open.push(real);
    return real;
  }

  const executions = (tool: string): readonly number[] => {
    const file = path.join(ran, tool);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return lines.map((line) => Number(line.split(' ')[0]));
  };

  it('goes on until the server works again, and says what that changed', async () => {
    const { pool } = start(true);
    await learnTools(pool, idOf('shop'));
    const outcome = await replay(pool, request('lookup'), no);
    expect(outcome.attempts.map((attempt) => attempt.outcome)).toEqual(['tool_error', 'tool_error', 'success']);
    const before = { outcome: 'tool_error', attempts: 1, timeMs: 1, answer: undefined } as const;
    expect(compareReplay(before, outcome)).toMatchObject({
      verdict: 'better',
      change: { code: 'diff.changedOnAttempt', args: { before: 'tool_error', after: 'success', attempt: 3 } },
    });
  });

  it('never sends what was not confirmed, whoever calls it safe', async () => {
    for (const isTrusted of [true, false]) {
      const { pool, bodies } = start(isTrusted);
      await learnTools(pool, idOf('shop'));
      const outcome = await replay(pool, request('order', { title: 'Dune', quantity: 1 }), no);
      const sent = bodies('message').filter(({ raw, direction }) => direction === 'sent' && raw.includes('tools/call'));
      expect({ stopped: outcome.stopped, orders: executions('order'), sent }).toEqual({
        stopped: 'replay.notConfirmed',
        orders: [],
        sent: [],
      });
    }
    // An untrusted server's claim that it only reads is not enough.
    const { pool } = start(false);
    await learnTools(pool, idOf('shop'));
    await replay(pool, request('whoami'), no);
    expect(executions('whoami')).toEqual([]);
  });

  it('into fresh instances gets processes of their own, which are gone after, while the running one stays', async () => {
    const running = start(true);
    await learnTools(running.pool, idOf('shop'));
    const lease = async (): Promise<Lease> => {
      const { pool } = start(true);
      await learnTools(pool, idOf('shop'));
      return { pool, release: () => pool.dispose() };
    };
    const options = { perServer: 2, loopLimit: 0, signal: new AbortController().signal, isConfirmed: () => false };
    await replayMany([request('whoami'), request('whoami')], { ...options, lease });
    await replay(running.pool, request('whoami'), no);
    const [one = 0, other = 0, own = 0] = executions('whoami');
    expect(new Set([one, other, own]).size).toBe(3);
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect([one, other, own].map(isAlive)).toEqual([false, false, true]);
  });

  it('is stopped in the middle of an attempt at once', async () => {
    const { pool } = start(true);
    await learnTools(pool, idOf('shop'));
    const controller = new AbortController();
    const outcome = replay(pool, request('hang'), no, { signal: controller.signal });
    await expect.poll(() => executions('hang').length, { timeout: 20_000 }).toBe(1);
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'cancelled', attempts: [{ number: 1 }] });
    expect(executions('hang')).toHaveLength(1);
  });

  it('over HTTP waits as long as the server asks, and gives up where that is longer than its policy allows', async () => {
    const busy = { status: 429, retryAfter: '1', times: '1' };
    const server = await startHttp(busy);
    const real = createReal([define('shop', http(server.url))]);
    open.push(real);
    const yes = () => Promise.resolve(true);
    const waited = await replay(real.pool, request('work'), yes);
    expect(waited.attempts.map(({ outcome, delayMs }) => [outcome, delayMs])).toEqual([
      ['transport_error', 0],
      ['success', 1000],
    ]);
    const busyAgain = await startHttp(busy);
    const other = createReal([define('shop', http(busyAgain.url))]);
    open.push(other);
    const impatient = { ...policy, retryAfterCapMs: 500 };
    const given = await replay(other.pool, { ...request('work'), policy: impatient }, yes);
    expect({ kind: given.kind, stopped: given.stopped, attempts: given.attempts.length }).toEqual({
      kind: 'transport_error',
      stopped: 'retry.retryAfterTooLong',
      attempts: 1,
    });
    await Promise.all([server.close(), busyAgain.close()]);
  });
});
