import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OtlpStatus } from '../../../src/core/export/otlp/exporter.ts';
import type { Protocol } from '../../../src/core/export/otlp/settings.ts';
import { type Collector, type CollectorOptions, startCollector } from '../../servers/support/otlpCollector.ts';
import { EPOCH_US, Script } from '../../unit/core/export/otlp/support.ts';
import { startExporter, until } from './otlpSupport.ts';

const PROTOCOLS: readonly Protocol[] = ['http/protobuf', 'http/json', 'grpc'];
/** gRPC's UNAVAILABLE and RESOURCE_EXHAUSTED, HTTP's like. */
const THROTTLED = { 'http/protobuf': 429, 'http/json': 429, grpc: 8 } as const;
const UNAVAILABLE = { 'http/protobuf': 503, 'http/json': 503, grpc: 14 } as const;
const REFUSED = { 'http/protobuf': 400, 'http/json': 400, grpc: 3 } as const;

const open: Collector[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((collector) => collector.close()));
});

async function collector(protocol: Protocol, more: Partial<CollectorOptions> = {}): Promise<Collector> {
  const started = await startCollector({ protocol: protocol === 'grpc' ? 'grpc' : 'http', ...more });
  open.push(started);
  return started;
}

const TLS = path.resolve(import.meta.dirname, '../../fixtures/otlp/tls');
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** A session with a process, a call that was repeated, one that failed by its own word, and one from a trace of others. */
function session(): Script {
  return new Script()
    .add({ kind: 'lifecycle', detail: { step: 'spawn', command: 'x', args: [] } })
    .add({
      kind: 'lifecycle',
      detail: { step: 'initialized', revision: '2025-11-25', capabilities: [], durationUs: 5 },
    })
    .attempt('ch', 1, 'send')
    .request(1, 'tools/call', { name: 'flaky', arguments: { q: 'Passwort' }, _meta: { progressToken: 'ch.1' } })
    .error(1, -32_603, 'once')
    .attempt('ch', 2, 'wait', 100)
    .pass(100)
    .attempt('ch', 2, 'send', 100)
    .request(2, 'tools/call', { name: 'flaky', arguments: {}, _meta: { progressToken: 'ch.2' } })
    .result(2, { content: [{ type: 'text', text: 'fine' }] })
    .request(3, 'tools/call', { name: 'fails', arguments: {} })
    .result(3, { content: [{ type: 'text', text: 'no such order' }], isError: true })
    .request(4, 'prompts/get', { name: 'greet', _meta: { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'a=b' } })
    .result(4, { messages: [] })
    .add({ kind: 'lifecycle', detail: { step: 'exited', code: 0, signal: null, expected: true } });
}

/** So many calls on one connection. */
function calls(count: number): Script {
  const script = new Script();
  for (let id = 1; id <= count; id += 1) {
    script.request(id, 'tools/call', { name: 'echo', arguments: {} }).result(id, { content: [] });
  }
  return script;
}

