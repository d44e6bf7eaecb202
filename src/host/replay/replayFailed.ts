import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import { confirmReason, learnTools, type ReplayRequest } from '../../core/replay/replay.ts';
import type { ReplayComparison } from '../../core/replay/replayComparison.ts';
import { type ReplayedItem, replayMany } from '../../core/replay/replayMany.ts';
import type { ServerId } from '../../protocol/events.ts';
import { offer } from '../offer.ts';
import { say } from '../say.ts';
import { retrySettings } from '../servers/serverService.ts';
import type { Services } from '../services.ts';
import { showUserError, userErrors } from '../userError.ts';
import { type Destination, destinationOf, openDestination, serverOf } from './destination.ts';
import { type FailedCall, failedCalls, pickCalls, type SendableCall } from './failedCalls.ts';
import { pickPolicy, type ReplayPlan } from './policyPicker.ts';
import { comparisonOf, nameOfCall, type Original, rowKey, showDiff } from './replayOne.ts';
import { ReplayRows } from './replayRows.ts';
import { attemptText, comparisonText, timesText } from './replayWords.ts';

const { t } = vscode.l10n;

/** Replays that one server gets at a time: enough to be quick, too few to be a storm. */
const PER_SERVER = 2;
/** Calls that a question names. */
const NAMED_CALLS = 12;

/** Lets a person choose among the failed calls of what they look at, and replays those. */
export async function replayFailedCalls(services: Services): Promise<readonly ReplayedItem[] | undefined> {
  if (!vscode.workspace.isTrusted) {
    await showUserError(userErrors.untrusted(), 'warning');
    return undefined;
  }
  const shown = services.surfaces.current;
  await shown.recording.load();
  const failed = failedCalls(shown);
  if (failed.length === 0) {
    void vscode.window.showInformationMessage(t('No call that the filter lets through has failed.'));
    return undefined;
  }
  const { sendable, refused } = await withDestinations(services, failed);
  const chosen = await pickCalls(sendable, refused);
  if (chosen === undefined || chosen.length === 0) {
    return undefined;
  }
  const plan = await pickPolicy({
    title: chosen.length === 1 ? t('Replay 1 Call') : t('Replay {0} Calls', chosen.length),
    canBeFresh: chosen.some(({ destination }) => destination.kind === 'defined'),
    memory: services.context.workspaceState,
  });
  const unsafe = chosen.filter(({ why }) => why !== undefined);
  if (plan === undefined || !(unsafe.length === 0 || (await isAgreed(unsafe, plan)))) {
    return undefined;
  }
  return run(services, chosen, plan);
}

/** Where each call goes and whether it is safe there: servers are asked about and connected once each. */
async function withDestinations(
  services: Services,
  failed: readonly FailedCall[],
): Promise<{
  readonly sendable: readonly SendableCall[];
  readonly refused: readonly { readonly original: Original; readonly reason: string }[];
}> {
  const destinations = new Map<ServerId, Destination | undefined>();
  const sendable: SendableCall[] = [];
  const refused: { readonly original: Original; readonly reason: string }[] = [];
  for (const call of failed) {
    const { original } = call;
    if (call.kind === 'refused') {
      refused.push(call);
      continue;
    }
    const { server } = original.exchange;
    if (!destinations.has(server)) {
      destinations.set(
        server,
        await learnt(services, await destinationOf(services, original.shown, original.exchange)),
      );
    }
    const destination = destinations.get(server);
    if (destination === undefined) {
      const name = original.shown.nameOf(server);
      refused.push({ original, reason: say('replay.refused.noServer', { server: name }) });
    } else {
      const pool = await services.servers.openPool();
      const why = confirmReason(pool, { ...call.sent, server: serverOf(destination) });
      sendable.push({
        original,
        sent: call.sent,
        destination,
        why: why === undefined ? undefined : say(why.code, { ...why.args, server: destination.name }),
      });
    }
  }
  return { sendable, refused };
}

/** A destination whose tools have been read; `undefined` when it may not be started. */
async function learnt(services: Services, destination: Destination | undefined): Promise<Destination | undefined> {
  if (destination?.kind !== 'defined') {
    // Nothing is known of a recorded address: its calls are asked about.
    return destination;
  }
  const open = await openDestination(services, destination, false);
  if (open === undefined) {
    return undefined;
  }
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Listing the tools of {0}', destination.name) },
    () => learnTools(open.pool, destination.id),
  );
  return destination;
}

async function isAgreed(unsafe: readonly SendableCall[], { policy }: ReplayPlan): Promise<boolean> {
  const named = unsafe
    .slice(0, NAMED_CALLS)
    .map(({ original, why = '' }) => `${nameOfCall(original.exchange)}: ${safeLine(why, 200)}`);
  const more = unsafe.length > NAMED_CALLS ? [t('And {0} more.', unsafe.length - NAMED_CALLS)] : [];
  const proceed = t('Replay');
  const answer = await vscode.window.showWarningMessage(
    unsafe.length === 1
      ? t('Replay 1 call that is not known to be safe?')
      : t('Replay {0} calls that are not known to be safe?', unsafe.length),
    { modal: true, detail: [...named, ...more, '', timesText(policy)].join('\n') },
    proceed,
  );
  return answer === proceed;
}

