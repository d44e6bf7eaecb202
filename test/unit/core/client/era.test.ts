import { describe, expect, it } from 'vitest';
import { type EraPlan, firstPlan, judgeDiscovery, supportedVersions } from '../../../../src/core/client/era.ts';
import type { RawEnd } from '../../../../src/protocol/call.ts';
import type { HttpDefinition, ServerDefinition } from '../../../../src/protocol/definition.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import type { Revision } from '../../../../src/protocol/revisions.ts';
import { definitionOf } from './fakeServer.ts';

const result = (value: JsonValue): RawEnd => ({ kind: 'result', result: value, raw: '' });
const error = (code: number, data?: JsonValue): RawEnd => ({
  kind: 'error',
  error: { code, message: 'm', ...(data === undefined ? {} : { data }) },
  raw: '',
});
const failure = (reason: TransportFailure['reason'], more: Partial<TransportFailure> = {}): RawEnd => ({
  kind: 'transport',
  failure: { reason, message: 'm', ...more },
});

describe('the answer to server/discover', () => {
  it.each<[string, RawEnd, string]>([
    ['its result', result({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }), 'modern'],
    ['a result of both eras', result({ supportedVersions: ['2025-11-25', '2026-07-28'] }), 'modern'],
    ['a result of legacy versions', result({ supportedVersions: ['2025-11-25'] }), 'legacy'],
    ['a result of a version unheard of', result({ supportedVersions: ['2031-01-01'] }), 'failed'],
    ['an empty result', result({}), 'legacy'],
    ['a result that is none', result(null), 'legacy'],
    ['-32601', error(-32601), 'legacy'],
    ['-32603', error(-32603), 'legacy'],
    ['-32000', error(-32000), 'legacy'],
    ['code 0', error(0), 'legacy'],
    ['-32602 for a missing handshake', error(-32602), 'legacy'],
    ['-32022 that names a legacy version', error(-32022, { supported: ['2025-11-25'] }), 'legacy'],
    ['-32022 that names what was asked for', error(-32022, { supported: ['2026-07-28'] }), 'refused'],
    ['-32022 that names nothing known', error(-32022, { supported: ['2031-01-01'] }), 'failed'],
    ['-32020', error(-32020), 'failed'],
    ['-32021', error(-32021, { requiredCapabilities: {} }), 'failed'],
    ['nonsense', { kind: 'invalid', raw: '', problem: 'not-json' }, 'legacy'],
    ['silence', { kind: 'timeout', limit: 'idle', afterMs: 5000, progressSeen: false }, 'legacy'],
    ['a cancel', { kind: 'cancelled', by: 'user' }, 'failed'],
    ['an exit', failure('exited', { exitCode: 1 }), 'died'],
    ['no such command', failure('spawn-failed'), 'failed'],
    ['nobody listening', failure('refused'), 'failed'],
    ['no access', failure('unauthorized', { status: 401 }), 'failed'],
    ['HTTP 400', failure('http-status', { status: 400 }), 'legacy'],
    ['HTTP 404', failure('http-status', { status: 404 }), 'legacy'],
    ['HTTP 405', failure('http-status', { status: 405 }), 'legacy'],
    ['HTTP 429', failure('http-status', { status: 429 }), 'failed'],
    ['HTTP 503 that says when', failure('http-status', { status: 503, retryAfterMs: 1 }), 'failed'],
    ['a page', failure('not-json-rpc', { status: 200 }), 'legacy'],
    ['202', failure('accepted-without-answer', { status: 202 }), 'legacy'],
    ['a session that is asked for', failure('session-lost', { status: 400 }), 'legacy'],
    ['a reset', failure('reset'), 'legacy'],
  ])('%s', (_name, end, kind) => {
    expect(judgeDiscovery(end).kind).toBe(kind);
  });

  it('tells who the server is, and takes what is amiss as absent', () => {
    const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'a', version: '1' } };
    expect(
      judgeDiscovery(
        result({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, instructions: 'i', _meta: meta }),
      ),
    ).toEqual({
      kind: 'modern',
      facts: {
        revision: '2026-07-28',
        serverInfo: { name: 'a', version: '1' },
        capabilities: { tools: {} },
        instructions: 'i',
      },
    });
    expect(judgeDiscovery(result({ supportedVersions: ['2026-07-28'], capabilities: 7, instructions: 8 }))).toEqual({
      kind: 'modern',
      facts: { revision: '2026-07-28', serverInfo: undefined, capabilities: {} },
    });
  });
});

describe('how to begin', () => {
  const sse: HttpDefinition = { type: 'http', url: 'http://a/sse', headers: {}, isLegacySse: true };
  const all: Revision[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
  it.each<[string, Partial<ServerDefinition>, EraPlan]>([
    ['nothing known', {}, { kind: 'discover', mayBeLegacy: true }],
    ['2026-07-28 pinned', { versions: ['2026-07-28'] }, { kind: 'discover', mayBeLegacy: false }],
    ['both pinned', { versions: ['2025-03-26', '2026-07-28'] }, { kind: 'discover', mayBeLegacy: true }],
    [
      'legacy pinned',
      { versions: ['2024-11-05', '2025-06-18'] },
      { kind: 'initialize', offer: ['2025-06-18', '2024-11-05'], isOverSse: false },
    ],
    ['HTTP+SSE', { transport: sse }, { kind: 'initialize', offer: all, isOverSse: true }],
    [
      'HTTP+SSE with a pin that it cannot have',
      { transport: sse, versions: ['2026-07-28'] },
      { kind: 'initialize', offer: ['2024-11-05'], isOverSse: true },
    ],
  ])('%s', (_name, more, expected) => {
    expect(firstPlan({ ...definitionOf('a'), ...more })).toEqual(expected);
  });
});

describe('the versions of a refusal', () => {
  it.each<[number, JsonValue | undefined, readonly string[] | undefined]>([
    [-32602, { supported: ['2024-11-05'], requested: 'x' }, ['2024-11-05']],
    [-32602, undefined, undefined],
    [-32022, { supported: [1, '2026-07-28'] }, ['2026-07-28']],
    [-32004, { supported: '2026-07-28' }, undefined],
    [-32603, { supported: ['2024-11-05'] }, undefined],
  ])('%i with %j', (code, data, expected) => {
    expect(supportedVersions({ code, message: '', ...(data === undefined ? {} : { data }) })).toEqual(expected);
  });
});
