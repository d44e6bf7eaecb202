import { lightFormat } from 'date-fns/lightFormat';
import * as vscode from 'vscode';
import { copyFormatsOf } from '../../core/export/copyAs/copyAs.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { AttemptView, DetailsView } from '../../protocol/details.ts';
import type { NoteBody, TransportFailure } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { RetryClass, SignalStrength, Verdict } from '../../protocol/outcome.ts';
import type { RowView } from '../../protocol/timelineViews.ts';
import { copySource } from '../copy/copySource.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { say } from '../say.ts';
import { explain } from '../servers/explain.ts';
import { adviceLines, anomalyViews, behaviourViews } from './beside.ts';
import { compareView } from './compareBase.ts';
import { payloadView } from './payload.ts';
import { failureName } from './rowView.ts';
import { httpViews, stderrViews } from './traffic.ts';

const { t } = vscode.l10n;

/** Events of a connection that are looked at to say why it failed. */
const EVENTS_OF_CONNECTION = 1000;

const strengthTexts: Readonly<Record<SignalStrength, string>> = {
  proof: t('proof'),
  strong: t('strong'),
  medium: t('medium'),
  weak: t('weak'),
};

const retryTexts: Readonly<Record<RetryClass, string>> = {
  never: t('Never by the client: there is nothing to be gained by sending the same request again.'),
  safe: t('Safe: the request was not executed.'),
  only_if_idempotent: t('Only if the call is idempotent: it may have been executed.'),
  after_fix: t('After a fix: the same request fails the same way until something is changed.'),
};

/** What is known of a row beside what was recorded of it. */
export interface DetailsFacts {
  readonly serverName: string;
  readonly connection: string;
  readonly replayRefusal: string | undefined;
  /** How its server is defined, where it still is. */
  readonly definition: ServerDefinition | undefined;
  /** A command that edits a call before it is replayed is there. */
  readonly canEditReplay: boolean;
}

/** Everything that the details pane shows of a row; `chain` are the rows of its attempts, oldest first. */
export function detailsView(
  recording: Recording<ReadableLog>,
  row: RowView,
  exchange: Exchange,
  chain: readonly RowView[],
  facts: DetailsFacts,
): DetailsView {
  const { verdict } = exchange;
  const request = exchange.kind === 'request' ? recording.log.get(Math.floor(exchange.key)) : undefined;
  const end = recording.log.get(Math.floor(exchange.endSeq ?? exchange.key));
  const pointers = (verdict?.signals ?? []).flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer]));
  const response =
    end !== undefined && (end.body.kind === 'message' || end.body.kind === 'noise') && end.seq !== request?.seq
      ? payloadView(end.seq, end.body, pointers)
      : undefined;
  const compare = compareView(recording, row.key, exchange);
  return {
    row,
    title: exchange.target ?? exchange.method,
    subtitle: [
      facts.serverName,
      exchange.method,
      ...(exchange.requestId === undefined ? [] : [t('id {0}', exchange.requestId)]),
    ].join(' · '),
    facts: [facts.connection, lightFormat(new Date(exchange.startUs / 1000), 'yyyy-MM-dd HH:mm:ss.SSS')].join(' · '),
    why: {
      summary: summaryOf(verdict),
      signals: [
        // First: what comes after is to be read in its light.
        ...(exchange.injected ?? []).map(({ fault, detail }) => ({
          text: say(`fault.injected.${fault}`, detail === undefined ? {} : { detail }),
          strength: 'proof' as const,
          strengthText: strengthTexts.proof,
        })),
        ...(verdict?.signals ?? []).map((signal) => ({
          text: say(signal.code, signal.args),
          strength: signal.strength,
          strengthText: strengthTexts[signal.strength],
          ...(signal.pointer === undefined ? {} : { pointer: signal.pointer }),
        })),
      ],
      retry: { class: verdict?.retry ?? 'never', text: retryTexts[verdict?.retry ?? 'never'] },
      missing: verdict?.partial?.missing ?? [],
      failure:
        exchange.failure === undefined
          ? adviceLines(exchange)
          : [...causeLines(recording, exchange, exchange.failure), ...failureLines(exchange.failure)],
    },
    ...(request?.body.kind === 'message' ? { request: payloadView(request.seq, request.body, []) } : {}),
    ...(response === undefined ? {} : { response }),
    noResponse: response === undefined && exchange.kind === 'request' ? summaryOf(verdict) : '',
    attempts: chain.map((attempt) => attemptView(attempt, recording.exchange(Math.abs(attempt.key)))),
    http: httpViews(recording.log, exchange),
    related: [
      ...behaviourViews(exchange.key, recording.behavioursOf(exchange.key), (key) => recording.exchange(key)),
      ...exchange.related.flatMap((seq) => relatedText(recording, seq)),
    ],
    anomalies: anomalyViews(exchange.anomalies),
    stderr: stderrViews(recording.log, exchange),
    ...(compare === undefined ? {} : { compare }),
    isCompareChosen: recording.compareBase !== undefined && recording.compareBase !== row.key,
    copyFormats: copyFormatsOf(copySource(recording, exchange, facts.definition)),
    canEditReplay: facts.canEditReplay && facts.replayRefusal === undefined,
    ...(exchange.method === 'tools/call' && exchange.target !== undefined ? { hasToolSource: true } : {}),
    ...(facts.replayRefusal === undefined ? {} : { replayRefusal: facts.replayRefusal }),
  };
}

