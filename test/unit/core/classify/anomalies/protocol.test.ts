import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../../../src/protocol/events.ts';
import { lifecycle, received, sent } from '../support.ts';
import {
  answer,
  ask,
  clientAnswers,
  codes,
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

const spawn = lifecycle({ step: 'spawn', command: 'node', args: [] });
const call = (id: number, tool = 'add') => ask(id, 'tools/call', { name: tool, arguments: {} });
const list = { jsonrpc: '2.0', id: 1, method: 'prompts/list' };

const cases: readonly Case[] = [
  ['a plain legacy session', [...handshake(), call(1), answer(1, text('3'))], []],
  [
    'a plain modern session',
    [
      ...modernStart,
      ask(1, 'tools/call', modern({ name: 'add' })),
      answer(1, { resultType: 'complete', ...text('3') }),
    ],
    [],
  ],
  [
    'a probe for a newer revision',
    [spawn, ask(1, 'server/discover', modern()), refuse(1, -32601), ...handshake().slice(1)],
    [],
  ],

  // Batches.
  ['a batch in 2025-03-26', [...handshake('2025-03-26'), sent([list, { ...list, id: 2 }])], []],
  ['a batch in 2024-11-05', [...handshake('2024-11-05'), sent([list])], []],
  [
    'a batch in 2025-06-18, told once',
    [...handshake('2025-06-18'), sent([list, { ...list, id: 2 }])],
    ['prompts/list: batchNotAllowed revision=2025-06-18 #6'],
  ],
  [
    'initialize in a batch',
    [spawn, sent([{ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } }])],
    ['initialize: initializeInBatch #2'],
  ],

  // The handshake.
  ['a request before initialize', [spawn, call(1)], ['tools/call: requestBeforeInitialize method=tools/call #2']],
  [
    'a request before the answer to initialize',
    [spawn, ask(0, 'initialize'), call(1)],
    ['tools/call: requestBeforeInitialize method=tools/call #3'],
  ],
  ['ping before initialize', [spawn, ask(1, 'ping')], []],
  ['a request on a connection whose beginning is not on record', [call(1)], []],
  [
    'no notifications/initialized, told once',
    [...handshake().slice(0, 3), call(1), call(2)],
    ['tools/call: initializedMissing method=tools/call #4'],
  ],
  ['initialize twice', [...handshake(), ask(2, 'initialize')], ['initialize: initializeTwice #6']],
  [
    'initialize cancelled',
    [spawn, ask(1, 'initialize'), tell('notifications/cancelled', { requestId: 1 })],
    ['initialize: initializeCancelled #3'],
  ],
  [
    'a revision that is none',
    [spawn, ask(1, 'initialize'), answer(1, { protocolVersion: '1.0', capabilities: {} })],
    ['initialize: unknownRevision revision=1.0 at /result/protocolVersion #3'],
  ],

  // Directions.
  [
    'the server calls a tool',
    [...handshake(), serverAsks(1, 'tools/call', { name: 'x' })],
    ['tools/call: wrongDirection method=tools/call sender=server at /method #6'],
  ],
  [
    'the client asks for sampling',
    [...handshake(), ask(1, 'sampling/createMessage')],
    ['sampling/createMessage: wrongDirection method=sampling/createMessage sender=client at /method #6'],
  ],
  [
    'either side pings',
    [...handshake(), ask(1, 'ping'), answer(1, {}), serverAsks(1, 'ping'), clientAnswers(1, {})],
    [],
  ],
  ['a method of nobody', [...handshake(), ask(1, 'acme/reindex')], []],
  [
    'a request by a server of 2026-07-28',
    [...modernStart, serverAsks(1, 'elicitation/create')],
    [`elicitation/create: serverRequestOnModern method=elicitation/create revision=${MODERN} at /method #3`],
  ],
  [
    'a response by a client of 2026-07-28',
    [...modernStart, clientAnswers(7, {})],
    [`unknown-id: clientAnswerOnModern revision=${MODERN} #3`, 'unknown-id: unknownId id=7 at /id #3'],
  ],

  // Methods by revision.
  [
    'elicitation in 2025-03-26',
    [...handshake('2025-03-26'), serverAsks(1, 'elicitation/create')],
    [
      'elicitation/create: notInRevision method=elicitation/create revision=2025-03-26 range=up to 2025-11-25 at /method #6',
    ],
  ],
  ['elicitation in 2025-06-18', [...handshake('2025-06-18'), serverAsks(1, 'elicitation/create')], []],
  [
    'ping in 2026-07-28',
    [...modernStart, ask(1, 'ping', modern())],
    [`ping: notInRevision method=ping revision=${MODERN} range=up to 2025-11-25 at /method #3`],
  ],
  [
    'discovery in 2025-11-25',
    [...handshake(), ask(1, 'server/discover')],
    ['server/discover: notInRevision method=server/discover revision=2025-11-25 range=from 2026-07-28 at /method #6'],
  ],

  // Members that 2026-07-28 requires.
  [
    'no _meta at all',
    [...modernStart, ask(1, 'tools/list')],
    [
      `tools/list: metaMissing key=io.modelcontextprotocol/protocolVersion revision=${MODERN} at /params #3`,
      `tools/list: metaMissing key=io.modelcontextprotocol/clientCapabilities revision=${MODERN} at /params #3`,
    ],
  ],
  [
    'no resultType, no cache hints',
    [...modernStart, ask(1, 'tools/list', modern()), answer(1, { tools: [] })],
    [
      `tools/list: resultTypeMissing revision=${MODERN} at /result #4`,
      `tools/list: cacheHintsMissing key=ttlMs method=tools/list revision=${MODERN} at /result #4`,
    ],
  ],
  [
    'cache hints without a scope',
    [...modernStart, ask(1, 'prompts/list', modern()), answer(1, { resultType: 'complete', prompts: [], ttlMs: 0 })],
    [`prompts/list: cacheHintsMissing key=cacheScope method=prompts/list revision=${MODERN} at /result #4`],
  ],
  [
    'input asked for by a listing',
    [...modernStart, ask(1, 'tools/list', modern()), answer(1, { resultType: 'input_required', requestState: 'a' })],
    ['tools/list: inputOnWrongMethod method=tools/list at /result/resultType #4'],
  ],
  [
    'a log that nobody asked for',
    [...modernStart, hear('notifications/message', { level: 'info', data: 1 })],
    [
      'notifications/message: logNotRequested #3',
      'notifications/message: deprecatedFeature feature=Logging since=2026-07-28 instead=Write logs to stderr, or send OpenTelemetry. #3',
    ],
  ],
  [
    'a log that was asked for',
    [
      ...modernStart,
      ask(1, 'tools/call', modern({ name: 'x' }, { 'io.modelcontextprotocol/logLevel': 'info' })),
      hear('notifications/message', { level: 'info', data: 1 }),
    ],
    [
      'notifications/message: deprecatedFeature feature=Logging since=2026-07-28 instead=Write logs to stderr, or send OpenTelemetry. #4',
    ],
  ],

  // Capabilities.
  [
    'resources of a server without them, told once',
    [...handshake('2025-11-25', { tools: {} }), ask(1, 'resources/list'), ask(2, 'resources/list')],
    [
      'resources/list: capabilityUndeclared method=resources/list sender=client owner=server capability=resources at /method #6',
    ],
  ],
  [
    'sampling of a client without it',
    [...handshake('2025-11-25', {}, {}), serverAsks(1, 'sampling/createMessage', {})],
    [
      'sampling/createMessage: capabilityUndeclared method=sampling/createMessage sender=server owner=client capability=sampling at /method #6',
    ],
  ],
  [
    'a change told by a server that said that it tells none',
    [...handshake('2025-11-25', { tools: {} }), hear('notifications/tools/list_changed')],
    [
      'notifications/tools/list_changed: capabilityUndeclared method=notifications/tools/list_changed sender=server owner=server capability=tools.listChanged at /method #6',
    ],
  ],

  // Deprecations.
  [
    'sampling in a request for input',
    [
      ...modernStart,
      ask(1, 'tools/call', modern({ name: 'x' })),
      answer(1, { resultType: 'input_required', inputRequests: { a: { method: 'sampling/createMessage' } } }),
    ],
    [
      'tools/call: deprecatedFeature feature=Sampling since=2026-07-28 instead=Call the API of a model provider from the server. #4',
    ],
  ],
  [
    'sampling in 2025-06-18',
    [...handshake('2025-06-18'), serverAsks(1, 'sampling/createMessage', { includeContext: 'allServers' })],
    [],
  ],

  // Encoding.
  [
    'a byte order mark',
    [
      ...handshake(),
      call(1),
      {
        ...received({ jsonrpc: '2.0', id: 1, result: text('3') }),
        raw: `\ufeff${JSON.stringify({ jsonrpc: '2.0', id: 1, result: text('3') })}`,
      } as EventBody,
    ],
    ['tools/call: byteOrderMark #7'],
  ],
  [
    'bytes that are no UTF-8',
    [
      ...handshake(),
      call(1),
      received({ jsonrpc: '2.0', id: 1, result: text('caf\ufffd') }, { rawBytes: new Uint8Array([0xe9]) }),
    ],
    ['tools/call: invalidUtf8 #7'],
  ],
];

describe('rules of the protocol', () => {
  it.each(cases)('%s', (_name, bodies, expected) => {
    expect(found(bodies)).toEqual(expected);
  });

  it('are judged by the revision of each request', () => {
    // A client of both eras on one connection: what is missing in one is not asked for in the other.
    const legacy = [call(1), answer(1, text('1'))];
    const newer = [ask(2, 'tools/list', modern()), answer(2, { tools: [] })];
    expect(codes([...handshake(), ...legacy, ...newer])).toEqual(['resultTypeMissing', 'cacheHintsMissing']);
  });
});
