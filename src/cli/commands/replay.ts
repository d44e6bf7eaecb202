import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../base/systemClock.ts';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import { inOrder, project } from '../../core/export/bugReportBundle.ts';
import { policyPreview } from '../../core/replay/policyPreview.ts';
import { parsePolicy } from '../../core/replay/policyText.ts';
import { DEFAULT_RETRY_SETTINGS, type ReplayPolicy } from '../../core/resilience/policy.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { readFilter } from '../exchangeFilter.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { previewSentence } from '../formats/replayText.ts';
import { sentence } from '../formats/verdictText.ts';
import { openTarget, type Target } from '../recorded.ts';
import { dryRun } from '../replay/dryRun.ts';
import { chooseCalls, readCalls, recordedHints } from '../replay/recordedCalls.ts';
import { replayTargets, type TargetOptions } from '../replay/replayTargets.ts';
import { runReplays } from '../replay/runReplays.ts';
import type { Terminal } from '../terminal.ts';

export interface ReplayCommandOptions extends TargetOptions {
  readonly log?: string;
  readonly filter?: string;
  readonly outcome?: readonly OutcomeKind[];
  readonly policy: string;
  readonly fresh: boolean;
  readonly dryRun: boolean;
  readonly yesUnsafe: boolean;
  /** File that the replays are recorded in. */
  readonly record?: string;
  readonly signIn?: boolean;
  readonly json?: boolean;
  readonly format: 'text' | 'json';
}

/**
 * `faultline replay`: sends recorded calls again and tells how they end beside what was recorded. What is not known to be safe
 * is listed and not sent, unless the person says so. Ctrl+C cancels what is under way.
 */
export async function replay(
  wanted: string | undefined,
  options: ReplayCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const read = readFilter(options.filter, systemClock.wallUs());
  if ('problem' in read) {
    return refuse(read.problem, terminal);
  }
  const chosen = parsePolicy(options.policy, DEFAULT_RETRY_SETTINGS);
  if ('problem' in chosen) {
    return refuse(`--policy: ${sentence(chosen.problem.code, chosen.problem.args)}`, terminal);
  }
  const target = await openTarget(wanted, options.log, terminal);
  if ('problem' in target) {
    return refuse(target.problem, terminal);
  }
  try {
    return await replayOf(target, read.filter, chosen.policy, options, terminal);
  } finally {
    target.recorded.close();
  }
}

type Filter = Extract<ReturnType<typeof readFilter>, { filter: unknown }>['filter'];

async function replayOf(
  target: Target,
  filter: Filter,
  policy: ReplayPolicy,
  options: ReplayCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const exchanges = await project(filter?.watch(target.events()) ?? target.events(), new Correlator(judge));
  const all = inOrder([...exchanges.values()]);
  const keys = filter?.passing(all);
  const isNamed = filter !== undefined || options.outcome !== undefined;
  const chosen = chooseCalls(
    all,
    isNamed
      ? (head, end) =>
          keys?.has(head.key) !== false &&
          (options.outcome === undefined || options.outcome.includes(end.verdict?.outcome ?? 'pending'))
      : undefined,
  );
  const calls = await readCalls(chosen, exchanges, target.events());
  if (calls.length === 0) {
    return refuse('no recorded call is meant; a --filter lets none through, or there is none', terminal);
  }
  // Nobody is asked for what is needed only at a start.
  const asking = options.dryRun ? { ...terminal, ask: async () => undefined } : terminal;
  const targets = await replayTargets(calls, options, asking);
  if ('problem' in targets) {
    return refuse(targets.problem, terminal);
  }
  const format = options.json === true ? 'json' : options.format;
  const shared = { calls, targets, policy, yesUnsafe: options.yesUnsafe, format } as const;
  if (options.dryRun) {
    if (format === 'text') {
      await terminal.out(`policy: ${previewSentence(policyPreview(policy))}\n`);
    }
    return dryRun({ ...shared, hintsOf: await recordedHints(all, target.events()) }, terminal);
  }
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  return runReplays(
    {
      ...shared,
      isFresh: options.fresh,
      record: options.record,
      isOwnLog: isSameFile(options.record, target, terminal),
      signIn: options.signIn,
      signal: interrupt.signal,
    },
    terminal,
  );
}

/** Replays that are recorded where their originals are can name them. */
function isSameFile(record: string | undefined, { recorded }: Target, { cwd }: Terminal): boolean {
  return record !== undefined && recorded.log !== undefined && path.resolve(cwd, record) === recorded.path;
}

function refuse(problem: string, terminal: Terminal): ExitCode {
  terminal.err(`faultline: ${problem}\n`);
  return exitCodes.failed;
}
