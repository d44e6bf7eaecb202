import { describe, expect, it } from 'vitest';
import { gradeOf } from '../../../../src/core/report/agentDeeds.ts';
import type { EventBody } from '../../../../src/protocol/events.ts';
import type { AgentVerdict } from '../../../../src/protocol/report.ts';
import { attempt, recorded, sent } from '../classify/support.ts';
import { call, fail, partial, refuseCall, reportOn, reportOnBodies, silent, succeed, timedOut } from './support.ts';

function verdictOn(bodies: readonly EventBody[]): AgentVerdict | undefined {
  return reportOnBodies(bodies, { origin: 'tap:cursor' }).agents[0];
}

/** `<kind> <tool> <keys> ×<count>` of all evidence. */
const evidence = (bodies: readonly EventBody[]) =>
  verdictOn(bodies)?.evidence.map(
    ({ kind, tool, exchanges, count }) => `${kind} ${tool} ${exchanges.join('-')} ×${count}`,
  );

const other = (id: number, args = {}) => [call(id, args, 'time'), succeed(id)];

const cases: readonly (readonly [name: string, bodies: readonly EventBody[], expected: readonly string[]])[] = [
  ['a failure that nothing follows says nothing', [call(1), fail(1)], []],
  ['the same call again', [call(1), fail(1), call(2)], ['blind_retry weather 1-3 ×2']],
  [
    'a repeat that may have helped is not blind',
    [call(1), timedOut(1), call(2), succeed(2)],
    ['possible_duplicate weather 1-3 ×2'],
  ],
  [
    'a loop, each repeat of it blind',
    [call(1), fail(1), call(2), fail(2), call(3), fail(3)],
    ['blind_retry weather 1-3 ×2', 'blind_retry weather 3-5 ×2', 'loop weather 1-3-5 ×3'],
  ],
  [
    'other arguments that helped',
    [call(1), fail(1), call(2, { city: 'Rome' }), succeed(2)],
    ['recovery weather 1-3 ×2'],
  ],
  ['turning away', [call(1), fail(1), ...other(2)], ['give_up weather 1 ×1']],
  [
    'turning away after several tries, the last of them counted',
    [call(1), fail(1), call(2, { city: 'R' }), fail(2), ...other(3)],
    ['give_up weather 3 ×2'],
  ],
  [
    'coming back is no giving up',
    [call(1), fail(1), ...other(2), call(3, { city: 'Rome' }), succeed(3)],
    ['recovery weather 1-5 ×2'],
  ],
  [
    'an error taken for an answer',
    [call(1), silent(1), call(2, { text: 'Error: the weather service is down' }, 'print'), succeed(2)],
    ['used_silent_error weather 1-3 ×2'],
  ],
  [
    'the same with what JSON escapes',
    [
      call(1),
      silent(1, 'Error: "Rom" is no city\nof Italy'),
      call(2, { text: 'says: Error: "Rom" is no city' }, 'print'),
    ],
    ['used_silent_error weather 1-3 ×2'],
  ],
  ['an error that nobody used', [call(1), silent(1), ...other(2)], []],
  ['a partial result that nobody came back to', [call(1), partial(1), ...other(2)], ['ignored_partial weather 1 ×1']],
  ['a partial result that ends the recording', [call(1), partial(1)], []],
  ['a partial result and the tool again', [call(1), partial(1), call(2, { rows: [3] }), succeed(2)], []],
  [
    'a partial result long ago',
    [call(1), partial(1), ...Array.from({ length: 20 }, (_, index) => other(2 + index)).flat(), call(30), succeed(30)],
    ['ignored_partial weather 1 ×1'],
  ],
];

describe('what an agent makes of failures', () => {
  it.each(cases)('%s', (_, bodies, expected) => expect(evidence(bodies)).toEqual(expected));

  it('counts calls, failures and acts under the name of the client', () => {
    const bodies = [call(1), fail(1), call(2), fail(2), call(3), refuseCall(3, 'no'), ...other(4)];
    expect(verdictOn(bodies)).toMatchObject({
      session: 's1',
      origin: 'tap:cursor',
      client: 'cursor',
      calls: 4,
      failures: 3,
      acts: { blind_retry: 2, loop: 1, give_up: 1 },
      loopCalls: 3,
    });
  });

  it('takes the attempts of a client for one call, and its last outcome for what the agent was told', () => {
    const token = (id: number, number: number) =>
      sent({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'weather', arguments: {}, _meta: { progressToken: `chain-1.${number}` } },
      });
    const bodies = [
      attempt('send', 1),
      token(1, 1),
      refuseCall(1, 'busy', -32603),
      attempt('send', 2),
      token(2, 2),
      succeed(2),
      call(3, {}),
      succeed(3),
    ];
    const { agents, totals } = reportOnBodies(bodies);
    expect(agents.map(({ calls, failures, acts }) => ({ calls, failures, acts }))).toEqual([
      { calls: 2, failures: 0, acts: {} },
    ]);
    expect(totals).toMatchObject({ calls: 2, attempts: 3, failures: 0 });
  });

  it('keeps clients and sessions apart, and leaves replays out', () => {
    const bodies = [call(1), fail(1), call(2)];
    const events = [
      ...recorded(bodies, { origin: 'tap:a', connection: 'c1' }),
      ...recorded(bodies, { origin: 'tap:b', connection: 'c2', from: 4 }),
      ...recorded(bodies, { origin: 'replay', connection: 'c3', from: 7 }),
    ];
    expect(reportOn(events).agents.map(({ client, acts }) => ({ client, acts }))).toEqual([
      { client: 'a', acts: { blind_retry: 1 } },
      { client: 'b', acts: { blind_retry: 1 } },
    ]);
  });
});

describe('the grade', () => {
  it.each([
    [0, {}, 'nothing-failed'],
    [4, { blind_retry: 4 }, 'too-few'],
    [5, {}, 'recovers'],
    [12, { give_up: 2 }, 'recovers'],
    [12, { give_up: 3 }, 'mixed'],
    [10, { blind_retry: 3, used_silent_error: 2 }, 'struggles'],
    [10, { recovery: 10 }, 'recovers'],
    // Loops are told by their calls, which are blind retries already.
    [10, { loop: 10 }, 'recovers'],
  ] as const)('%d failures and %o: %s', (failures, acts, expected) => expect(gradeOf(failures, acts)).toBe(expected));
});
