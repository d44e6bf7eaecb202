import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../base/messageOf.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import { reportOf } from '../../core/report/reportOf.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { type Report, reportSchema } from '../../protocol/report.ts';
import { VERSION } from '../../protocol/version.ts';
import type { ExchangeFilter } from '../exchangeFilter.ts';
import { openTarget, type Target } from '../recorded.ts';
import type { Terminal } from '../terminal.ts';
import { type Period, readPeriod } from './period.ts';

/** What all reports of one command have in common. */
export interface ReportWish {
  readonly log: string | undefined;
  /** As a person wrote it, and what it means. */
  readonly filterText: string | undefined;
  readonly filter: ExchangeFilter | undefined;
  readonly sinceText: string | undefined;
  readonly since: Period;
  readonly nowUs: number;
}

export type Made = { readonly report: Report; readonly hasProblems: boolean } | { readonly problem: string };

/** The longest report that is read back. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** The report of a session, of a file, or of all that a log holds. */
export async function makeReport(wanted: string | undefined, wish: ReportWish, terminal: Terminal): Promise<Made> {
  const target = await openTarget(wanted, wish.log, terminal);
  if ('problem' in target) {
    return target;
  }
  try {
    return { report: await reportFrom(target, wish.since, wish), hasProblems: target.recorded.hasProblems };
  } catch (error) {
    return { problem: `nothing was reported: ${messageOf(error)}` };
  } finally {
    target.recorded.close();
  }
}

/** One side of a comparison: a report that was written as JSON, a period of what `wanted` names, or a session. */
export async function makeSide(
  side: string,
  wanted: string | undefined,
  wish: ReportWish,
  terminal: Terminal,
): Promise<Made> {
  const file = path.resolve(terminal.cwd, side);
  if (side.endsWith('.json') && existsSync(file)) {
    return readReport(file, side);
  }
  const period = existsSync(file) ? undefined : readPeriod(side, wish.nowUs);
  if (period === undefined) {
    return makeReport(side, wish, terminal);
  }
  return 'problem' in period ? period : makeReport(wanted, { ...wish, since: period }, terminal);
}

async function readReport(file: string, name: string): Promise<Made> {
  try {
    if ((await stat(file)).size > MAX_REPORT_BYTES) {
      return { problem: `${name} is too large for a report` };
    }
    const read = reportSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return read.success
      ? { report: read.data, hasProblems: false }
      : { problem: `${name} is no report of this version of the format` };
  } catch (error) {
    return { problem: `${name} cannot be read: ${messageOf(error)}` };
  }
}

async function reportFrom(
  { events, sessions }: Target,
  { fromUs, untilUs }: Period,
  wish: ReportWish,
): Promise<Report> {
  const { filter, filterText, sinceText } = wish;
  const keys = await filter?.keysOf(events());
  const redactor = new Redactor(randomBytes(32));
  const isAlways = fromUs === Number.NEGATIVE_INFINITY && untilUs === Number.POSITIVE_INFINITY;
  const isWanted = ({ key, startUs }: Exchange) =>
    keys?.has(key) !== false && (isAlways || (startUs >= fromUs && startUs < untilUs));
  return reportOf(events(), {
    isWanted,
    redact: (text, isJson) => redactor.redact(text, isJson).text,
    frame: {
      generatedAt: new Date(wish.nowUs / 1000).toISOString(),
      faultline: VERSION,
      scope: {
        sessions: sessions
          .filter(({ firstUs, lastUs }) => lastUs >= fromUs && firstUs < untilUs)
          .map(({ id, name }) => ({ id, ...(name === undefined ? {} : { name }) })),
        ...(filterText === undefined ? {} : { filter: filterText }),
        ...(sinceText === undefined ? {} : { since: sinceText }),
      },
    },
  });
}
