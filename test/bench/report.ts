// Found, Node.js 22.23, two very busy cores, processor time of the thread: report.10k 0.3 s, of which the projection that the report
// is made from is three fifths; report.1MPerCall 77 µs, projection included; report.1MMemory 127 MB, with the projection. It hardly
// grows once as many agents are known as are kept.
import { createHash } from 'node:crypto';
import { formatText } from '../../src/base/text.ts';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import { reportHtml } from '../../src/core/report/html.ts';
import { reportMarkdown } from '../../src/core/report/markdown.ts';
import { ReportBuilder } from '../../src/core/report/reportBuilder.ts';
import type { ReportVoice } from '../../src/core/report/reportWords.ts';
import type { LogEvent } from '../../src/protocol/events.ts';
import { TEXTS } from '../../src/protocol/texts.ts';
import { reportSession } from '../golden/reportSession.ts';
import { type BenchResult, median, progress, rounded, threadTimeOf } from './bench.ts';
import { heldBytes } from './memory.ts';

const CALLS = 10_000;
const RUNS = 5;
const MANY_CALLS = 1_000_000;
/** Events that are made at a time, outside of what is measured. */
const CHUNK = 10_000;

const voice: ReportVoice = {
  language: 'en',
  say: (code, args) => formatText(TEXTS[code] ?? code, args),
  nameOf: (server) => server,
  time: String,
};

/** `report.10k`: s of processor time from the recorded events of 10,000 calls to the report as Markdown and HTML. */
export function report10k(): BenchResult {
  const events = [...reportSession(CALLS)];
  const times = Array.from({ length: RUNS }, () => threadTimeOf(() => write(made(events))) / 1000);
  return result('report.10k', median(times), 's', 2);
}

/**
 * `report.1MPerCall`: µs of processor time a call of 1,000,000, in one report. `report.1MMemory`: what
 * the process holds for it at the end, bytes.
 */
export function report1M(): BenchResult[] {
  // Of the benchmarks that ran before in this process something stays.
  const before = heldBytes();
  const correlator = new Correlator(judge);
  const builder = newBuilder();
  let ms = 0;
  let chunk: LogEvent[] = [];
  const take = () => {
    ms += threadTimeOf(() => {
      for (const event of chunk) {
        builder.push(event, correlator.push(event));
      }
    });
    chunk = [];
  };
  progress(`report.1M: ${MANY_CALLS} calls`);
  for (const event of reportSession(MANY_CALLS)) {
    chunk.push(event);
    if (chunk.length === CHUNK) {
      take();
    }
  }
  take();
  const held = heldBytes() - before;
  const report = builder.build(FRAME);
  if (report.totals.calls !== MANY_CALLS) {
    throw new Error(`the report counts ${report.totals.calls} calls`);
  }
  return [
    result('report.1MPerCall', (ms * 1000) / MANY_CALLS, 'µs', 150),
    result('report.1MMemory', held, 'B', 200_000_000),
  ];
}

const FRAME = { generatedAt: '2026-12-01T00:00:00.000Z', faultline: '1.2.3', scope: { sessions: [] } };

function newBuilder(): ReportBuilder {
  return new ReportBuilder({ redact: (text) => text });
}

function made(events: readonly LogEvent[]) {
  const correlator = new Correlator(judge);
  const builder = newBuilder();
  for (const event of events) {
    builder.push(event, correlator.push(event));
  }
  return builder.build(FRAME);
}

function write(report: ReturnType<typeof made>): void {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64');
  const length =
    reportMarkdown(report, voice).length + reportHtml(report, voice, { place: 'page', hash, actions: [] }).length;
  if (length < 10_000) {
    throw new Error('the report is empty');
  }
}

function result(name: string, value: number, unit: string, goal: number): BenchResult {
  return { name, value: rounded(value), unit, goal: `≤ ${goal}`, ok: value <= goal };
}
