import { safeText } from '../../base/safeText.ts';
import { systemClock } from '../../base/systemClock.ts';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import { inOrder, project } from '../../core/export/bugReportBundle.ts';
import { projectionLine } from '../../core/export/projectionText.ts';
import { parseFrame } from '../../core/transport/envelope.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { readFilter } from '../exchangeFilter.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { openTarget } from '../recorded.ts';
import type { Terminal } from '../terminal.ts';

export interface ShowOptions {
  readonly log?: string;
  /** Read every message anew from its raw text, and trust nothing that was derived when it was recorded. */
  readonly rebuild: boolean;
  /** In the language of the timeline's filter. */
  readonly filter?: string;
  readonly outcome?: readonly OutcomeKind[];
  readonly format: 'text' | 'json';
}

/** `faultline show`: prints what recorded events project to, one exchange a line. The same events give the same bytes. */
export async function show(wanted: string | undefined, options: ShowOptions, terminal: Terminal): Promise<ExitCode> {
  const read = readFilter(options.filter, systemClock.wallUs());
  if ('problem' in read) {
    terminal.err(`faultline: ${read.problem}\n`);
    return exitCodes.failed;
  }
  const { filter } = read;
  const target = await openTarget(wanted, options.log, terminal);
  if ('problem' in target) {
    terminal.err(`faultline: ${target.problem}\n`);
    return exitCodes.failed;
  }
  try {
    const events = options.rebuild ? rebuilt(target.events()) : target.events();
    const exchanges = await project(filter?.watch(events) ?? events, new Correlator(judge));
    const keys = filter?.passing([...exchanges.values()]);
    for (const exchange of inOrder([...exchanges.values()])) {
      const isWanted =
        options.outcome === undefined || options.outcome.includes(exchange.verdict?.outcome ?? 'pending');
      if (isWanted && keys?.has(exchange.key) !== false) {
        const line = options.format === 'json' ? JSON.stringify(exchange) : safeText(projectionLine(exchange));
        await terminal.out(`${line}\n`);
      }
    }
    return target.recorded.hasProblems ? exitCodes.failed : exitCodes.clean;
  } finally {
    target.recorded.close();
  }
}

/** Events with nothing but what was on the wire: the shape of each message is read from its text again. */
export async function* rebuilt(events: AsyncIterable<LogEvent>): AsyncGenerator<LogEvent, void, undefined> {
  for await (const event of events) {
    const { body } = event;
    yield body.kind === 'message' ? { ...event, body: { ...body, envelope: parseFrame(body.raw).envelope } } : event;
  }
}
