import { safeLine } from '../../base/safeText.ts';
import { isRefusal } from '../../core/replay/recordedRequest.ts';
import { learnTools, type ReplayRequest } from '../../core/replay/replay.ts';
import { compareReplay, type ReplayComparison } from '../../core/replay/replayComparison.ts';
import { type Lease, type ReplayedItem, replayMany } from '../../core/replay/replayMany.ts';
import { DEFAULT_RETRY_SETTINGS, type ReplayPolicy } from '../../core/resilience/policy.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { type Client, openClient } from '../client.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { changeSentence, replayAsText, summaryLine } from '../formats/replayText.ts';
import { sentence } from '../formats/verdictText.ts';
import { createSignIn } from '../signIn.ts';
import type { Terminal } from '../terminal.ts';
import { isSendable, type RecordedCall, type SendableCall } from './recordedCalls.ts';
import type { ReplayTargets } from './replayTargets.ts';

export interface RunOptions {
  readonly calls: readonly RecordedCall[];
  readonly targets: ReplayTargets;
  readonly policy: ReplayPolicy;
  readonly yesUnsafe: boolean;
  readonly format: 'text' | 'json';
  /** Each call gets a server of its own. */
  readonly isFresh: boolean;
  /** File that the replays are recorded in. */
  readonly record: string | undefined;
  /** That file holds the originals too. */
  readonly isOwnLog: boolean;
  readonly signIn: boolean | undefined;
  readonly signal: AbortSignal;
}

interface Planned {
  readonly call: SendableCall;
  readonly definition: ServerDefinition;
}

/**
 * Replays the calls, one at a time a server, and prints each with its attempts and how it compares. Gives 1 when one came out
 * worse or to no end, 2 when none could be sent.
 */
export async function runReplays(options: RunOptions, terminal: Terminal): Promise<ExitCode> {
  const { calls, targets, policy, signal, record, isOwnLog } = options;
  const planned: Planned[] = [];
  let unsent = 0;
  for (const call of calls) {
    const definition = targets.definitions.get(call.exchange.server);
    if (isSendable(call) && definition !== undefined) {
      planned.push({ call, definition });
    } else {
      unsent += 1;
      const { request } = call;
      const why = isRefusal(request)
        ? sentence(request.code, request.args)
        : (targets.problems.get(call.exchange.server) ?? '');
      await printUnsent(call, why, options, terminal);
    }
  }
  const definitions = [...new Map(planned.map(({ definition }) => [definition.id, definition])).values()];
  const authorizer = createSignIn(options.signIn, terminal);
  const open = (wanted: readonly ServerDefinition[]) =>
    openClient({ definitions: wanted, log: record, authorizer }, terminal);
  const client = options.isFresh ? undefined : open(definitions);
  const verdicts: ReplayComparison['verdict'][] = [];
  const printing: Promise<void>[] = [];
  try {
    await Promise.all(
      definitions.map(({ id }) => (client === undefined ? undefined : learnTools(client.pool, id, signal))),
    );
    await replayMany(
      planned.map(
        ({ call, definition }): ReplayRequest => ({
          ...call.request,
          key: isOwnLog ? call.key : undefined,
          server: definition.id,
          policy,
        }),
      ),
      {
        perServer: 1,
        loopLimit: DEFAULT_RETRY_SETTINGS.loopLimit,
        signal,
        isConfirmed: () => options.yesUnsafe,
        lease: (_server, index) =>
          leaseOf(client, () => open(planned[index] === undefined ? [] : [planned[index].definition]), signal),
        onEnd: (index, item) => {
          const call = planned[index]?.call;
          if (call !== undefined) {
            const comparison = item.kind === 'replayed' ? compareReplay(call.before, item.outcome) : undefined;
            if (comparison === undefined) {
              unsent += 1;
            } else {
              verdicts.push(comparison.verdict);
            }
            printing.push(printItem(call, item, comparison, options, terminal));
          }
        },
      },
    );
    await Promise.all(printing);
  } finally {
    await client?.close();
  }
  await terminal.out(
    options.format === 'json'
      ? `${JSON.stringify({ summary: countsOf(verdicts, unsent) })}\n`
      : summaryLine(verdicts, unsent),
  );
  if (verdicts.length === 0) {
    terminal.err('faultline: nothing was replayed\n');
    return exitCodes.failed;
  }
  return verdicts.some((verdict) => verdict === 'worse' || verdict === 'failed') ? exitCodes.found : exitCodes.clean;
}

/** The client of all, which stays; or one of its own, which ends with the replay. */
async function leaseOf(client: Client | undefined, open: () => Client, signal: AbortSignal): Promise<Lease> {
  if (client !== undefined) {
    return { pool: client.pool, release: async () => undefined };
  }
  const fresh = open();
  for (const id of fresh.pool.connections.keys()) {
    await learnTools(fresh.pool, id, signal);
  }
  return { pool: fresh.pool, release: () => fresh.close() };
}

async function printItem(
  call: RecordedCall,
  item: ReplayedItem,
  comparison: ReplayComparison | undefined,
  options: RunOptions,
  terminal: Terminal,
): Promise<void> {
  if (item.kind === 'skipped' || comparison === undefined) {
    const { code, args } = item.kind === 'skipped' ? item : { code: 'replay.skipped.cancelled', args: {} };
    const isGate = code.startsWith('replay.confirm.');
    const why = sentence(code, { ...args, server: nameInId(call.exchange.server) });
    await printUnsent(call, isGate ? `${why} --yes-unsafe would allow it.` : why, options, terminal);
    return;
  }
  const { outcome } = item;
  await terminal.out(
    options.format === 'json'
      ? `${JSON.stringify({
          ...factsOf(call),
          isSent: true,
          verdict: comparison.verdict,
          change: changeSentence(comparison.change),
          before: call.before.outcome,
          after: outcome.kind,
          attempts: outcome.attempts,
          stopped: outcome.stopped,
          diff: comparison.diff,
        })}\n`
      : replayAsText(nameOf(call), outcome, comparison, terminal.style),
  );
}

async function printUnsent(call: RecordedCall, why: string, { format }: RunOptions, terminal: Terminal): Promise<void> {
  await terminal.out(
    format === 'json'
      ? `${JSON.stringify({ ...factsOf(call), isSent: false, because: why })}\n`
      : `${terminal.style('bold', nameOf(call))}\n  ${terminal.style('yellow', 'not sent')} ${why}\n`,
  );
}

function factsOf({ key, exchange: { server, method, target } }: RecordedCall) {
  return { key, server, method, target };
}

function nameOf({ key, exchange: { server, method, target } }: RecordedCall): string {
  return `#${key} ${safeLine(nameInId(server), 100)} ${safeLine(target ?? method, 100)}`;
}

function countsOf(verdicts: readonly ReplayComparison['verdict'][], unsent: number) {
  const count = (wanted: ReplayComparison['verdict']) => verdicts.filter((verdict) => verdict === wanted).length;
  return { better: count('better'), same: count('same'), worse: count('worse'), failed: count('failed'), unsent };
}
