import { describe, expect, it } from 'vitest';
import { compareOutcomes, replay } from '../../../../src/core/replay/replay.ts';
import { DEFAULT_REPLAY_POLICY } from '../../../../src/core/resilience/policy.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { createWorld, idOf, type Script, type World } from '../client/fakeServer.ts';

/** A tool that reports an error twice and then works. */
function flaky(): Script {
  let count = 0;
  return (message, wire) => {
    if (message.method !== 'tools/call') {
      return false;
    }
    count += 1;
    wire.reply(message, count < 3 ? { isError: true, content: [] } : { content: [] });
    return true;
  };
}

const request = (_world: World, retryOn: readonly OutcomeKind[] = ['tool_error']) =>
  ({
    key: 41,
    server: idOf('a'),
    method: 'tools/call',
    params: { name: 'work', _meta: { progressToken: 'recorded' } },
    policy: { ...DEFAULT_REPLAY_POLICY, retryOn },
  }) as const;

describe('replay', () => {
  it('asks first, says why, and sends nothing on a no', async () => {
    const world = createWorld({ servers: { a: flaky() } });
    const asked: unknown[] = [];
    const outcome = await replay(world.pool, request(world), async (why) => {
      asked.push(why);
      return false;
    });
    expect(asked).toEqual([{ code: 'replay.confirm.unknown', args: { server: 'settings:a', target: 'work' } }]);
    expect(outcome).toMatchObject({ kind: 'cancelled', attempts: [], stopped: 'replay.notConfirmed' });
    expect(world.events).toEqual([]);
  });

  it('takes a question that fails for a no', async () => {
    const world = createWorld({ servers: { a: flaky() } });
    const outcome = await replay(world.pool, request(world), () => Promise.reject(new Error('closed')));
    expect(outcome.stopped).toBe('replay.notConfirmed');
  });

  it('repeats what the policy lists once it was confirmed, marked as a replay of the row', async () => {
    const world = createWorld({ servers: { a: flaky() } });
    const outcome = replay(world.pool, request(world), async () => true);
    await world.clock.advance(5000);
    expect((await outcome).kind).toBe('success');
    const told = world.events.flatMap(({ origin, body }) => (body.kind === 'attempt' ? [{ origin, ...body }] : []));
    expect(
      told.map(({ number, decision, reason, replayOf, origin }) => [number, decision, reason, replayOf, origin]),
    ).toEqual([
      [1, 'send', 'retry.replay', 41, 'replay'],
      [2, 'wait', 'retry.asked', 41, 'replay'],
      [2, 'send', 'retry.asked', 41, 'replay'],
      [3, 'wait', 'retry.asked', 41, 'replay'],
      [3, 'send', 'retry.asked', 41, 'replay'],
    ]);
    const tokens = (world.wires[0]?.sent ?? [])
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => (params?.['_meta'] as { progressToken?: string } | undefined)?.progressToken);
    expect(tokens).toEqual(told.filter(({ decision }) => decision === 'send').map(({ token }) => token));
    await world.pool.dispose();
  });

  it('leaves alone what the policy does not list', async () => {
    const world = createWorld({ servers: { a: flaky() } });
    const outcome = await replay(world.pool, request(world, ['timeout']), async () => true);
    expect(outcome).toMatchObject({ kind: 'tool_error', stopped: 'retry.notInPolicy' });
    await world.pool.dispose();
  });

  it.each([
    ['a method without side effects', { method: 'tools/list' }, {}, false],
    ['a tool that the settings call idempotent', {}, { isIdempotent: true }, false],
    ['a tool that they call otherwise', {}, { isIdempotent: false }, true],
  ])('of %s asks only where it must', async (_name, more, policy, mustAsk) => {
    const world = createWorld({ servers: { a: flaky() }, pool: { toolPolicy: () => policy } });
    let asked = false;
    const outcome = replay(world.pool, { ...request(world), ...more }, async () => {
      asked = true;
      return true;
    });
    await world.clock.advance(5000);
    await outcome;
    expect(asked).toBe(mustAsk);
    await world.pool.dispose();
  });

  it('has a sentence for every reason to ask', () => {
    const reasons = Object.keys(TEXTS).filter((code) => code.startsWith('notIdempotent.'));
    expect(reasons.length).toBe(4);
    expect(reasons.filter((code) => TEXTS[code.replace('notIdempotent.', 'replay.confirm.')] === undefined)).toEqual(
      [],
    );
  });
});

describe('compareOutcomes', () => {
  it.each([
    ['tool_error', 'replay.changed'],
    ['success', 'replay.same'],
    [undefined, 'replay.changed'],
  ] as const)('tells %s from what came', (before, code) => {
    const attempt = { outcome: 'success', retry: 'never', reason: 'retry.first' } as const;
    const compared = compareOutcomes(before, {
      kind: 'success',
      detail: { signals: [], retry: 'never', end: { kind: 'result', result: {}, raw: '{}' } },
      chain: 'c' as never,
      attempts: [
        { ...attempt, number: 1, durationMs: 10.4, delayMs: 0 },
        { ...attempt, number: 2, durationMs: 5, delayMs: 1000 },
      ],
      stopped: 'retry.answered',
    });
    expect(compared).toEqual({
      code,
      args: { before: before ?? 'pending', after: 'success', attempts: 2, timeMs: 1015 },
    });
    expect(TEXTS[compared.code]).toBeDefined();
  });
});
