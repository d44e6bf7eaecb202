import { describe, expect, it } from 'vitest';
import { confirmReason, learnTools, replay } from '../../../../src/core/replay/replay.ts';
import { DEFAULT_REPLAY_POLICY } from '../../../../src/core/resilience/policy.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { createWorld, idOf, type World } from '../client/fakeServer.ts';
import { onCall } from '../client/poolCalls.ts';

/** A tool that reports an error twice and then works. */
const flaky = () =>
  onCall((message, wire, count) => wire.reply(message, count < 3 ? { isError: true, content: [] } : { content: [] }));

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

  it('marks what a person has changed, and takes no row of another log for its original', async () => {
    const world = createWorld({ servers: { a: () => false } });
    const controller = new AbortController();
    const { key: _, ...rest } = request(world);
    const outcome = replay(world.pool, { ...rest, isEdited: true }, async () => true, { signal: controller.signal });
    await world.clock.advance(10);
    controller.abort();
    await outcome;
    expect(world.bodies('attempt')[0]).toMatchObject({ number: 1, reason: 'retry.replayEdited', isEdited: true });
    expect(world.bodies('attempt')[0]).not.toHaveProperty('replayOf');
    await world.pool.dispose();
  });

  it('brings a policy into its bounds before it is followed', async () => {
    const world = createWorld({ servers: { a: flaky() } });
    const policy = { ...DEFAULT_REPLAY_POLICY, maxAttempts: 1e6, baseMs: -5, capMs: Number.NaN };
    const outcome = replay(
      world.pool,
      { ...request(world), policy: { ...policy, retryOn: ['tool_error', 'success'] } },
      async () => true,
    );
    await world.clock.advance(10);
    expect(await outcome).toMatchObject({
      kind: 'success',
      attempts: [{ delayMs: 0 }, { delayMs: 0 }, { delayMs: 0 }],
    });
    expect(world.bodies('attempt')[0]?.maxAttempts).toBe(20);
    await world.pool.dispose();
  });

  it('sends nothing once it was cancelled, even on a yes', async () => {
    const world = createWorld({ servers: { a: flaky() } });
    const controller = new AbortController();
    const outcome = await replay(
      world.pool,
      request(world),
      async () => {
        controller.abort();
        return true;
      },
      { signal: controller.signal },
    );
    expect(outcome).toMatchObject({ kind: 'cancelled', stopped: 'replay.cancelledUnsent', attempts: [] });
    expect(world.events).toEqual([]);
  });

  it('stops in a wait at once', async () => {
    const world = createWorld({ servers: { a: flaky() } });
    const controller = new AbortController();
    const outcome = replay(world.pool, request(world), async () => true, { signal: controller.signal });
    await world.clock.advance(10);
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'tool_error', stopped: 'retry.cancelled', attempts: [{ number: 1 }] });
    expect(world.wires[0]?.sent.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
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

describe('learnTools', () => {
  const tools = [{ name: 'work', inputSchema: {}, annotations: { readOnlyHint: true } }];

  it.each([
    ['a trusted', true, undefined],
    ['an untrusted', false, 'replay.confirm.untrusted'],
  ])('lets %s server say what is safe', async (_name, isTrusted, code) => {
    const world = createWorld({ servers: { a: () => false }, tools, isTrusted });
    const why = () => confirmReason(world.pool, request(world))?.code;
    expect(why()).toBe('replay.confirm.unknown');
    const learnt = learnTools(world.pool, idOf('a'));
    await world.clock.advance(100);
    await learnt;
    expect(why()).toBe(code);
    await world.pool.dispose();
  });

  it('does not wait for a server once it was cancelled', async () => {
    const world = createWorld({ servers: { a: () => true } });
    const controller = new AbortController();
    const learnt = learnTools(world.pool, idOf('a'), controller.signal);
    controller.abort();
    await expect(learnt).resolves.toBeUndefined();
    await world.pool.dispose();
  });
});