/** What the outcome means for the one who reads the answer, in one sentence. */
function summaryOf(verdict: Verdict | undefined): string {
  switch (verdict?.outcome) {
    case undefined:
      return t('This is not a call: it has no outcome.');
    case 'success':
      return t('The call did what was asked.');
    case 'partial':
      return t('Part of the work was done and part is missing, but the answer counts as a success.');
    case 'tool_error':
      return t('The tool ran and says that it failed. The model sees this text and can act on it.');
    case 'silent_error':
      return t('The tool says that it failed, but isError is not set, so the model takes this text for the answer.');
    case 'protocol_error':
      return t('The request itself was refused: the exchange is broken, and the model usually sees nothing of it.');
    case 'transport_error':
      return t('No answer came, because the connection failed.');
    case 'timeout':
      return t('No answer came within the limit. The server may still be working on it.');
    case 'cancelled':
      return t('The call was cancelled.');
    case 'input_required':
      return t('The server needs something from the user before it can go on. This is no failure.');
    case 'task_pending':
      return t('The server took the call as a task that is still working.');
    case 'invalid_response':
      return t('An answer came, but it breaks JSON-RPC or MCP, so a client cannot use it.');
    case 'pending':
      return t('Still waiting for an answer.');
  }
}

/** What the failure comes from and what to do about it, by all that was recorded of the connection. */
function causeLines(
  recording: Recording<ReadableLog>,
  exchange: Exchange,
  failure: TransportFailure,
): readonly string[] {
  const events = recording.log.read({ connection: exchange.connection, limit: EVENTS_OF_CONNECTION });
  const { sentence, remedy } = explain(failure, events);
  return [sentence, remedy];
}

/** Cause, code, exit and stderr of a failure, and what to do about it, one line each. */
function failureLines(failure: TransportFailure): readonly string[] {
  return [
    `${failureName(failure)}${failure.code === undefined ? '' : ` (${failure.code})`}`,
    failure.message,
    ...(failure.exitCode === undefined || failure.exitCode === null ? [] : [t('Exit code {0}', failure.exitCode)]),
    ...(failure.exitSignal ? [t('Signal {0}', failure.exitSignal)] : []),
    ...(failure.retryAfterMs === undefined ? [] : [t('Retry-After: {0} ms', failure.retryAfterMs)]),
    ...(failure.stderrTail ?? []).map((line) => `stderr: ${line}`),
  ];
}

function attemptView(attempt: RowView, exchange: Exchange | undefined): AttemptView {
  const chain = exchange?.chain;
  return {
    key: attempt.key,
    text:
      attempt.attempt === undefined
        ? attempt.reason
        : t('attempt {0} of {1}', attempt.attempt.number, attempt.attempt.of),
    reason: chain === undefined ? '' : say(chain.reason),
    outcome: attempt.outcome,
    outcomeText: attempt.outcomeText,
    delayMs: chain?.delayMs ?? 0,
    ...(attempt.durationUs === undefined ? {} : { durationUs: attempt.durationUs }),
  };
}

function relatedText(recording: Recording<ReadableLog>, seq: number): readonly { seq: number; text: string }[] {
  const event = recording.log.get(seq);
  if (event === undefined) {
    return [];
  }
  const { body } = event;
  switch (body.kind) {
    case 'message':
      return [{ seq, text: body.raw.slice(0, 300) }];
    case 'noise':
      return [{ seq, text: body.raw.slice(0, 300) }];
    case 'http':
      // It has a tab of its own.
      return [];
    case 'local-end':
      return [{ seq, text: t('ended here: {0}', body.end.kind) }];
    case 'attempt':
      return [{ seq, text: say(body.reason) }];
    case 'lifecycle':
      return [{ seq, text: body.detail.step }];
    case 'stderr':
      return [{ seq, text: body.line }];
    case 'note':
      return [{ seq, text: noteText(body.note) }];
  }
}

/** Of an injected fault, also what the server really said. */
function noteText(note: NoteBody['note']): string {
  if (note.type !== 'injected') {
    return note.type;
  }
  const told = say(`fault.injected.${note.fault}`, note.detail === undefined ? {} : { detail: note.detail });
  return note.original === undefined
    ? told
    : `${told} · ${t('the server really answered: {0}', note.original.raw.slice(0, 300))}`;
}
