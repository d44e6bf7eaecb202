import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OtlpStatus } from '../../../src/core/export/otlp/exporter.ts';
import type { OtlpOptions, SettingsProblem } from '../../../src/core/export/otlp/settings.ts';
import { ExportThread } from '../../../src/host/otlp/exportThread.ts';
import type { ExportThreadSettings } from '../../../src/host/otlp/threadMessages.ts';
import { type Collector, type CollectorOptions, startCollector } from '../../servers/support/otlpCollector.ts';
import { Script } from '../../unit/core/export/otlp/support.ts';
import { until } from './otlpSupport.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../src/host/otlp/otlpThread.ts');
const open: Collector[] = [];
const threads: ExportThread[] = [];

afterEach(async () => {
  for (const thread of threads.splice(0)) {
    thread.stop();
  }
  await Promise.all(open.splice(0).map((collector) => collector.close()));
});

async function collector(more: Partial<CollectorOptions> = {}): Promise<Collector> {
  const started = await startCollector({ protocol: 'http', ...more });
  open.push(started);
  return started;
}

function start(options: OtlpOptions, more: Partial<ExportThreadSettings> = {}, script = SCRIPT) {
  const statuses: OtlpStatus[] = [];
  const problems: SettingsProblem[] = [];
  const thread = new ExportThread({
    script,
    settings: { options, version: '0.1.0', instance: 's1', mode: 'live', ...more },
    onStatus: (status) => statuses.push(status),
    onProblem: (problem) => problems.push(problem),
  });
  threads.push(thread);
  return { thread, statuses, problems };
}

function calls(count: number): Script {
  const script = new Script();
  for (let id = 1; id <= count; id += 1) {
    script
      .request(id, 'tools/call', { name: 'echo', arguments: { token: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz' } })
      .result(id, { content: [] });
  }
  return script;
}

describe('the thread that exports', () => {
  it('exports what it is given, and at its end what is left', async () => {
    const target = await collector();
    const { thread, statuses } = start({ endpoint: target.url });
    thread.take(calls(10).events);
    await until(() => thread.batchesBehind === 0);
    const status = await thread.end(5000);
    expect(status).toMatchObject({ sent: 10, waiting: 0, dropped: {} });
    expect(statuses.at(-1)).toEqual(status);
    expect(target.spans()).toHaveLength(10);
  });

  it('exports a recording batch by batch, the wanted exchanges alone, without secrets', async () => {
    const target = await collector();
    const { thread } = start({ endpoint: target.url, hasContent: true }, { mode: 'read', keys: [1, 5, 399] });
    const { events } = calls(200);
    for (let from = 0; from < events.length; from += 50) {
      await thread.room(2);
      expect(thread.batchesBehind).toBeLessThan(2);
      thread.take(events.slice(from, from + 50));
    }
    expect(await thread.end(0)).toMatchObject({ sent: 3, dropped: {} });
    expect(target.spans().map(({ attributes }) => attributes['faultline.row'])).toEqual([1, 5, 399]);
    expect(target.spans()[0]?.attributes['gen_ai.tool.call.arguments']).toMatch(/^\{"token":"/);
    expect(JSON.stringify(target.requests)).not.toContain('ghp_');
  });

  it('takes nothing beyond its bounds, and counts it', async () => {
    const target = await collector();
    const { thread } = start({ endpoint: target.url });
    const { events } = calls(9000);
    // In one turn, so that nothing is dealt with in between.
    thread.take(events);
    thread.take(events);
    thread.take(events.slice(0, 10));
    await until(() => thread.batchesBehind === 0);
    thread.take(calls(1).events);
    const status = await thread.end(10_000);
    expect(status?.dropped.behind).toBe(18_000);
  });

  it('says what keeps it from exporting, and waits for nobody then', async () => {
    const { thread, problems } = start({ endpoint: 'nowhere' });
    thread.take(calls(1).events);
    expect(await thread.end(1000)).toBeUndefined();
    expect(problems).toEqual([{ code: 'otlp.settings.endpoint', args: { value: 'nowhere' } }]);
    await thread.room(1);
  });

  it('fails without taking anybody with it', async () => {
    const { thread, problems } = start({}, {}, '/no/such/thread.js');
    expect(await thread.end(1000)).toBeUndefined();
    expect(problems).toEqual([{ code: 'otlp.thread.failed', args: { detail: expect.stringContaining('/no/such') } }]);
    thread.take(calls(1).events);
  });
});
