import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import { learnTools, type ReplayRequest, replay } from '../../core/replay/replay.ts';
import { compareReplay, type ReplayComparison, recordedEnd } from '../../core/replay/replayComparison.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { runCommand } from '../manifest.ts';
import { offer } from '../offer.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { say } from '../say.ts';
import type { Services } from '../services.ts';
import { endOf } from '../timeline/compareBase.ts';
import { openAnswerDiff } from '../timeline/openDocuments.ts';
import type { Shown } from '../timeline/timelineSurfaces.ts';
import { type Destination, openDestination, serverOf } from './destination.ts';
import type { ReplayPlan } from './policyPicker.ts';
import { ReplayRows } from './replayRows.ts';
import { attemptText, comparisonText, timesText } from './replayWords.ts';

const { t } = vscode.l10n;

const MAX_NAME = 100;

/** A recorded call that is replayed: where it is shown, and the exchange that ended it. */
export interface Original {
  readonly shown: Shown;
  /** Of the row. */
  readonly key: number;
  readonly exchange: Exchange;
}

/** What is sent, possibly changed by a person. */
export type Sent = Pick<ReplayRequest, 'method' | 'params' | 'isEdited'>;

/** What a call is called. Safe to show. */
export function nameOfCall({ target, method }: Pick<Exchange, 'target' | 'method'>): string {
  return safeLine(target ?? method, MAX_NAME);
}

/**
 * Replays one call with progress and cancel: asks first where it is not known to be safe, and tells how it ended beside what
 * was recorded. `undefined` when nothing was sent.
 */
export async function replayOne(
  services: Services,
  original: Original,
  sent: Sent,
  destination: Destination,
  { policy, isFresh }: ReplayPlan,
): Promise<CallOutcome | undefined> {
  const { shown, key, exchange } = original;
  const isOwn = shown.file === '';
  const name = nameOfCall(exchange);
  const request: ReplayRequest = {
    ...sent,
    key: isOwn ? rowKey(shown.recording, key) : undefined,
    server: serverOf(destination),
    policy,
  };
  const rows = new ReplayRows(services.recording.log);
  const outcome = await services.replays.run(async (controller) => {
    const open = await openDestination(services, destination, isFresh);
    if (open === undefined) {
      return undefined;
    }
    try {
      return await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          cancellable: true,
          title: t('Replaying {0} on {1}', name, safeLine(destination.name, MAX_NAME)),
        },
        async (progress, token) => {
          const { signal } = controller;
          token.onCancellationRequested(() => controller.abort());
          progress.report({ message: isFresh ? t('starting a fresh instance') : t('asking what is safe') });
          await learnTools(open.pool, request.server, signal);
          return replay(
            open.pool,
            request,
            (why) => asks(name, destination, say(why.code, { ...why.args, server: destination.name }), policy),
            {
              signal,
              onAttempt: (attempt) => progress.report({ message: attemptText(attempt) }),
            },
          );
        },
      );
    } finally {
      await open.release();
    }
  });
  services.recording.log.flush();
  rows.dispose();
  if (outcome === undefined || outcome.stopped === 'replay.notConfirmed') {
    return undefined;
  }
  await tell(services, original, outcome, destination, rows.rowOf(outcome.chain));
  return outcome;
}

/** The row that a replay repeats: that of the whole call, where the key is of one of its attempts. */
export function rowKey({ timeline }: Recording<ReadableLog>, key: number): number {
  return timeline.row(key)?.headKey ?? Math.abs(key);
}

/** A replay beside its original. */
export function comparisonOf({ shown, exchange }: Original, outcome: CallOutcome): ReplayComparison {
  const { recording } = shown;
  const { chain, endSeq } = exchange;
  const headUs = chain === undefined ? undefined : recording.exchange(chain.head)?.startUs;
  const answer = endSeq === undefined ? undefined : recording.log.get(Math.floor(endSeq))?.body;
  return compareReplay(recordedEnd(exchange, headUs, answer), outcome);
}

/**
 * Shows how a replay's answer differs: in the details where both are of one recording, else as text side by side. Rejects when
 * the replay is not recorded any more.
 */
export async function showDiff({ recording }: Services, original: Original, row: number): Promise<void> {
  // Of a session file's call the replay stands on a timeline that nobody may have looked at yet.
  await recording.load();
  const after = endOf(recording, row);
  if (after === undefined) {
    throw new Error(t('This message is no longer recorded.'));
  }
  if (original.shown.file === '') {
    await runCommand('faultline.compareWithReplay', row);
  } else {
    const { recording: before, file } = original.shown;
    await openAnswerDiff({ recording: before, exchange: original.exchange, file }, { recording, exchange: after });
  }
}

async function asks(
  name: string,
  destination: Destination,
  why: string,
  policy: ReplayPlan['policy'],
): Promise<boolean> {
  const proceed = t('Replay');
  const answer = await vscode.window.showWarningMessage(
    t('Replay {0} on {1}?', name, safeLine(destination.name, MAX_NAME)),
    { modal: true, detail: `${why}\n\n${timesText(policy)}` },
    proceed,
  );
  return answer === proceed;
}

async function tell(
  services: Services,
  original: Original,
  outcome: CallOutcome,
  destination: Destination,
  row: number | undefined,
): Promise<void> {
  const comparison = comparisonOf(original, outcome);
  if (row !== undefined && original.shown.file === '') {
    await services.surfaces.reveal(row);
  }
  const name = nameOfCall(original.exchange);
  const sentence = t('{0} on {1}: {2}', name, safeLine(destination.name, MAX_NAME), comparisonText(comparison));
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const show =
    comparison.verdict === 'worse' || comparison.verdict === 'failed' ? showWarningMessage : showInformationMessage;
  const diff = row === undefined ? undefined : { title: t('Show Diff'), run: () => showDiff(services, original, row) };
  offer(show, sentence, diff);
}
