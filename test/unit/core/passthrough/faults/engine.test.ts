import { describe, expect, it } from 'vitest';
import { createFaultEngine, type FaultSubject } from '../../../../../src/core/passthrough/faults/engine.ts';
import type { FaultPlan, FaultRule } from '../../../../../src/core/passthrough/faults/plan.ts';
import { fits } from '../../../../../src/core/passthrough/faults/wildcard.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const call = (tool: string): FaultSubject => ({ method: 'tools/call', tool });
const drop = { type: 'dropAnswer' } as const;

interface Setting {
  readonly transport?: 'stdio' | 'http';
  readonly server?: readonly string[];
  readonly seed?: number;
  readonly clock?: FakeClock;
}

const engineOf = (plan: FaultPlan, { transport = 'stdio', server = ['shop'], seed, clock }: Setting = {}) =>
  createFaultEngine({ plan, transport, server, seed, clock: clock ?? new FakeClock() });

/** What each of so many calls meets. */
function met(plan: FaultPlan, subjects: readonly FaultSubject[], setting: Setting = {}): readonly string[] {
  const engine = engineOf(plan, setting);
  return subjects.map((subject) =>
    engine
      .decide(subject)
      .map(({ fault }) => fault.type)
      .join('+'),
  );
}

const times = (count: number, tool = 'buy') => Array.from({ length: count }, () => call(tool));
const hits = (rule: Omit<FaultRule, 'fault'>, count = 8, setting: Setting = {}) =>
  met({ rules: [{ ...rule, fault: drop }] }, times(count), setting)
    .map((each) => (each === '' ? '.' : 'x'))
    .join('');

describe('which calls meet a fault', () => {
  it.each([
    ['all', {}, 'xxxxxxxx'],
    ['the first three', { first: 3 }, 'xxx.....'],
    ['all after two', { after: 2 }, '..xxxxxx'],
    ['the first three after two', { after: 2, first: 3 }, '..xxx...'],
    ['each third', { every: 3 }, '..x..x..'],
    ['each second after one', { after: 1, every: 2 }, '..x.x.x.'],
    ['none', { first: 0 }, '........'],
    ['none by chance', { probability: 0 }, '........'],
  ])('%s', (_, rule, expected) => {
    expect(hits(rule)).toBe(expected);
  });

  it('is the same for the same seed, and another for another', () => {
    const rule = { probability: 0.5 };
    const first = hits(rule, 64, { seed: 7 });
    expect(hits(rule, 64, { seed: 7 })).toBe(first);
    expect(hits(rule, 64, { seed: 8 })).not.toBe(first);
    // Written down, so that a file with a seed means the same in every version.
    expect(first).toMatchInlineSnapshot(`".x.xxxx...x.xx.xx......xxxxxxxx..xx.x.xxx.x.x.x.x.xxx....xxxx..."`);
  });

  it('depends on the count of the calls that fit and on no others', () => {
    const plan: FaultPlan = { seed: 3, rules: [{ tool: 'buy', probability: 0.5, fault: drop }] };
    const alone = met(plan, times(40));
    const mixed = met(
      plan,
      times(40).flatMap((each) => [call('look'), each, { method: 'tools/list' }]),
    );
    expect(mixed.filter((_, index) => index % 3 === 1)).toEqual(alone);
  });

  it('does not depend on how fast they come', async () => {
    const plan: FaultPlan = { rules: [{ probability: 0.5, fault: { type: 'latency', ms: 10, jitterMs: 90 } }] };
    const run = async (pauseMs: number) => {
      const clock = new FakeClock();
      const engine = engineOf(plan, { clock });
      const all: unknown[] = [];
      for (const each of times(30)) {
        await clock.advance(pauseMs);
        all.push(engine.decide(each));
      }
      return all;
    };
    expect(await run(5000)).toEqual(await run(0));
  });

  it('keeps to the probability', () => {
    const share = [...hits({ probability: 0.3 }, 5000)].filter((each) => each === 'x').length / 5000;
    expect(share).toBeGreaterThan(0.27);
    expect(share).toBeLessThan(0.33);
  });

  it('keeps jitter within its range and uses it', () => {
    const engine = engineOf({ rules: [{ fault: { type: 'latency', ms: 100, jitterMs: 50 } }] });
    const delays = times(200).map((each) => engine.decide(each)[0]?.delayMs ?? 0);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...delays)).toBeLessThanOrEqual(150);
    expect(new Set(delays).size).toBeGreaterThan(20);
  });

  it.each([
    ['a tool by name', { tool: 'buy' }, 'x..'],
    ['tools by pattern', { tool: 'b*' }, 'x..'],
    ['one of several', { tool: ['look', 'buy'] }, 'xx.'],
    ['calls, when nothing is said', {}, 'xx.'],
    ['a method', { method: 'tools/list' }, '..x'],
    ['every method', { method: '*' }, 'xxx'],
    ['a server by name', { server: 'shop' }, 'xx.'],
    ['no other server', { server: 'bank' }, '...'],
    ['servers by pattern', { server: ['bank', 's?op'] }, 'xx.'],
    ['a transport', { transport: 'stdio' }, 'xx.'],
    ['no other transport', { transport: 'http' }, '...'],
  ] as const)('is said by %s', (_, rule, expected) => {
    const subjects = [call('buy'), call('look'), { method: 'tools/list' }];
    expect(
      met({ rules: [{ ...rule, fault: drop }] }, subjects)
        .map((each) => (each === '' ? '.' : 'x'))
        .join(''),
    ).toBe(expected);
  });

  it('keeps to a window since the start', async () => {
    const clock = new FakeClock();
    const engine = engineOf({ rules: [{ window: { fromMs: 1000, toMs: 2000 }, fault: drop }] }, { clock });
    const seen: number[] = [];
    for (const ms of [0, 999, 1, 999, 1]) {
      await clock.advance(ms);
      seen.push(engine.decide(call('buy')).length);
    }
    expect(seen).toEqual([0, 0, 1, 1, 0]);
  });

  it('breaks a call in one way at most, which waits and slowness go along with', () => {
    const plan: FaultPlan = {
      rules: [
        { fault: { type: 'wrongId' } },
        { fault: { type: 'latency', ms: 5 } },
        { fault: drop },
        { fault: { type: 'slowStream', bytesPerSecond: 10 } },
      ],
    };
    expect(met(plan, times(1))).toEqual(['latency+slowStream+wrongId']);
  });

  it('has no HTTP status over stdio', () => {
    const plan: FaultPlan = { rules: [{ fault: { type: 'httpStatus', status: 429 } }, { fault: drop }] };
    expect(met(plan, times(1))).toEqual(['dropAnswer']);
    expect(met(plan, times(1), { transport: 'http' })).toEqual(['httpStatus']);
  });
});

describe('patterns', () => {
  it.each([
    ['*', '', true],
    ['*', 'anything', true],
    ['buy_*', 'buy_book', true],
    ['buy_*', 'buybook', false],
    ['*book', 'buy_book', true],
    ['b?y', 'buy', true],
    ['b?y', 'by', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['', 'a', false],
    ['.*', 'ab', false],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(fits(pattern, text)).toBe(expected);
  });

  it('stay fast on what would make others slow', () => {
    expect(fits('*a'.repeat(60), 'a'.repeat(20_000))).toBe(true);
    expect(fits(`${'*a'.repeat(60)}b`, 'a'.repeat(20_000))).toBe(false);
  });
});
