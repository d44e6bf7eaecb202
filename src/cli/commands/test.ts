import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { assertNever } from '../../base/assertNever.ts';
import { messageOf } from '../../base/messageOf.ts';
import { systemClock } from '../../base/systemClock.ts';
import { writeWhole } from '../../core/export/writeWhole.ts';
import { isFailure } from '../../core/replay/suites/caseResult.ts';
import { parseSuite } from '../../core/replay/suites/parseSuite.ts';
import { recordAgain } from '../../core/replay/suites/recordAgain.ts';
import { runSuite } from '../../core/replay/suites/runSuite.ts';
import { SUITE_ENDING, type SuiteCase, type SuiteFile } from '../../core/replay/suites/suiteFile.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { suitesAsJson } from '../formats/suite/json.ts';
import { suitesAsJunit } from '../formats/suite/junit.ts';
import type { SuiteReport } from '../formats/suite/report.ts';
import { suitesAsTap } from '../formats/suite/tap.ts';
import { suitesAsText } from '../formats/suite/text.ts';
import { sentence } from '../formats/verdictText.ts';
import { findSuites } from '../suites/findSuites.ts';
import { type SuiteServerOptions, suiteServers } from '../suites/openSuiteServer.ts';
import type { Terminal } from '../terminal.ts';

export interface TestOptions extends SuiteServerOptions {
  readonly reporter: 'text' | 'tap' | 'junit' | 'json';
  /** File to write the report to; stdout when absent. */
  readonly output?: string;
  /** Only cases whose name contains this, whatever the case of its letters. */
  readonly filter?: string;
  /** Record again: cases that fail expect from now on what came of them. */
  readonly update: boolean;
  readonly bail: boolean;
  readonly repeat?: number;
}

interface LoadedSuite {
  readonly path: string;
  readonly text: string;
  readonly suite: SuiteFile;
}

/** `faultline test`: runs suites one after the other, each against a server of its own. */
export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<ExitCode> {
  const files = await findSuites(paths, terminal.cwd);
  if ('problem' in files) {
    return refuse(files.problem, terminal);
  }
  const loaded = await Promise.all(files.map((file) => load(file, terminal)));
  const suites = loaded.filter((suite) => suite !== undefined);
  if (suites.length < loaded.length) {
    return exitCodes.failed;
  }
  const isChosen = chooser(options.filter);
  if (!suites.some(({ suite }) => suite.cases.some(isChosen))) {
    return refuse(`no case is called like ${JSON.stringify(options.filter)}`, terminal);
  }
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  process.once('SIGTERM', () => interrupt.abort());
  const reports: SuiteReport[] = [];
  for (const each of suites) {
    const hasFailed = reports.some(({ outcome }) => outcome.results.some(isFailure));
    if (interrupt.signal.aborted || (options.bail && hasFailed)) {
      break;
    }
    reports.push(await run(each, options, terminal, isChosen, interrupt.signal));
  }
  const report = asReport(reports, options, terminal);
  if (options.output === undefined) {
    await terminal.out(report);
  } else {
    await writeWhole([report], path.resolve(terminal.cwd, options.output));
  }
  const isClean =
    !interrupt.signal.aborted &&
    reports.every(({ outcome }) => outcome.problems.length === 0 && !outcome.results.some(isFailure));
  return isClean ? exitCodes.clean : exitCodes.found;
}

async function run(
  loaded: LoadedSuite,
  options: TestOptions,
  terminal: Terminal,
  isChosen: (suiteCase: SuiteCase) => boolean,
  signal: AbortSignal,
): Promise<SuiteReport> {
  const { suite, path: file, text } = loaded;
  const startedAt = new Date(systemClock.wallUs() / 1000).toISOString();
  const fromUs = systemClock.monoUs();
  const outcome = await runSuite({
    suite,
    clock: systemClock,
    open: await suiteServers(loaded, options, terminal),
    signal,
    isChosen,
    repeat: options.repeat,
    // What is recorded again is no failure.
    isBailing: options.bail && !options.update,
  });
  const report: SuiteReport = {
    name: suite.name ?? path.basename(file, SUITE_ENDING),
    file: path.relative(terminal.cwd, file),
    outcome,
    durationMs: (systemClock.monoUs() - fromUs) / 1000,
    startedAt,
  };
  return options.update ? { ...report, outcome: await update(loaded, report, text, terminal) } : report;
}

/** Writes what came of the cases that failed into their file; they count as passed. */
async function update(
  { suite, path: file }: LoadedSuite,
  { outcome, file: shown }: SuiteReport,
  text: string,
  terminal: Terminal,
): Promise<SuiteReport['outcome']> {
  const recorded = recordAgain(text, suite.cases, outcome.results);
  if (recorded.changed.size > 0) {
    await writeWhole([recorded.text], file);
    terminal.err(`faultline: ${recorded.changed.size} cases of ${shown} were recorded again\n`);
  }
  const results = outcome.results.map((result) =>
    result.status.kind === 'failed' && recorded.changed.has(result.index)
      ? { ...result, status: { kind: 'passed', isKnownBug: result.outcome?.kind === 'silent_error' } as const }
      : result,
  );
  return { ...outcome, results };
}

async function load(file: string, terminal: Terminal): Promise<LoadedSuite | undefined> {
  const shown = path.relative(terminal.cwd, file);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    terminal.err(`faultline: ${shown} cannot be read: ${messageOf(error)}\n`);
    return undefined;
  }
  const reading = parseSuite(text);
  if ('suite' in reading) {
    return { path: file, text, suite: reading.suite };
  }
  for (const { code, args, range } of reading.problems) {
    terminal.err(`${shown}:${range.startLine + 1}:${range.startColumn + 1}: ${sentence(code, args)}\n`);
  }
  return undefined;
}

function chooser(filter: string | undefined): (suiteCase: SuiteCase) => boolean {
  const wanted = (filter ?? '').toLowerCase();
  return ({ name }) => name.toLowerCase().includes(wanted);
}

function asReport(reports: readonly SuiteReport[], { reporter }: TestOptions, terminal: Terminal): string {
  switch (reporter) {
    case 'text':
      return suitesAsText(reports, terminal.style);
    case 'tap':
      return suitesAsTap(reports);
    case 'junit':
      return suitesAsJunit(reports);
    case 'json':
      return suitesAsJson(reports);
    default:
      return assertNever(reporter);
  }
}

function refuse(problem: string, terminal: Terminal): ExitCode {
  terminal.err(`faultline: ${problem}\n`);
  return exitCodes.failed;
}
