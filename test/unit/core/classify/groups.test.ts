import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../../src/protocol/events.ts';
import { answer, ask, hear, modern, modernStart, refuse, text } from './anomalies/found.ts';
import { finalStates, lifecycle, recorded } from './support.ts';

/** `<method> <id> <outcome> <kind> head=<key> <index> <active ms>` of each request. */
function groups(bodies: readonly EventBody[]): readonly string[] {
  return finalStates(recorded(bodies))
    .filter(({ kind }) => kind === 'request')
    .map(({ method, requestId, verdict, group, marks }) =>
      [
        `${method} ${requestId} ${verdict?.outcome ?? 'pending'}`,
        ...(group === undefined ? [] : [`${group.kind} head=${group.head} ${group.index} ${group.activeUs / 1000} ms`]),
        ...marks,
      ].join(' '),
    );
}

const call = (id: number, more = {}) => ask(id, 'tools/call', modern({ name: 'pay', arguments: { sum: 5 }, ...more }));
const asksForInput = (id: number, requestState?: string) =>
  answer(id, {
    resultType: 'input_required',
    inputRequests: { a: { method: 'elicitation/create' } },
    ...(requestState === undefined ? {} : { requestState }),
  });
const done = (id: number, words = 'paid') => answer(id, { resultType: 'complete', ...text(words) });
/** Time goes by: one event is one millisecond. */
const thinking = Array.from({ length: 5 }, () => hear('acme/tick'));
const page = (id: number, cursor?: string) => ask(id, 'prompts/list', cursor === undefined ? {} : { cursor });
const prompts = (id: number, nextCursor?: string) =>
  answer(id, { prompts: [], ...(nextCursor === undefined ? {} : { nextCursor }) });
const task = (id: number, status: string) => answer(id, { task: { taskId: 'k1', status } });

type Case = readonly [name: string, bodies: readonly EventBody[], expected: readonly string[]];

const cases: readonly Case[] = [
  [
    'rounds are one call, without the time that a person thought',
    [
      ...modernStart,
      call(1),
      asksForInput(1, 's1'),
      ...thinking,
      call(2, { requestState: 's1', inputResponses: {} }),
      done(2),
    ],
    ['tools/call 1 input_required mrtr head=3 0 2 ms', 'tools/call 2 success mrtr head=3 1 2 ms'],
  ],
  [
    'three rounds',
    [
      ...modernStart,
      call(1),
      asksForInput(1, 's1'),
      call(2, { requestState: 's1', inputResponses: {} }),
      asksForInput(2, 's2'),
      call(3, { requestState: 's2', inputResponses: {} }),
      done(3),
    ],
    [
      'tools/call 1 input_required mrtr head=3 0 3 ms',
      'tools/call 2 input_required mrtr head=3 1 2 ms',
      'tools/call 3 success mrtr head=3 2 3 ms',
    ],
  ],
  [
    'rounds without a state, by what they name',
    [...modernStart, call(1), asksForInput(1), call(2, { inputResponses: {} }), done(2)],
    ['tools/call 1 input_required mrtr head=3 0 2 ms', 'tools/call 2 success mrtr head=3 1 2 ms'],
  ],
  [
    'a state of somebody else joins nothing',
    [...modernStart, call(1), asksForInput(1, 's1'), call(2, { requestState: 'S1', inputResponses: {} }), done(2)],
    ['tools/call 1 input_required', 'tools/call 2 success'],
  ],
  [
    'pages are one listing, and what was asked for is no longer more',
    [page(1), prompts(1, 'a'), page(2, 'a'), prompts(2, 'b'), page(3, 'b'), prompts(3, 'c')],
    [
      'prompts/list 1 success pagination head=1 0 3 ms',
      'prompts/list 2 success pagination head=1 1 2 ms',
      'prompts/list 3 success pagination head=1 2 3 ms more_available',
    ],
  ],
  [
    'a page that failed makes the listing partial',
    [page(1), prompts(1, 'a'), page(2, 'a'), prompts(2, 'b'), page(3, 'b'), refuse(3, -32603)],
    [
      'prompts/list 1 partial pagination head=1 0 3 ms',
      'prompts/list 2 success pagination head=1 1 2 ms',
      'prompts/list 3 protocol_error pagination head=1 2 3 ms',
    ],
  ],
  [
    'a page that was lost with its connection as well',
    [page(1), prompts(1, 'a'), page(2, 'a'), lifecycle({ step: 'exited', code: 1, signal: null, expected: false })],
    ['prompts/list 1 partial pagination head=1 0 2 ms', 'prompts/list 2 transport_error pagination head=1 1 2 ms'],
  ],
  [
    'a page that came at the second try makes it whole',
    [page(1), prompts(1, 'a'), page(2, 'a'), refuse(2, -32603), page(3, 'a'), prompts(3)],
    [
      'prompts/list 1 success pagination head=1 0 3 ms',
      'prompts/list 2 protocol_error pagination head=1 1 2 ms',
      'prompts/list 3 success pagination head=1 2 3 ms',
    ],
  ],
  ['one page is no walk', [page(1), prompts(1)], ['prompts/list 1 success']],
  [
    'a task becomes what became of it (2025-11-25)',
    [
      ask(1, 'tools/call', { name: 'render', task: {} }),
      task(1, 'working'),
      ask(2, 'tasks/get', { taskId: 'k1' }),
      answer(2, { taskId: 'k1', status: 'working' }),
      ask(3, 'tasks/result', { taskId: 'k1' }),
      answer(3, text('no disk', { isError: true })),
    ],
    [
      'tools/call 1 tool_error task head=1 0 3 ms',
      'tasks/get 2 task_pending task head=1 1 2 ms',
      'tasks/result 3 tool_error task head=1 2 3 ms',
    ],
  ],
  [
    'a task of the extension (2026-07-28)',
    [
      ...modernStart,
      call(1),
      answer(1, { resultType: 'task', taskId: 'k1', status: 'working' }),
      ask(2, 'tasks/get', modern({ taskId: 'k1' })),
      answer(2, { resultType: 'complete', taskId: 'k1', status: 'completed', result: text('paid') }),
    ],
    ['tools/call 1 success task head=3 0 2 ms', 'tasks/get 2 success task head=3 1 2 ms'],
  ],
  [
    'a task whose end is told by a notification',
    [
      ask(1, 'tools/call', { name: 'render', task: {} }),
      task(1, 'working'),
      hear('notifications/tasks/status', { taskId: 'k1', status: 'failed', statusMessage: 'no disk' }),
    ],
    ['tools/call 1 tool_error'],
  ],
  [
    'a task that nobody knows',
    [ask(2, 'tasks/get', { taskId: 'k9' }), refuse(2, -32602)],
    ['tasks/get 2 protocol_error'],
  ],
];

describe('requests that make up one operation', () => {
  it.each(cases)('%s', (_name, bodies, expected) => {
    expect(groups(bodies)).toEqual(expected);
  });
});
