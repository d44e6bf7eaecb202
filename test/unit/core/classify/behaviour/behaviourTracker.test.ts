import { describe, expect, it } from 'vitest';
import { BehaviourIndex } from '../../../../../src/core/classify/behaviour/behaviourIndex.ts';
import { BehaviourTracker } from '../../../../../src/core/classify/behaviour/behaviourTracker.ts';
import { Correlator } from '../../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../../src/core/classify/judge.ts';
import type { Behaviour } from '../../../../../src/protocol/behaviour.ts';
import type { EventBody } from '../../../../../src/protocol/events.ts';
import type { JsonObject } from '../../../../../src/protocol/jsonrpc.ts';
import { answer, ask, refuse, text } from '../anomalies/found.ts';
import { attempt, lifecycle, ok, received, recorded, sent } from '../support.ts';

type Options = { readonly loopLimit?: number };

function behaviours(bodies: readonly EventBody[], options: Options = {}): readonly Behaviour[] {
  const correlator = new Correlator(judge);
  const tracker = new BehaviourTracker(options);
  return recorded(bodies).flatMap((event) => correlator.push(event).flatMap((exchange) => tracker.push(exchange)));
}

/** `<kind> <tool> <keys> [<what was changed>]`; of a loop its last state. */
function found(bodies: readonly EventBody[], options: Options = {}): readonly string[] {
  const last = new Map(behaviours(bodies, options).map((one) => [one.id, one]));
  return [...last.values()].map(({ kind, tool, exchanges, changed }) =>
    [kind, tool, exchanges.join('-'), ...(changed.length === 0 ? [] : [changed.join(',')])].join(' '),
  );
}

const call = (id: number, args: JsonObject = { city: 'Rome' }, tool = 'weather') =>
  ask(id, 'tools/call', { name: tool, arguments: args });
const fail = (id: number) => answer(id, text('no such city', { isError: true }));
const succeed = (id: number) => answer(id, text('sunny'));
const listed = (tool: JsonObject): readonly EventBody[] => [
  ask('l', 'tools/list'),
  answer('l', { tools: [{ name: 'weather', inputSchema: { type: 'object' }, ...tool }] }),
];
const timedOut = (id: number): EventBody => ({
  kind: 'local-end',
  id,
  end: { kind: 'timeout', limit: 'total', afterMs: 1000, progressSeen: false },
});

type Case = readonly [name: string, bodies: readonly EventBody[], expected: readonly string[]];

const cases: readonly Case[] = [
  ['a call that fails is nothing', [call(1), fail(1)], []],
  ['the same again after an error', [call(1), fail(1), call(2)], ['blind_retry weather 1-3']],
  [
    'with the arguments in another order',
    [call(1, { a: 1, b: { c: 2, d: 3 } }), fail(1), call(2, { b: { d: 3, c: 2 }, a: 1 })],
    ['blind_retry weather 1-3'],
  ],
  ['after a protocol error', [call(1), refuse(1, -32602), call(2)], ['blind_retry weather 1-3']],
  ['the same again after a success', [call(1), succeed(1), call(2)], []],
  ['at the same time', [call(1), call(2), fail(1), fail(2)], []],
  ['another tool', [call(1), fail(1), call(2, { city: 'Rome' }, 'time')], []],
  ['after something else was done', [call(1), fail(1), call(2, {}, 'add_city'), succeed(2), call(3)], []],
  [
    'after something else failed',
    [call(1), fail(1), call(2, {}, 'add_city'), fail(2), call(3)],
    ['blind_retry weather 1-5'],
  ],
  [
    'three in a row',
    [call(1), fail(1), call(2), fail(2), call(3), fail(3)],
    ['blind_retry weather 1-3', 'blind_retry weather 3-5', 'loop weather 1-3-5'],
  ],
  [
    'four in a row are one loop',
    [call(1), fail(1), call(2), fail(2), call(3), fail(3), call(4)],
    ['blind_retry weather 1-3', 'blind_retry weather 3-5', 'loop weather 1-3-5-7', 'blind_retry weather 5-7'],
  ],
  [
    'a write that may have been done, sent again',
    [...listed({}), call(1), timedOut(1), call(2)],
    ['possible_duplicate weather 3-5'],
  ],
  [
    'a read that timed out, sent again',
    [...listed({ annotations: { readOnlyHint: true } }), call(1), timedOut(1), call(2)],
    ['blind_retry weather 3-5'],
  ],
  [
    'after a restart of the server',
    [call(1), lifecycle({ step: 'exited', code: 1, signal: null, expected: false }), call(2)],
    ['possible_duplicate weather 1-3'],
  ],
  [
    'other arguments that work',
    [call(1, { city: 'Romw', unit: 'C' }), fail(1), call(2, { city: 'Rome', days: 2 }), succeed(2)],
    ['recovery weather 1-3 city,days,unit'],
  ],
  [
    'other arguments that fail, and again others',
    [
      call(1, { city: 'a' }),
      fail(1),
      call(2, { city: 'b' }),
      fail(2),
      call(3, { city: 'c' }),
      succeed(3),
      call(4, { city: 'd' }),
      succeed(4),
    ],
    ['recovery weather 3-5 city'],
  ],
  ['the same arguments that work at last', [call(1), fail(1), call(2), succeed(2)], ['blind_retry weather 1-3']],
  ['other arguments after a timeout', [call(1, { city: 'a' }), timedOut(1), call(2, { city: 'b' }), succeed(2)], []],
  [
    "the client's own attempts are not the agent's",
    [
      attempt('send', 1),
      sent({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'weather', arguments: {}, _meta: { progressToken: 'chain-1.1' } },
      }),
      refuse(1, -32603),
      attempt('send', 2),
      sent({
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'weather', arguments: {}, _meta: { progressToken: 'chain-1.2' } },
      }),
      received(ok(2)),
    ],
    [],
  ],
];

describe('what an agent does', () => {
  it.each(cases)('%s', (_name, bodies, expected) => {
    expect(found(bodies)).toEqual(expected);
  });

  it('is a loop from the number on that is set', () => {
    const bodies = [1, 2, 3].flatMap((id) => [call(id), fail(id)]);
    expect(found(bodies, { loopLimit: 2 }).filter((line) => line.startsWith('loop'))).toEqual(['loop weather 1-3-5']);
    expect(found(bodies, { loopLimit: 4 }).filter((line) => line.startsWith('loop'))).toEqual([]);
  });

  it('has its place and its time', () => {
    expect(behaviours([call(1), fail(1), call(2)])).toEqual([
      {
        id: 'blind_retry 3',
        kind: 'blind_retry',
        session: 's1',
        server: 'demo:shop',
        connection: 'c1',
        origin: 'client',
        tool: 'weather',
        exchanges: [1, 3],
        count: 2,
        changed: [],
        startUs: 1000,
        endUs: 3000,
      },
    ]);
  });

  it('is found by each of its exchanges, a loop once', () => {
    const index = new BehaviourIndex();
    for (const behaviour of behaviours([1, 2, 3, 4].flatMap((id) => [call(id), fail(id)]))) {
      index.add(behaviour);
    }
    const kinds = (key: number) => index.of(key).map(({ kind, count }) => `${kind} ${count}`);
    expect([1, 3, 99].map(kinds)).toEqual([
      ['blind_retry 2', 'loop 4'],
      ['blind_retry 2', 'blind_retry 2', 'loop 4'],
      [],
    ]);
  });
});
