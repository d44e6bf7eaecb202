import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { compareOutcomes, replay } from '../../core/replay/replay.ts';
import { DEFAULT_REPLAY_POLICY, type ReplayPolicy } from '../../core/resilience/policy.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { AttemptBody } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { setContextKey } from '../manifest.ts';
import type { Recording } from '../recording.ts';
import { retrySettings, type ServerService } from '../servers/serverService.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';
import type { TimelineSurfaces } from '../timeline/timelineSurfaces.ts';
import { showUserError, userErrors } from '../userError.ts';

const { t } = vscode.l10n;

/** Repeats recorded calls on a person's word: asks where that is not known to be safe, shows each attempt, can be stopped. */
export class ReplayService implements Disposable {
  private readonly recording: Recording;
  private readonly servers: ServerService;
  private readonly surfaces: TimelineSurfaces;
  private readonly running = new Set<AbortController>();

  constructor(recording: Recording, servers: ServerService, surfaces: TimelineSurfaces) {
    this.recording = recording;
    this.servers = servers;
    this.surfaces = surfaces;
  }

  /** Replays the call behind a row. Resolves with what became of it, or `undefined` when nothing was sent. */
  async replay(key: number | undefined): Promise<CallOutcome | undefined> {
    await this.recording.load();
    const row = key === undefined ? undefined : this.recording.timeline.row(key);
    const exchange = row === undefined ? undefined : this.recording.exchange(row.endKey);
    if (exchange === undefined) {
      await showUserError(userErrors.nothingSelected(), 'warning');
      return undefined;
    }
    const request = this.requestOf(exchange);
    if (typeof request === 'string') {
      await showUserError(userErrors.notReplayable(request), 'warning');
      return undefined;
    }
    if (!(await this.servers.allows([exchange.server]))) {
      return undefined;
    }
    const outcome = await this.run(exchange, request);
    if (outcome.stopped !== 'replay.notConfirmed') {
      await this.tell(exchange, outcome);
    }
    return outcome;
  }

  /** Stops every replay that is running, waits included. */
  cancel(): void {
    for (const controller of this.running) {
      controller.abort();
    }
  }

  dispose(): void {
    this.cancel();
  }

  private async run(exchange: Exchange, params: JsonObject | undefined): Promise<CallOutcome> {
    const controller = new AbortController();
    this.running.add(controller);
    setContextKey('faultline.isReplaying', true);
    try {
      const [pool, { say }] = await Promise.all([this.servers.openPool(), import('../say.ts')]);
      return await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          cancellable: true,
          title: t('Replaying {0}', exchange.target ?? exchange.method),
        },
        (progress, token) => {
          token.onCancellationRequested(() => controller.abort());
          return replay(
            pool,
            { key: exchange.key, server: exchange.server, method: exchange.method, params, policy: replayPolicy() },
            (why) => confirmReplay(exchange, say(why.code, why.args)),
            {
              signal: controller.signal,
              onAttempt: (attempt) => progress.report({ message: attemptMessage(attempt, say(attempt.reason)) }),
            },
          );
        },
      );
    } finally {
      this.running.delete(controller);
      setContextKey('faultline.isReplaying', this.running.size > 0);
    }
  }

  /** The parameters to send again without what belonged to the recorded attempt alone, or why it cannot be sent. */
  private requestOf(exchange: Exchange): JsonObject | undefined | string {
    if (exchange.kind !== 'request' || exchange.initiator !== 'client') {
      return t('Only a request of the client can be replayed.');
    }
    if (this.servers.view(exchange.server) === undefined) {
      return t('The server "{0}" is no longer defined, so there is nothing to send the request to.', exchange.server);
    }
    const body = this.recording.log.get(Math.floor(exchange.key))?.body;
    if (body?.kind !== 'message') {
      return t('The request is no longer recorded.');
    }
    // The server would be sent placeholders, and might even store them.
    return body.redactions === undefined
      ? paramsOf(body.raw)
      : t('The request held secrets, which were not recorded, so it cannot be sent again as it was.');
  }

  private async tell(exchange: Exchange, outcome: CallOutcome): Promise<void> {
    const { say } = await import('../say.ts');
    const { code, args } = compareOutcomes(exchange.verdict?.outcome, outcome);
    const name = (kind: string | number | undefined) => outcomeNames[kind as OutcomeKind] ?? String(kind);
    vscode.window.setStatusBarMessage(
      say(code, { ...args, before: name(args['before']), after: name(args['after']) }),
      10_000,
    );
    this.recording.log.flush();
    const replayed = this.recording.newestReplayOf(exchange.key);
    if (replayed !== undefined) {
      await this.surfaces.reveal(replayed);
    }
  }
}

/** The user's retry settings as the policy of a replay. */
function replayPolicy(): ReplayPolicy {
  const { maxAttempts, baseMs, factor, capMs, jitter, timeoutMs } = retrySettings();
  return { ...DEFAULT_REPLAY_POLICY, maxAttempts, baseMs, factor, capMs, jitter, timeoutMs };
}

async function confirmReplay(exchange: Exchange, why: string): Promise<boolean> {
  const proceed = t('Replay');
  const answer = await vscode.window.showWarningMessage(
    t('Replay {0}?', exchange.target ?? exchange.method),
    { modal: true, detail: why },
    proceed,
  );
  return answer === proceed;
}

function attemptMessage(attempt: AttemptBody, reason: string): string {
  const place = t('attempt {0} of {1}', attempt.number, attempt.maxAttempts);
  switch (attempt.decision) {
    case 'send':
      return place;
    case 'wait':
      return t('{0}, waiting {1} s', place, ((attempt.delayMs ?? 0) / 1000).toFixed(1));
    case 'give-up':
    case 'refuse':
    case 'cancel':
      return reason;
  }
}

/** The request's parameters without the progress token of its attempt. */
function paramsOf(raw: string): JsonObject | undefined {
  const { params } = JSON.parse(raw) as { params?: JsonObject };
  const { progressToken: _token, ...meta } = (params?.['_meta'] ?? {}) as Record<string, JsonValue>;
  if (params === undefined) {
    return undefined;
  }
  const { _meta, ...rest } = params;
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}
