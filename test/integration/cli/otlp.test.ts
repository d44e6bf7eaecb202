import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Protocol } from '../../../src/core/export/otlp/settings.ts';
import { type Collector, type CollectorOptions, startCollector } from '../../servers/support/otlpCollector.ts';
import { EPOCH_US, Script } from '../../unit/core/export/otlp/support.ts';
import { written } from '../../unit/core/export/support.ts';
import { until } from '../export/otlpSupport.ts';
import { eventsOf, freshLog, handshake, line, startTap, type Tap, testServer } from '../passthrough/tapScene.ts';
import { runCli } from './runCli.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'faultline-otlp-'));
const open: Collector[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((collector) => collector.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function collector(more: Partial<CollectorOptions> = {}): Promise<Collector> {
  const started = await startCollector({ protocol: 'http', ...more });
  open.push(started);
  return started;
}

/** A session file with a call that goes well and one that a tool says has failed, with a secret in its arguments. */
async function sessionFile(): Promise<string> {
  const file = path.join(folder, 'recorded.faultline.jsonl');
  const { events } = new Script()
    .request(1, 'tools/call', { name: 'good', arguments: { apiKey: 'sk-live-Zq8Wv3Xy7Rt2Pm5Kd9Lb' } })
    .result(1, { content: [] })
    .request(2, 'tools/call', { name: 'bad', arguments: {} })
    .result(2, { content: [{ type: 'text', text: 'no' }], isError: true });
  writeFileSync(file, await written(events));
  return file;
}

describe('faultline export --otlp', () => {
  it('exports a recording with its own times, and what the filter lets pass alone', async () => {
    const target = await collector();
    const file = await sessionFile();
    const all = await runCli(['export', file, '--otlp', '--otlp-endpoint', target.url]);
    expect(all).toEqual({ code: 0, stdout: '', stderr: `spans exported to ${target.url}/v1/traces: 2\n` });
    expect(target.spans()[0]).toMatchObject({
      name: 'tools/call good',
      startTimeUnixNano: String(BigInt(EPOCH_US + 1000) * 1000n),
    });
    expect(target.requests.map(({ signal }) => signal)).toEqual(['traces', 'metrics']);
    const args = ['export', file, '--otlp', '--filter', 'outcome:tool_error', '--no-otlp-metrics'];
    const some = await runCli(args, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: target.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=1' },
    });
    expect(some.stderr).toBe(`spans exported to ${target.url}/v1/traces: 1\n`);
    const last = target.requests.at(-1);
    expect([last?.signal, last?.headers['x-key'], last?.spans.map(({ name }) => name)]).toEqual([
      'traces',
      '1',
      ['tools/call bad'],
    ]);
    // The same span as before: the same log gives the same ids.
    expect(last?.spans[0]?.spanId).toBe(target.spans()[1]?.spanId);
  });

  it('exports content only when that is asked for, and without its secrets', async () => {
    const target = await collector();
    const file = await sessionFile();
    await runCli(['export', file, '--otlp', '--otlp-endpoint', target.url]);
    await runCli(['export', file, '--otlp', '--otlp-endpoint', target.url, '--otlp-content']);
    const [without, , withContent] = target.spans().map(({ attributes }) => attributes['gen_ai.tool.call.arguments']);
    expect(without).toBeUndefined();
    expect(withContent).toMatch(/^\{"apiKey":"/);
    expect(JSON.stringify(target.requests)).not.toContain('sk-live');
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ['an endpoint that is none', ['--otlp-endpoint', 'collector'], {}, /"collector" is no endpoint/],
    ['a header that is none', ['--otlp-header', 'x'], {}, /--otlp-header takes/],
    ['a file that is not there', ['--otlp-ca', '/no/ca.pem'], {}, /\/no\/ca\.pem cannot be read/],
    [
      'nobody who takes it',
      ['--otlp-endpoint', 'http://localhost:9'],
      { OTEL_BSP_EXPORT_TIMEOUT: '0' },
      /^spans exported .*: 0\nfaultline: Spans that could not be sent before the end: 2\. .*ECONNREFUSED/,
    ],
  ])('fails with a sentence: %s', async (_, args, env, sentence) => {
    const { code, stderr } = await runCli(['export', await sessionFile(), '--otlp', ...args], { env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });
});

const tapped = (log: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Tap =>
  startTap(['--log', log, ...args, '--', ...testServer('wellBehaved')], { env });
const call = (id: number) => line({ id, method: 'tools/call', params: { name: 'work', arguments: {} } });
const answers = (tap: Tap) => tap.out().toString().split('\n').length - 1;

describe('faultline tap --otlp', () => {
  it('exports what passes, live and at its end', async () => {
    const target = await collector();
    const tap = tapped(freshLog(), ['--otlp-endpoint', target.url, '--session', 'tapped'], {
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    tap.child.stdin.write(handshake('editor'));
    tap.child.stdin.write(call(1));
    await until(() => target.spans().some(({ name }) => name === 'tools/call work'));
    tap.child.stdin.end(call(2));
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    const spans = target.spans();
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['initialize', 'CLIENT'],
      ['tools/call work', 'CLIENT'],
      ['tools/call work', 'CLIENT'],
    ]);
    expect(spans[1]?.attributes).toMatchObject({ 'network.transport': 'pipe', 'faultline.origin': 'tap:editor' });
    expect(target.requests.at(-1)?.resource['service.instance.id']).toBe('tapped');
    expect(target.requests.flatMap(({ metrics }) => metrics).map(({ name }) => name)).toContain(
      'mcp.client.operation.duration',
    );
    expect(tap.err()).toBe('');
  });

  it.each<[string, Partial<CollectorOptions> | undefined]>([
    ['absent', undefined],
    ['slow', { answer: () => ({ delayMs: 30_000 }) }],
    ['full', { answer: () => ({ status: 429, retryAfterS: 600 }) }],
    ['refusing', { answer: () => ({ status: 401 }) }],
  ])('passes and records everything while the collector is %s, and says what never arrived', async (_, more) => {
    const target = more === undefined ? undefined : await collector(more);
    const log = freshLog();
    const tap = tapped(log, ['--otlp-endpoint', target?.url ?? 'http://localhost:9'], {
      OTEL_BSP_SCHEDULE_DELAY: '0',
      OTEL_BSP_MAX_QUEUE_SIZE: '50',
    });
    tap.child.stdin.write(handshake('editor'));
    for (let id = 1; id <= 200; id += 1) {
      tap.child.stdin.write(call(id));
    }
    await until(() => answers(tap) === 201);
    // The exporter is loaded, and has tried.
    await until(() => (target === undefined ? tap.err() !== '' : target.arrivals.length > 0));
    tap.child.stdin.end();
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    const events = eventsOf(log);
    const requests = events.filter(
      ({ body }) =>
        body.kind === 'message' && body.envelope.kind === 'request' && body.envelope.method === 'tools/call',
    );
    expect(requests).toHaveLength(200);
    const marks = events.flatMap(({ body }) =>
      body.kind === 'note' && body.note.type === 'mark' ? [body.note.text] : [],
    );
    expect(marks).toEqual([expect.stringMatching(/^Not everything reached the collector: Spans that .*: \d+\./)]);
  });

  it('says once that the collector takes nothing for now', async () => {
    const target = await collector({ answer: (index) => (index < 2 ? { status: 503 } : {}) });
    const tap = tapped(freshLog(), ['--otlp-endpoint', target.url], { OTEL_BSP_SCHEDULE_DELAY: '0' });
    tap.child.stdin.write(handshake('editor'));
    await until(() => target.spans().length > 0);
    expect(tap.err()).toMatch(/^faultline tap: The collector takes nothing for now, .*: HTTP 503 .*\n$/);
    tap.child.stdin.end();
    expect(await tap.ended).toEqual({ code: 0, signal: null });
  });

  it('says that a setting is no use, and records all the same', async () => {
    const log = freshLog();
    const tap = tapped(log, ['--otlp'], { OTEL_EXPORTER_OTLP_PROTOCOL: 'thrift' });
    tap.child.stdin.write(handshake('editor'));
    await until(() => tap.err() !== '');
    expect(tap.err()).toMatch(/^faultline tap: Nothing is exported to OpenTelemetry: "thrift" is no protocol.*\n$/);
    tap.child.stdin.end();
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    expect(eventsOf(log).length).toBeGreaterThan(2);
  });
});

describe('the bundled command line', () => {
  const copy = path.join(folder, 'bundle');

  beforeAll(() => {
    for (const name of ['src', 'webview', 'media', 'esbuild.mjs', 'package.json']) {
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    // Its size budgets are for the build to tell; what it wrote is what is tried here.
    spawnSync(process.execPath, ['esbuild.mjs'], { cwd: copy });
    rmSync(path.join(copy, 'node_modules'));
  }, 60_000);

  it.each<Protocol>(['http/protobuf', 'http/json', 'grpc'])(
    'exports over %s with nothing beside it',
    async (protocol) => {
      const target = await collector({ protocol: protocol === 'grpc' ? 'grpc' : 'http' });
      const args = [
        'export',
        await sessionFile(),
        '--otlp',
        '--otlp-endpoint',
        target.url,
        '--otlp-protocol',
        protocol,
      ];
      const child = spawn(process.execPath, [path.join(copy, 'dist/cli.js'), ...args], { cwd: copy });
      const ended = new Promise((resolve) => {
        child.once('close', resolve);
      });
      const [code, stderr] = await Promise.all([ended, text(child.stderr)]);
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^spans exported .*: 2\n$/)]);
      expect(target.spans()).toHaveLength(2);
      expect(target.requests.at(-1)?.signal).toBe('metrics');
    },
  );
});
