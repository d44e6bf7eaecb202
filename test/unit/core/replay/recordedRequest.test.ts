import { describe, expect, it } from 'vitest';
import { editableRequest, recordedRequest, recordedUrl } from '../../../../src/core/replay/recordedRequest.ts';
import { parseFrame } from '../../../../src/core/transport/envelope.ts';
import type { EventBody } from '../../../../src/protocol/events.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';

const call = { kind: 'request', initiator: 'client', method: 'tools/call' } as const;

function message(params: JsonValue | undefined, more: { redactions?: number; http?: string } = {}): EventBody {
  const raw = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    ...(params === undefined ? {} : { params }),
  });
  return { kind: 'message', direction: 'sent', raw, bytes: raw.length, envelope: parseFrame(raw).envelope, ...more };
}

describe('recordedRequest', () => {
  it.each([
    ['plain', { name: 'a', arguments: { x: 1 } }, { name: 'a', arguments: { x: 1 } }],
    ['of its attempt', { name: 'a', _meta: { progressToken: 't' } }, { name: 'a' }],
    [
      'of its client',
      { name: 'a', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', mine: 1, progressToken: 4 } },
      { name: 'a', _meta: { mine: 1 } },
    ],
    ['without parameters', undefined, undefined],
    ['with a list in their place', [1], undefined],
  ])('gives the parameters: %s', (_name, params, expected) => {
    expect(recordedRequest(call, message(params))).toEqual({ method: 'tools/call', params: expected });
  });

  const secret = { name: 'a', arguments: { key: '[redacted:aws-access-key:0a1b2c]' } };
  it.each([
    ['a notification', { ...call, kind: 'notification' as const }, message({}), 'replay.refused.notClient'],
    ['a request of the server', { ...call, initiator: 'server' as const }, message({}), 'replay.refused.notClient'],
    ['the handshake', { ...call, method: 'initialize' }, message({}), 'replay.refused.handshake'],
    ['a request about a task', { ...call, method: 'tasks/result' }, message({}), 'replay.refused.bound'],
    ['what was evicted', call, undefined, 'replay.refused.gone'],
    ['what is no JSON', call, { ...message({}), raw: '{"id":' } as EventBody, 'replay.refused.gone'],
    ['a secret', call, message(secret, { redactions: 1 }), 'replay.refused.redacted'],
    ['a secret of which nobody took note', call, message(secret), 'replay.refused.redacted'],
  ])('refuses %s', (_name, exchange, body, code) => {
    expect(recordedRequest(exchange, body)).toMatchObject({ code });
    expect(TEXTS[code]).toBeDefined();
  });

  it('sends again what held a secret only in what is left out', () => {
    const params = { name: 'a', _meta: { progressToken: '[redacted:custom:0a1b2c]' } };
    expect(recordedRequest(call, message(params, { redactions: 1 }))).toEqual({
      method: 'tools/call',
      params: { name: 'a' },
    });
  });

  it('gives a secret’s place to a person who edits', () => {
    expect(editableRequest(call, message(secret, { redactions: 1 }))).toEqual({ method: 'tools/call', params: secret });
  });
});

describe('recordedUrl', () => {
  const http = (id: string, url: string, method = 'POST'): EventBody => ({
    kind: 'http',
    id,
    method,
    url,
    requestHeaders: {},
    responseHeaders: {},
    durationUs: 1,
  });
  it.each([
    ['the POST that carried it', message({}, { http: 'b' }), 'http://b/mcp'],
    ['any POST, where it does not say which', message({}), 'http://a/mcp'],
    ['none over stdio', message({}, { http: 'c' }), undefined],
  ])('is of %s', (_name, sent, expected) => {
    const bodies: Readonly<Record<number, EventBody>> = {
      7: sent,
      8: http('a', 'http://a/mcp'),
      9: http('b', 'http://b/mcp', 'GET'),
      10: http('b', 'http://b/mcp'),
    };
    expect(recordedUrl({ key: 7, related: [8, 9, 10, 11] }, (seq) => bodies[seq])).toBe(expected);
  });
});