describe.each(PROTOCOLS)('OTLP over %s', (protocol) => {
  it('is read by a decoder that has nothing in common with the encoder', async () => {
    const target = await collector(protocol);
    const exporter = await startExporter(
      { endpoint: target.url, protocol, compression: 'gzip', headers: { 'x-team': 'blue' } },
      { patienceMs: 5000, env: { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test' } },
    );
    const status = await exporter.read(session().events, true);
    expect(status).toMatchObject({ sent: 5, waiting: 0, dropped: {}, state: { kind: 'idle' } });

    const [traces, metrics] = ['traces', 'metrics'].map((signal) =>
      target.requests.find((request) => request.signal === signal),
    );
    expect(traces?.resource).toEqual({
      'service.name': 'faultline',
      'service.version': '0.1.0',
      'service.instance.id': 's1',
      'deployment.environment': 'test',
    });
    expect(traces?.headers).toMatchObject({
      'x-team': 'blue',
      'user-agent': expect.stringContaining('faultline/0.1.0'),
    });
    const spans = target.spans();
    const [over, first, second, fails, greet] = spans;
    const nano = (ms: number) => String(BigInt(EPOCH_US + ms * 1000) * 1000n);
    expect(spans.map(({ name, kind, status: { code } }) => [name, kind, code])).toEqual([
      ['tools/call flaky', 'INTERNAL', 'UNSET'],
      ['tools/call flaky', 'CLIENT', 'ERROR'],
      ['tools/call flaky', 'CLIENT', 'UNSET'],
      ['tools/call fails', 'CLIENT', 'ERROR'],
      ['prompts/get greet', 'CLIENT', 'UNSET'],
    ]);
    expect(over).toMatchObject({ startTimeUnixNano: nano(4), endTimeUnixNano: nano(109), parentSpanId: '' });
    expect(first).toMatchObject({
      traceId: over?.traceId,
      parentSpanId: over?.spanId,
      startTimeUnixNano: nano(4),
      endTimeUnixNano: nano(5),
      status: { message: 'once' },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'flaky',
        'gen_ai.operation.name': 'execute_tool',
        'jsonrpc.request.id': '1',
        'mcp.protocol.version': '2025-11-25',
        'network.transport': 'pipe',
        'error.type': '-32603',
        'rpc.response.status_code': '-32603',
        'faultline.outcome': 'protocol_error',
        'faultline.attempt.number': 1,
        'faultline.attempt.delay': 0,
      },
    });
    expect(second?.attributes).toMatchObject({ 'faultline.attempt.number': 2, 'faultline.attempt.delay': 0.1 });
    expect(fails?.attributes).toMatchObject({ 'error.type': 'tool_error', 'faultline.outcome': 'tool_error' });
    expect(greet).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, traceState: 'a=b' });
    expect(JSON.stringify(spans)).not.toMatch(/Passwort|no such order/);

    const metric = (name: string) => metrics?.metrics.find((found) => found.name === name);
    expect(metric('mcp.client.operation.duration')).toMatchObject({ unit: 's', temporality: 'CUMULATIVE' });
    const flaky = metric('mcp.client.operation.duration')?.points.find(
      ({ attributes }) => (attributes as Record<string, unknown>)['error.type'] === '-32603',
    );
    expect(flaky).toMatchObject({
      attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'flaky', 'network.transport': 'pipe' },
      explicitBounds: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
      startTimeUnixNano: nano(1),
      timeUnixNano: nano(114),
    });
    expect([
      Number(flaky?.['count']),
      flaky?.['sum'],
      ((flaky?.['bucketCounts'] ?? []) as unknown[]).map(Number),
    ]).toEqual([1, 0.001, [1, ...Array(14).fill(0)]]);
    expect(metric('mcp.client.session.duration')?.points).toMatchObject([{ sum: 0.112 }]);
    expect(metric('faultline.retries')?.points).toHaveLength(1);
    expect(metric('faultline.exchanges')?.points.map((point) => Number(point['asInt'] ?? point['asDouble']))).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('loses nothing that the queue can hold while the collector is absent, slow and restarted', async () => {
    const first = await collector(protocol);
    const { port, url } = first;
    const states: OtlpStatus[] = [];
    const exporter = await startExporter(
      { endpoint: url, protocol, timeoutMs: 2000 },
      { env: { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10' }, onStatus: (status) => states.push(status) },
    );
    const { events } = calls(100);
    exporter.take(events.slice(0, 100));
    await until(() => first.spans().length > 0);
    await first.close();
    exporter.take(events.slice(100));
    // It has noticed.
    await until(() => states.at(-1)?.state.kind === 'waiting');
    const second = await collector(protocol, { port, answer: (index) => (index === 0 ? { delayMs: 300 } : {}) });
    await until(() => new Set([...first.spans(), ...second.spans()].map(({ spanId }) => spanId)).size === 100);
    const status = await exporter.close(5000);
    expect([status.sent, status.waiting, status.dropped]).toEqual([100, 0, {}]);
  });

  it('comes back when a collector that is asked too much says, and not before', async () => {
    const target = await collector(protocol, {
      answer: (index) => (index === 0 ? { status: THROTTLED[protocol], retryAfterS: 2 } : {}),
    });
    const exporter = await startExporter({ endpoint: target.url, protocol });
    exporter.take(calls(3).events);
    await until(() => target.spans().length === 3);
    const [first = 0, second = 0] = target.arrivals;
    // Our own patience would have been over after 0.8 s.
    expect(second - first).toBeGreaterThanOrEqual(1990);
    expect(await exporter.close(1000)).toMatchObject({ sent: 3, dropped: {} });
  });

  it('tries again what a collector cannot take now, and drops what it refuses, with its words', async () => {
    const target = await collector(protocol, {
      answer: (index) =>
        index === 0 ? { status: UNAVAILABLE[protocol] } : index === 1 ? { status: REFUSED[protocol] } : {},
    });
    const exporter = await startExporter(
      { endpoint: target.url, protocol },
      { env: { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4', OTEL_METRICS_EXPORTER: 'none' } },
    );
    exporter.take(calls(10).events);
    await until(() => target.spans().length === 6);
    const status = await exporter.close(1000);
    expect(status).toMatchObject({
      sent: 6,
      dropped: { rejected: 4 },
      lastProblem: expect.stringMatching(/400|INVALID/),
    });
  });

  it('counts what a collector says that it did not keep', async () => {
    const target = await collector(protocol, { answer: () => ({ rejected: { count: 2, message: 'too old' } }) });
    const exporter = await startExporter(
      { endpoint: target.url, protocol },
      { env: { OTEL_METRICS_EXPORTER: 'none' } },
    );
    exporter.take(calls(5).events);
    await until(() => exporter.status.sent > 0);
    expect(await exporter.close(1000)).toMatchObject({ sent: 3, dropped: { rejected: 2 }, lastProblem: 'too old' });
  });

  it('counts what finds no room, and tells the count', async () => {
    const target = await collector(protocol, { answer: (index) => (index === 0 ? { delayMs: 1200 } : {}) });
    const exporter = await startExporter(
      { endpoint: target.url, protocol },
      { env: { OTEL_BSP_MAX_QUEUE_SIZE: '20', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' } },
    );
    exporter.take(calls(50).events);
    await until(() => exporter.status.dropped.queue_full !== undefined);
    const status = await exporter.close(5000);
    expect([status.sent, status.dropped]).toEqual([20, { queue_full: 30 }]);
    // The metrics of the end were collected before the drops that follow them; the drops came first here.
    const dropped = target.requests
      .flatMap(({ metrics }) => metrics)
      .find(({ name }) => name === 'faultline.export.dropped');
    expect(dropped?.points).toMatchObject([{ attributes: { reason: 'queue_full' } }]);
    expect(Number(dropped?.points[0]?.['asInt'] ?? dropped?.points[0]?.['asDouble'])).toBe(30);
  });

  it('gives up at its end what an absent collector has not taken, within its limit', async () => {
    const gone = await collector(protocol);
    await gone.close();
    const exporter = await startExporter({ endpoint: gone.url, protocol });
    exporter.take(calls(7).events);
    const status = await exporter.close(300);
    expect(status).toMatchObject({ sent: 0, waiting: 0, dropped: { closed: 7 } });
  });

  it('gives up after the fact when the collector has taken nothing for too long', async () => {
    const gone = await collector(protocol);
    await gone.close();
    const exporter = await startExporter(
      { endpoint: gone.url, protocol },
      { patienceMs: 500, env: { OTEL_BSP_MAX_QUEUE_SIZE: '10' } },
    );
    const status = await exporter.read(calls(40).events, true);
    expect([status.sent, status.dropped.closed, status.lastProblem]).toEqual([
      0,
      40,
      expect.stringMatching(/REFUSED|UNAVAILABLE/),
    ]);
  });

  it('halves what is too large until the collector takes it', async () => {
    const target = await collector(protocol, {
      answer: (index) => (index < 2 ? { status: protocol === 'grpc' ? 8 : 413 } : {}),
    });
    const exporter = await startExporter(
      { endpoint: target.url, protocol },
      { env: { OTEL_METRICS_EXPORTER: 'none' } },
    );
    exporter.take(calls(40).events);
    await until(() => target.spans().length === 40);
    expect(target.requests.map(({ spans }) => spans.length)).toEqual([10, 20, 10]);
    expect(await exporter.close(1000)).toMatchObject({ sent: 40, dropped: {} });
  });

  it('waits for no answer longer than its time', async () => {
    const target = await collector(protocol, { answer: (index) => (index === 0 ? { delayMs: 60_000 } : {}) });
    const exporter = await startExporter({ endpoint: target.url, protocol, timeoutMs: 200 });
    exporter.take(calls(2).events);
    await until(() => target.spans().length === 2);
    expect(await exporter.close(1000)).toMatchObject({ sent: 2, dropped: {} });
  });

  it('proves who both are over TLS, and sends nothing to whom it does not trust', async () => {
    const read = (name: string) => readFileSync(path.join(TLS, name), 'utf8');
    const tls = { cert: read('server.pem'), key: read('server.key'), ca: read('ca.pem') };
    const target = await collector(protocol, { tls });
    const certificate = path.join(TLS, 'ca.pem');
    const files = { clientCertificate: path.join(TLS, 'client.pem'), clientKey: path.join(TLS, 'client.key') };
    for (const unproven of [{}, files, { certificate }]) {
      const stranger = await startExporter({ endpoint: target.url, protocol, ...unproven });
      stranger.take(calls(1).events);
      expect(await stranger.close(400)).toMatchObject({ sent: 0, dropped: { closed: 1 } });
    }
    expect(target.arrivals).toEqual([]);
    const known = await startExporter({ endpoint: target.url, protocol, certificate, ...files });
    known.take(calls(1).events);
    expect(await known.close(5000)).toMatchObject({ sent: 1, dropped: {} });
  });
});

it('writes flags and ids as OTLP has them in JSON', async () => {
  const target = await collector('http/json');
  const exporter = await startExporter({ endpoint: target.url, protocol: 'http/json' }, { patienceMs: 5000 });
  await exporter.read(session().events, false);
  const json = target.requests[0]?.json as {
    resourceSpans: {
      scopeSpans: { scope: unknown; spans: { name: string; traceId: string; flags: number; kind: number }[] }[];
    }[];
  };
  const [scope] = json.resourceSpans[0]?.scopeSpans ?? [];
  expect(scope?.scope).toMatchObject({ name: 'faultline', version: '0.1.0' });
  // Bit 0 sampled, bit 8 says that bit 9 is known: whether the parent is in another process.
  expect(scope?.spans.map(({ flags }) => flags)).toEqual([0x101, 0x101, 0x101, 0x101, 0x301]);
  expect(scope?.spans.every(({ traceId, kind }) => /^[0-9a-f]{32}$/.test(traceId) && kind > 0)).toBe(true);
});
