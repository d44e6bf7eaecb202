import { describe, expect, it } from 'vitest';
import { Correlator } from '../../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../../src/core/classify/judge.ts';
import { Spans } from '../../../../../src/core/export/otlp/spans.ts';
import { attemptIds, callIds, formatTraceparent } from '../../../../../src/core/export/otlp/traceContext.ts';
import type { ChainId, ConnectionId, SessionId } from '../../../../../src/protocol/events.ts';
import { EPOCH_US, Script, spanNamed, toldOf } from './support.ts';

const OK = { content: [{ type: 'text', text: 'fine' }] };
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${SPAN}-00`;
const call = (name: string, meta: object = {}) => ({ name, arguments: { q: 'secret' }, _meta: meta });

describe('spans of a log', () => {
  it('are one for each request, with the times of the log', () => {
    const { spans } = toldOf(
      new Script()
        .request(1, 'tools/call', call('a'))
        .request(2, 'tools/call', call('b'))
        // Out of order.
        .result(2, OK)
        .result(1, { ...OK, isError: true }),
    );
    expect(
      spans.map(({ name, startUs, endUs, status }) => [name, startUs - EPOCH_US, endUs - EPOCH_US, status.isError]),
    ).toEqual([
      ['tools/call a', 1000, 4000, true],
      ['tools/call b', 2000, 3000, false],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  it('say the same whenever the log is read', () => {
    const script = new Script().request(1, 'tools/call', call('a')).result(1, OK).request(2, 'ping').result(2, {});
    expect(toldOf(script)).toEqual(toldOf(script));
  });

  it('join a valid context of the request as their parent, and hold no content unless it is wanted', () => {
    const script = new Script().request(1, 'tools/call', call('a', { traceparent, tracestate: 'x=1' })).result(1, OK);
    const [span] = toldOf(script).spans;
    expect(span).toMatchObject({
      traceId: TRACE,
      parent: { spanId: SPAN, isRemote: true },
      flags: 0,
      traceState: 'x=1',
    });
    expect(JSON.stringify(span)).not.toMatch(/secret|fine/);
    const [open] = toldOf(script, { hasContent: true }).spans;
    expect(open?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"q":"secret"}',
      'gen_ai.tool.call.result': '{"content":[{"type":"text","text":"fine"}]}',
    });
  });

  it('know the connection: a process, or the server of an HTTP endpoint', () => {
    const http = { connection: 'c2' as ConnectionId };
    const { spans, sessions } = toldOf(
      new Script()
        .add({ kind: 'lifecycle', detail: { step: 'spawn', command: 'x', args: [] } })
        .add({ kind: 'lifecycle', detail: { step: 'connecting', url: 'https://mcp.example.org/mcp' } }, http)
        .add({
          kind: 'lifecycle',
          detail: { step: 'initialized', revision: '2025-11-25', capabilities: [], durationUs: 5 },
        })
        .add(
          {
            kind: 'lifecycle',
            detail: { step: 'initialized', revision: '2026-07-28', capabilities: [], durationUs: 5 },
          },
          http,
        )
        .request(1, 'tools/call', call('local'))
        .request(1, 'tools/call', call('remote'), http)
        .add(
          {
            kind: 'http',
            id: 'h1',
            method: 'POST',
            url: 'https://mcp.example.org/mcp',
            status: 200,
            requestHeaders: {},
            responseHeaders: { 'mcp-session-id': 'abcd1234…' },
            durationUs: 1,
          },
          http,
        )
        .result(1, OK)
        .result(1, OK, http)
        .add({ kind: 'lifecycle', detail: { step: 'exited', code: 3, signal: null, expected: false } }),
    );
    expect(spanNamed(spans, 'tools/call local').attributes).toMatchObject({
      'network.transport': 'pipe',
      'mcp.protocol.version': '2025-11-25',
    });
    const remote = spanNamed(spans, 'tools/call remote').attributes;
    expect(remote).toMatchObject({
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'server.address': 'mcp.example.org',
      'server.port': 443,
    });
    // There are no sessions in that revision.
    expect(remote['mcp.session.id']).toBeUndefined();
    expect(sessions).toEqual([
      {
        durationUs: 7000,
        attributes: { 'network.transport': 'pipe', 'mcp.protocol.version': '2025-11-25', 'error.type': 'exited' },
      },
      {
        durationUs: 6000,
        attributes: expect.objectContaining({ 'network.transport': 'tcp', 'server.address': 'mcp.example.org' }),
      },
    ]);
  });

  it('of attempts stand under one of their call, which says how it ended', () => {
    const [session, chain] = ['s1' as SessionId, 'ch' as ChainId];
    const { spans, requests } = toldOf(
      new Script()
        .attempt('ch', 1, 'send')
        .request(1, 'tools/call', call('a', { progressToken: 'ch.1' }))
        .error(1, -32_603, 'once')
        .attempt('ch', 2, 'wait', 100)
        .pass(100)
        .attempt('ch', 2, 'send', 100)
        .request(2, 'tools/call', call('a', { progressToken: 'ch.2' }))
        .result(2, OK),
    );
    const ids = callIds(session, chain);
    const [over, first, second] = spans;
    expect(over).toMatchObject({
      ...ids,
      kind: 'internal',
      name: 'tools/call a',
      startUs: first?.startUs,
      endUs: second?.endUs,
      status: { isError: false },
      attributes: { 'faultline.outcome': 'success', 'faultline.call.attempts': 2 },
    });
    expect(over?.attributes['mcp.method.name']).toBeUndefined();
    expect([first, second]).toMatchObject([
      {
        ...attemptIds(session, chain, 1),
        parent: { spanId: ids.spanId },
        kind: 'client',
        status: { isError: true, description: 'once' },
      },
      {
        ...attemptIds(session, chain, 2),
        parent: { spanId: ids.spanId },
        status: { isError: false },
        attributes: { 'faultline.attempt.number': 2, 'faultline.attempt.delay': 0.1 },
      },
    ]);
    expect(requests).toHaveLength(2);
  });

  it('are the ones that the requests named when our side put the context in', () => {
    const ids = attemptIds('s1' as SessionId, 'ch' as ChainId, 1);
    const meta = { progressToken: 'ch.1', traceparent: formatTraceparent(ids) };
    const script = new Script().attempt('ch', 1, 'send').request(1, 'tools/call', call('a', meta)).result(1, OK);
    const [span] = toldOf(script).spans;
    expect(span).toMatchObject(ids);
    expect(span?.parent).toBeUndefined();
  });

  it('of the later pages of a listing stand under that of the first', () => {
    const { spans } = toldOf(
      new Script()
        .request(1, 'tools/list')
        .result(1, { tools: [], nextCursor: 'p2' })
        .request(2, 'tools/list', { cursor: 'p2' })
        .result(2, { tools: [] }),
    );
    const [first, second] = spans;
    expect(second).toMatchObject({
      traceId: first?.traceId,
      parent: { spanId: first?.spanId, isRemote: false },
      attributes: { 'faultline.group.kind': 'pagination', 'faultline.group.index': 1 },
    });
  });

  it('link what has a context of its own to the round before it', () => {
    const second = `00-${'1'.repeat(32)}-${SPAN}-01`;
    const { spans } = toldOf(
      new Script()
        .request(1, 'tools/list')
        .result(1, { tools: [], nextCursor: 'p2' })
        .request(2, 'tools/list', { cursor: 'p2', _meta: { traceparent: second } })
        .result(2, { tools: [] }),
    );
    expect(spans[1]).toMatchObject({
      traceId: '1'.repeat(32),
      links: [{ traceId: spans[0]?.traceId, spanId: spans[0]?.spanId, attributes: { 'faultline.link': 'pagination' } }],
    });
  });

  it('find the errors and contexts of a batch', () => {
    const { spans } = toldOf(
      new Script()
        .message('sent', [
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call('a', { traceparent }) },
          { jsonrpc: '2.0', id: 2, method: 'ping' },
        ])
        .message('received', [
          { jsonrpc: '2.0', id: 2, result: {} },
          { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'no' } },
        ]),
    );
    expect(spanNamed(spans, 'tools/call a')).toMatchObject({
      traceId: TRACE,
      attributes: { 'error.type': '-32602' },
      status: { description: 'no' },
    });
    expect(spanNamed(spans, 'ping').parent).toBeUndefined();
  });
});

describe('live', () => {
  it('a request is told once it is over and can hardly change any more, and only once', () => {
    const script = new Script()
      .request(1, 'tools/call', call('a'))
      .request(2, 'ping')
      .result(1, OK)
      .pass(5000)
      .result(1, OK);
    const spans = new Spans({ hasContent: false, graceUs: 1_000_000 });
    const correlator = new Correlator(judge);
    const names: string[][] = [];
    for (const event of script.events) {
      spans.push(event, correlator.push(event));
      names.push(spans.due(event.wallUs).spans.map(({ name }) => name));
    }
    expect(names).toEqual([[], [], [], ['tools/call a']]);
    expect(spans.finish().spans.map(({ name }) => name)).toEqual(['ping']);
    expect(spans.finish().spans).toEqual([]);
  });

  it('a chain is held for as long as its next attempt is awaited', () => {
    const script = new Script()
      .attempt('ch', 1, 'send')
      .request(1, 'tools/call', call('a', { progressToken: 'ch.1' }))
      .error(1, -32_603, 'once')
      .attempt('ch', 2, 'wait', 30_000);
    const spans = new Spans({ hasContent: false, graceUs: 1_000_000 });
    const correlator = new Correlator(judge);
    for (const event of script.events) {
      spans.push(event, correlator.push(event));
    }
    const nowUs = script.events.at(-1)?.wallUs ?? 0;
    expect(spans.due(nowUs + 29_000_000).spans).toEqual([]);
    expect(spans.due(nowUs + 32_000_000).spans).toHaveLength(1);
  });

  it('what never ends is held within a bound', () => {
    const script = new Script();
    for (let id = 1; id <= 20_050; id += 1) {
      script.request(id, 'ping');
    }
    const spans = new Spans({ hasContent: false, graceUs: 1_000_000 });
    const correlator = new Correlator(judge);
    for (const event of script.events) {
      spans.push(event, correlator.push(event));
    }
    expect(spans.due(EPOCH_US).spans).toHaveLength(50);
    expect(spans.size).toBe(20_000);
  });
});
