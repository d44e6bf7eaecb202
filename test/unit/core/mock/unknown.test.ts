import { describe, expect, it } from 'vitest';
import { MOCK_CODES } from '../../../../src/core/mock/ownAnswers.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { call, client, converse, request, result, server } from './scene.ts';

const recorded = [
  client(call(1, 'search', { query: 'dune', limit: 5 })),
  server(result(1, { content: [] })),
  client(call(2, 'search', { query: 'ubik', limit: 5, since: '2026-11-30T10:00:00Z' })),
  server(result(2, { content: [1] })),
  client(call(3, 'order', { key: '[redacted:token:ab12cd]', note: 'for [redacted:name:0] today' })),
  server(result(3, { content: [2] })),
  client(request(4, 'resources/read', { uri: 'a://b' })),
  server(result(4, { contents: [] })),
];

const answerTo = async (method: string, params: JsonObject) =>
  (await (await converse(recorded)).say(request(1, method, params)))[0] as {
    error?: { code: number; message: string; data: JsonObject };
    result?: JsonValue;
  };

describe('a call that is not recorded', () => {
  it('says which recorded call is close and how it differs', async () => {
    const { error } = await answerTo('tools/call', { name: 'search', arguments: { query: 'Dune', limit: 5 } });
    expect(error?.code).toBe(MOCK_CODES.unknownCall);
    expect(error?.message).toBe(
      'tools/call "search" was never called so in the recording. The closest recorded call differs at /arguments/query (recorded "dune", asked "Dune").',
    );
    expect(error?.data).toEqual({
      faultlineMock: 'unknown-call',
      close: [
        {
          params: { name: 'search', arguments: { query: 'dune', limit: 5 } },
          differs: [{ at: '/arguments/query', kind: 'changed', recorded: 'dune', asked: 'Dune' }],
        },
        expect.objectContaining({ params: expect.objectContaining({ name: 'search' }) }),
        expect.objectContaining({ params: expect.objectContaining({ name: 'order' }) }),
      ],
    });
  });

  it('of a method that was never called is a method that is not there', async () => {
    const { error } = await answerTo('completion/complete', {});
    expect([error?.code, error?.message, error?.data]).toEqual([
      -32601,
      'completion/complete was never called in the recording.',
      { faultlineMock: 'unknown-method', close: [] },
    ]);
  });

  it.each([
    ['members in another order', { name: 'search', arguments: { limit: 5, query: 'dune' } }, []],
    [
      'another time, where nothing else differs',
      { name: 'search', arguments: { query: 'ubik', limit: 5, since: '2020-01-01T00:00:00Z' } },
      [1],
    ],
    [
      'a secret in the place of a placeholder',
      { name: 'order', arguments: { key: 'sk-1', note: 'for me today' } },
      [2],
    ],
  ])('is the same with %s', async (_, params, content) => {
    expect((await answerTo('tools/call', params)).result).toEqual({ content });
  });

  it.each([
    ['text around a placeholder that differs', { name: 'order', arguments: { key: 'sk-1', note: 'for me tomorrow' } }],
    ['no argument', { name: 'search' }],
    ['one argument more', { name: 'search', arguments: { query: 'dune', limit: 5, page: 1 } }],
    ['another number', { name: 'search', arguments: { query: 'dune', limit: 6 } }],
  ])('is another with %s', async (_, params) => {
    expect((await answerTo('tools/call', params)).error?.code).toBe(MOCK_CODES.unknownCall);
  });

  it('is told to whoever runs the mock', async () => {
    const told: string[] = [];
    const { say } = await converse(recorded, { onUnknown: ({ message }) => told.push(message) });
    await say(request(1, 'tools/call', { name: 'none' }));
    expect(told).toEqual([expect.stringContaining('"none" was never called so')]);
  });
});

describe('a recording that begins in mid-session', () => {
  it('implies a handshake, lists of what was called, and pings', async () => {
    const { say } = await converse(recorded);
    const results = [];
    for (const [method, params] of [
      ['initialize', { protocolVersion: '2025-06-18' }],
      ['tools/list', {}],
      ['resources/list', {}],
      ['ping', {}],
    ] as const) {
      results.push(((await say(request(1, method, params)))[0] as { result: unknown }).result);
    }
    expect(results).toEqual([
      {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'shop', version: '' },
      },
      { tools: ['search', 'order'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
      { resources: [{ uri: 'a://b', name: 'a://b' }] },
      {},
    ]);
    expect(((await say(request(1, 'server/discover')))[0] as { error: { code: number } }).error.code).toBe(-32601);
  });

  it('of the stateless era implies its discovery, and refuses a handshake', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const { say } = await converse([client(call(1, 'a', {}, meta)), server(result(1, {}))]);
    expect((await say(request(1, 'server/discover')))[0]).toMatchObject({
      result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    });
    expect((await say(request(1, 'initialize', { protocolVersion: '2025-11-25' })))[0]).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    });
  });

  it('uses what is recorded before what follows from it', async () => {
    const own = { tools: [{ name: 'real' }] };
    const { say } = await converse([...recorded, client(request(9, 'tools/list')), server(result(9, own))]);
    expect((await say(request(1, 'tools/list', {})))[0]).toEqual(result(1, own));
  });
});
