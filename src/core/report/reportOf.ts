import type { LogEvent } from '../../protocol/events.ts';
import type { Report } from '../../protocol/report.ts';
import { Correlator } from '../classify/correlate.ts';
import { judge } from '../classify/judge.ts';
import { ReportBuilder, type ReportFrame, type ReportOptions } from './reportBuilder.ts';

/** The report of recorded events, read once from the beginning. Rejects only when `events` does. */
export async function reportOf(
  events: AsyncIterable<LogEvent> | Iterable<LogEvent>,
  { frame, ...options }: ReportOptions & { readonly frame: ReportFrame | (() => Promise<ReportFrame>) },
): Promise<Report> {
  const correlator = new Correlator(judge);
  const builder = new ReportBuilder(options);
  for await (const event of events) {
    builder.push(event, correlator.push(event));
  }
  return builder.build(typeof frame === 'function' ? await frame() : frame);
}
