import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../../../src/protocol/events.ts';
import { received } from '../support.ts';
import {
  answer,
  ask,
  clientAnswers,
  found,
  handshake,
  hear,
  MODERN,
  modern,
  modernStart,
  refuse,
  serverAsks,
  tell,
  text,
} from './found.ts';

type Case = readonly [name: string, bodies: readonly EventBody[], expected: readonly string[]];

const call = (id: string | number, token?: string) =>
  ask(id, 'tools/call', { name: 'add', ...(token === undefined ? {} : { _meta: { progressToken: token } }) });
const progress = (token: string | number, value: number, total?: number) =>
  hear('notifications/progress', { progressToken: token, progress: value, ...(total === undefined ? {} : { total }) });
const start = handshake();

const cases: readonly Case[] = [
  // Ids.
  ['ids of both types, and zero', [...start, call(0), answer(0, text('1')), call('a'), answer('a', text('2'))], []],
  [
    'an answer with the id as a text',
    [...start, call(1), answer('1', text('3'))],
    ['tools/call: idTypeMismatch asked=1 askedType=number answered="1" answeredType=string at /id #7'],
  ],
  [
    'an id of an ended request',
    [...start, call(1), answer(1, text('3')), call(1)],
    ['tools/call: idReused id=1 at /id #8'],
  ],
  [
    'an id of a waiting request',
    [...start, call(1), call(1)],
    ['tools/call: idStillOpen id=1 method=tools/call at /id #7'],
  ],
  [
    'each side has ids of its own',
    [...start, call(1), serverAsks(1, 'ping'), clientAnswers(1, {}), answer(1, text('3'))],
    [],
  ],
  ['an answer to nobody', [...start, answer(9, {})], ['unknown-id: unknownId id=9 at /id #6']],
  [
    'an error without an id',
    [...start, received({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } })],
    [],
  ],
  [
    'a second answer',
    [...start, call(1), answer(1, text('3')), answer(1, text('3'))],
    ['tools/call: answeredTwice #8'],
  ],
  [
    'an answer after a cancellation',
    [...start, call(1), tell('notifications/cancelled', { requestId: 1 }), answer(1, text('3'))],
    ['tools/call: answeredLate outcome=cancelled #8'],
  ],
  [
    'a cancellation of nobody',
    [...start, tell('notifications/cancelled', { requestId: 5 })],
    ['notifications/cancelled: cancelUnknown id=5 at /params/requestId #6'],
  ],

  // Progress.
  [
    'progress that counts up',
    [...start, call(1, 't'), progress('t', 1), progress('t', 2, 2), answer(1, text('3'))],
    [],
  ],
  ['a token given back as a number', [...start, call(1, '7'), progress(7, 1), answer(1, text('3'))], []],
  [
    'progress for nobody',
    [...start, progress('x', 1)],
    ['notifications/progress: progressUnknownToken token=x at /params/progressToken #6'],
  ],
  [
    'progress that stands still, goes back, and on from the highest',
    [...start, call(1, 't'), progress('t', 2), progress('t', 2), progress('t', 1), progress('t', 3)],
    [
      'tools/call: progressNotIncreasing before=2 now=2 at /params/progress #8',
      'tools/call: progressNotIncreasing before=2 now=1 at /params/progress #9',
    ],
  ],
  [
    'more than all',
    [...start, call(1, 't'), progress('t', 5, 3)],
    ['tools/call: progressOverTotal now=5 total=3 at /params/progress #7'],
  ],
  [
    'progress after the answer',
    [...start, call(1, 't'), answer(1, text('3')), progress('t', 1)],
    ['tools/call: progressAfterEnd #8'],
  ],
  [
    'progress after a cancellation',
    [...start, call(1, 't'), tell('notifications/cancelled', { requestId: 1 }), progress('t', 1)],
    ['tools/call: progressAfterCancel outcome=cancelled #8'],
  ],
  [
    'progress of a task',
    [...start, call(1, 't'), answer(1, { task: { taskId: 'k', status: 'working' } }), progress('t', 1)],
    [],
  ],
  [
    'a token that is taken',
    [...start, call(1, 't'), call(2, 't')],
    ['tools/call: progressTokenReused token=t method=tools/call at /params/_meta/progressToken #7'],
  ],
  ['a token that is free again', [...start, call(1, 't'), answer(1, text('3')), call(2, 't')], []],

  // Pages and rounds.
  [
    'a walk over pages',
    [
      ...start,
      ask(1, 'prompts/list'),
      answer(1, { prompts: [], nextCursor: '' }),
      ask(2, 'prompts/list', { cursor: '' }),
      answer(2, { prompts: [] }),
    ],
    [],
  ],
  [
    'a cursor of nobody',
    [...start, ask(1, 'prompts/list', { cursor: 'x' })],
    ['prompts/list: cursorUnknown at /params/cursor #6'],
  ],
  [
    'a page that leads to itself',
    [
      ...start,
      ask(1, 'prompts/list'),
      answer(1, { prompts: [], nextCursor: 'a' }),
      ask(2, 'prompts/list', { cursor: 'a' }),
      answer(2, { prompts: [], nextCursor: 'a' }),
    ],
    ['prompts/list: cursorRepeated at /result/nextCursor #9'],
  ],
  [
    'a request state of nobody',
    [...modernStart, ask(1, 'tools/call', modern({ name: 'x', requestState: 's', inputResponses: {} }))],
    ['tools/call: requestStateUnknown at /params/requestState #3'],
  ],

  // Codes.
  ['a standard code', [...start, call(1), refuse(1, -32603)], []],
  [
    'a reserved code of JSON-RPC',
    [...start, call(1), refuse(1, -32500)],
    ['tools/call: reservedCode code=-32500 at /error/code #7'],
  ],
  [
    'a code for anybody',
    [...start, call(1), refuse(1, -32001)],
    ['tools/call: codeWithoutMeaning code=-32001 at /error/code #7'],
  ],
  [
    'a server code of an older revision',
    [...start, call(1), refuse(1, -32050)],
    ['tools/call: codeWithoutMeaning code=-32050 at /error/code #7'],
  ],
  [
    'a code that 2026-07-28 keeps for itself',
    [...modernStart, ask(1, 'tools/call', modern({ name: 'x' })), refuse(1, -32050)],
    ['tools/call: reservedCode code=-32050 at /error/code #4'],
  ],
  [
    'a code of an older revision',
    [...modernStart, ask(1, 'resources/read', modern({ uri: 'a:b' })), refuse(1, -32002)],
    [
      `resources/read: codeNotInRevision code=-32002 name=Resource not found revision=${MODERN} range=from 2024-11-05 to 2025-11-25 instead=-32602 with data.uri at /error/code #4`,
    ],
  ],
  [
    'a code of a newer revision',
    [...start, call(1), refuse(1, -32021)],
    [
      'tools/call: codeNotInRevision code=-32021 name=Missing required client capability revision=2025-11-25 range=from 2026-07-28 instead=-32601 at /error/code #7',
    ],
  ],
  ['a refused probe', [...modernStart, ask(1, 'server/discover', modern()), refuse(1, -32022)], []],
  [
    'a code that only servers use, from the client',
    [
      ...start,
      serverAsks(1, 'ping'),
      { ...received({ jsonrpc: '2.0', id: 1, error: { code: -32042, message: 'x' } }), direction: 'sent' } as EventBody,
    ],
    ['ping: codeWrongSender code=-32042 name=URL elicitation required sender=client owner=server at /error/code #7'],
  ],
  [
    'an HTTP status as a code',
    [...start, call(1), refuse(1, 404)],
    ['tools/call: codeLeaked code=404 at /error/code #7'],
  ],
  ['no code', [...start, call(1), refuse(1, 0)], ['tools/call: codeLeaked code=0 at /error/code #7']],
  ['a code of an application', [...start, call(1), refuse(1, 40_112)], []],
  [
    'half a code',
    [...start, call(1), refuse(1, -32600.5)],
    ['tools/call: codeNotInteger code=-32600.5 at /error/code #7'],
  ],
];

describe('who answers whom, and with which number', () => {
  it.each(cases)('%s', (_name, bodies, expected) => {
    expect(found(bodies)).toEqual(expected);
  });

  it('is told three times at most for one exchange', () => {
    const bodies = [...start, call(1, 't'), progress('t', 5), ...Array.from({ length: 50 }, () => progress('t', 1))];
    expect(found(bodies)).toHaveLength(3);
  });
});
