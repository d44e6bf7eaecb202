import { Correlator } from '../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../src/core/classify/judge.ts';
import { ReportBuilder, type ReportOptions } from '../../../../src/core/report/reportBuilder.ts';
import type { EventBody, LogEvent, Origin } from '../../../../src/protocol/events.ts';
import type { JsonObject } from '../../../../src/protocol/jsonrpc.ts';
import type { Report } from '../../../../src/protocol/report.ts';
import { answer, ask, refuse } from '../classify/anomalies/found.ts';
import { recorded } from '../classify/support.ts';

/** A report of events of one session, secrets left as they are. */
export function reportOn(events: Iterable<LogEvent>, options: Partial<ReportOptions> = {}): Report {
  const correlator = new Correlator(judge);
  const builder = new ReportBuilder({ redact: (text) => text, ...options });
  for (const event of events) {
    builder.push(event, correlator.push(event));
  }
  return builder.build({ generatedAt: '2026-12-01T00:00:00.000Z', faultline: '1.2.3', scope: { sessions: [] } });
}

/** The same of bodies, of a client whose name is `origin`. */
export function reportOnBodies(
  bodies: readonly EventBody[],
  { origin = 'client', ...options }: Partial<ReportOptions> & { readonly origin?: Origin } = {},
): Report {
  return reportOn(recorded(bodies, { origin }), options);
}

export const call = (id: number, args: JsonObject = { city: 'Rom' }, tool = 'weather'): EventBody =>
  ask(id, 'tools/call', { name: tool, arguments: args });

const say = (id: number, words: string, more: JsonObject = {}): EventBody =>
  answer(id, { content: [{ type: 'text', text: words }], ...more });

export const fail = (id: number, words = 'no such city'): EventBody => say(id, words, { isError: true });

export const succeed = (id: number): EventBody => say(id, 'sunny, 20 degrees');

export const refuseCall = (id: number, message: string, code = -32602): EventBody => refuse(id, code, message);

/** A text that the judge takes for a failure without `isError`. */
export const silent = (id: number, words = 'Error: the weather service is down'): EventBody => say(id, words);

export const partial = (id: number): EventBody =>
  say(id, JSON.stringify({ imported: 2, failed: [{ row: 3, error: 'no sku' }] }));

export const timedOut = (id: number): EventBody => ({
  kind: 'local-end',
  id,
  end: { kind: 'timeout', limit: 'total', afterMs: 1000, progressSeen: false },
});

export const listed = (tools: readonly JsonObject[]): readonly EventBody[] => [
  ask('l', 'tools/list'),
  answer('l', { tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) }),
];