async function run(
  services: Services,
  calls: readonly SendableCall[],
  { policy, isFresh }: ReplayPlan,
): Promise<readonly ReplayedItem[]> {
  const rows = new ReplayRows(services.recording.log);
  const requests = calls.map(
    ({ original, sent, destination }): ReplayRequest => ({
      ...sent,
      key: original.shown.file === '' ? rowKey(original.shown.recording, original.key) : undefined,
      server: serverOf(destination),
      policy,
    }),
  );
  const items = await services.replays.run(async (controller) =>
    vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        cancellable: true,
        title: calls.length === 1 ? t('Replaying 1 call') : t('Replaying {0} calls', calls.length),
      },
      (progress, token) => {
        token.onCancellationRequested(() => controller.abort());
        let ended = 0;
        const place = () => t('{0} of {1}', Math.min(ended + 1, calls.length), calls.length);
        return replayMany(requests, {
          perServer: PER_SERVER,
          loopLimit: retrySettings().loopLimit,
          signal: controller.signal,
          isConfirmed: (index) => calls[index]?.why !== undefined,
          lease: async (_server, index) => {
            const destination = calls[index]?.destination;
            const open = destination === undefined ? undefined : await openDestination(services, destination, isFresh);
            if (open !== undefined && destination !== undefined && isFresh) {
              await learnTools(open.pool, serverOf(destination), controller.signal);
            }
            return open;
          },
          onAttempt: (index, attempt) => {
            const name = calls[index] === undefined ? '' : nameOfCall(calls[index].original.exchange);
            progress.report({ message: [place(), name, attemptText(attempt)].join(' · ') });
          },
          onEnd: () => {
            ended += 1;
            progress.report({ increment: 100 / calls.length });
          },
        });
      },
    ),
  );
  services.recording.log.flush();
  rows.dispose();
  summarize(services, calls, items, rows);
  return items;
}

/** What became of one of many, for the list of results. */
interface Result {
  readonly call: SendableCall;
  readonly comparison: ReplayComparison | undefined;
  readonly text: string;
  readonly row: number | undefined;
}

/** Tells how many came out better, the same or worse; the list is a click away. */
function summarize(
  services: Services,
  calls: readonly SendableCall[],
  items: readonly ReplayedItem[],
  rows: ReplayRows,
): void {
  const results = calls.map((call, index): Result => {
    const item = items[index];
    if (item?.kind !== 'replayed') {
      const { code = 'replay.skipped.cancelled', args = {} } = item ?? {};
      return { call, comparison: undefined, text: say(code, args), row: undefined };
    }
    const comparison = comparisonOf(call.original, item.outcome);
    return { call, comparison, text: comparisonText(comparison), row: rows.rowOf(item.outcome.chain) };
  });
  const count = (verdict: ReplayComparison['verdict'] | undefined) =>
    results.filter(({ comparison }) => comparison?.verdict === verdict).length;
  const counts = [
    [count('better'), t('{0} better', count('better'))],
    [count('same'), t('{0} as before', count('same'))],
    [count('worse'), t('{0} worse', count('worse'))],
    [count('failed'), t('{0} without an end', count('failed'))],
    [count(undefined), t('{0} not sent', count(undefined))],
  ] as const;
  const sentence = t(
    'Replay of failed calls: {0}',
    counts.flatMap(([number, text]) => (number === 0 ? [] : [text])).join(', '),
  );
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const show = count('worse') + count('failed') > 0 ? showWarningMessage : showInformationMessage;
  offer(show, sentence, { title: t('Show Results'), run: () => showResults(services, results) });
}

const VERDICT_ICONS: Readonly<Record<ReplayComparison['verdict'], string>> = {
  better: 'pass',
  same: 'dash',
  worse: 'error',
  failed: 'warning',
};

async function showResults(services: Services, results: readonly Result[]): Promise<void> {
  const chosen = await vscode.window.showQuickPick(
    results.map((result) => ({
      label: `$(${result.comparison === undefined ? 'circle-slash' : VERDICT_ICONS[result.comparison.verdict]}) ${nameOfCall(result.call.original.exchange)}`,
      description: safeLine(result.call.destination.name, 100),
      detail: safeLine(result.text, 300),
      result,
    })),
    {
      title: t('What Became of the Calls'),
      placeHolder: t('Choose one to see how its answer differs'),
      matchOnDetail: true,
    },
  );
  if (chosen?.result.row !== undefined) {
    await showDiff(services, chosen.result.call.original, chosen.result.row);
  }
}
