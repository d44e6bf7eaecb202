import { createHash } from 'node:crypto';
import path from 'node:path';
import { assertNever } from '../../base/assertNever.ts';
import { messageOf } from '../../base/messageOf.ts';
import { systemClock } from '../../base/systemClock.ts';
import { shellText } from '../../core/export/copyAs/shell.ts';
import { writeWhole } from '../../core/export/writeWhole.ts';
import { type Comparison, compareReports } from '../../core/report/compareReports.ts';
import { comparisonHtml, comparisonMarkdown } from '../../core/report/comparisonText.ts';
import { englishVoice } from '../../core/report/englishVoice.ts';
import { reportHtml } from '../../core/report/html.ts';
import type { PageFrame } from '../../core/report/htmlPage.ts';
import { reportMarkdown } from '../../core/report/markdown.ts';
import type { ReportVoice } from '../../core/report/reportWords.ts';
import { silentTools, withSources } from '../../core/report/sources.ts';
import { filterTerm } from '../../core/timeline/filter/quote.ts';
import type { Report } from '../../protocol/report.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { readFilter } from '../exchangeFilter.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { readSince } from '../report/period.ts';
import { makeReport, makeSide, type ReportWish } from '../report/reportSide.ts';
import { findToolSources } from '../report/toolSources.ts';
import type { Terminal } from '../terminal.ts';

type Format = 'md' | 'html' | 'json';

export interface ReportCommandOptions {
  readonly log?: string;
  /** By the name of the output file, or Markdown, when absent. */
  readonly format?: Format;
  /** File to write; stdout when absent. */
  readonly output?: string;
  /** In the language of the timeline's filter. */
  readonly filter?: string;
  /** A moment, or how long ago. */
  readonly since?: string;
  /** Two sides: sessions, files, periods or reports. */
  readonly compare?: readonly string[];
  /** Folder whose source is looked through for tools that fail silently; `false` for none. */
  readonly source?: string | false;
}

/** `faultline report`: writes what recorded calls say of the tools and of the agents that called them. */
export async function report(
  wanted: string | undefined,
  options: ReportCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const fail = (problem: string): ExitCode => {
    terminal.err(`faultline: ${problem}\n`);
    return exitCodes.failed;
  };
  const nowUs = systemClock.wallUs();
  const read = readFilter(options.filter, nowUs);
  if ('problem' in read) {
    return fail(read.problem);
  }
  const since = readSince(options.since, nowUs);
  if ('problem' in since) {
    return fail(`--since: ${since.problem}`);
  }
  const { compare, output } = options;
  if (compare !== undefined && (compare.length !== 2 || options.since !== undefined)) {
    return fail('--compare takes two sides, and no --since: a side such as 7d..1d is a period');
  }
  const wish: ReportWish = {
    log: options.log,
    filterText: options.filter,
    filter: read.filter,
    sinceText: options.since,
    since,
    nowUs,
  };
  const made =
    compare === undefined ? await single(wanted, options, wish, terminal) : await both(compare, wanted, wish, terminal);
  if ('problem' in made) {
    return fail(made.problem);
  }
  const format = options.format ?? formatOf(output);
  const text = made.print(format);
  try {
    await (output === undefined ? terminal.out(text) : writeWhole([text], path.resolve(terminal.cwd, output)));
  } catch (error) {
    return fail(`nothing was written: ${messageOf(error)}`);
  }
  return made.hasProblems ? exitCodes.failed : exitCodes.clean;
}

type Printable =
  | { readonly print: (format: Format) => string; readonly hasProblems: boolean }
  | { readonly problem: string };

async function single(
  wanted: string | undefined,
  options: ReportCommandOptions,
  wish: ReportWish,
  terminal: Terminal,
): Promise<Printable> {
  const made = await makeReport(wanted, wish, terminal);
  if ('problem' in made) {
    return made;
  }
  const told = await located(made.report, options.source, terminal);
  const voice = voiceOf(wanted, options.log);
  const print = (format: Format): string => {
    switch (format) {
      case 'md':
        return reportMarkdown(told, voice);
      case 'html':
        return reportHtml(told, voice, PAGE);
      case 'json':
        return `${JSON.stringify(told, undefined, 2)}\n`;
      default:
        return assertNever(format);
    }
  };
  return { print, hasProblems: made.hasProblems };
}

/** The report with places in the source of the tools that fail silently. */
async function located(made: Report, folder: string | false | undefined, terminal: Terminal): Promise<Report> {
  const names = new Set(silentTools(made).map(({ tool }) => tool));
  if (folder === false || names.size === 0) {
    return made;
  }
  const tell = (problem: string) => terminal.err(`faultline: ${problem}\n`);
  const sources = await findToolSources(names, path.resolve(terminal.cwd, folder ?? '.'), tell);
  return withSources(made, ({ tool }) => sources.get(tool));
}

async function both(
  [first = '', second = '']: readonly string[],
  wanted: string | undefined,
  wish: ReportWish,
  terminal: Terminal,
): Promise<Printable> {
  const before = await makeSide(first, wanted, wish, terminal);
  const after = 'problem' in before ? before : await makeSide(second, wanted, wish, terminal);
  if ('problem' in before || 'problem' in after) {
    return 'problem' in before ? before : (after as { readonly problem: string });
  }
  const comparison: Comparison = compareReports(
    { label: first, report: before.report },
    { label: second, report: after.report },
  );
  const voice = voiceOf(wanted, wish.log);
  const print = (format: Format): string => {
    switch (format) {
      case 'md':
        return comparisonMarkdown(comparison, voice);
      case 'html':
        return comparisonHtml(comparison, voice, PAGE);
      case 'json':
        return `${JSON.stringify(comparison, undefined, 2)}\n`;
      default:
        return assertNever(format);
    }
  };
  return { print, hasProblems: before.hasProblems || after.hasProblems };
}

const PAGE: PageFrame = {
  place: 'page',
  actions: [],
  hash: (text) => createHash('sha256').update(text).digest('base64'),
};

function formatOf(output: string | undefined): Format {
  const ending = output === undefined ? '' : path.extname(output).toLowerCase();
  return ending === '.html' || ending === '.htm' ? 'html' : ending === '.json' ? 'json' : 'md';
}

function voiceOf(wanted: string | undefined, log: string | undefined): ReportVoice {
  const words = [
    'faultline',
    'show',
    ...(wanted === undefined ? [] : [wanted]),
    ...(log === undefined ? [] : ['--log', log]),
  ];
  return {
    ...englishVoice(nameInId),
    showCommand: (_, tool) =>
      [...words, '--filter', `${filterTerm('tool', [tool])} is:failure`].map(shellText).join(' '),
  };
}
