import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { FAILURE_KINDS, type OutcomeKind, type RetryClass } from '../../protocol/outcome.ts';
import type { AgentAct } from '../../protocol/reportTerms.ts';
import { failureText } from './failureText.ts';
import type { FinishedCall } from './toolTotals.ts';

/** Of a text beyond this the beginning is looked through for secrets and shown; UTF-16 code units. */
const MAX_TEXT = 16 * 1024;
/** Failures of which nobody knows whether something was carried out; of others the tool has told. */
const UNTOLD: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>(['timeout', 'transport_error', 'protocol_error']);
/** What the templates look at of it. */
const MAX_KEPT = 1200;

/** A call that may still change: a further attempt, a late answer, the end of a task. */
export interface OpenCall {
  readonly key: number;
  readonly server: string;
  readonly tool: string;
  readonly requestId: string | number | undefined;
  readonly startUs: number;
  readonly acts: Set<AgentAct>;
  /** A fault was injected into it on purpose, or into one of its attempts. */
  isInjected: boolean;
  attempts: number;
  outcome: OutcomeKind;
  retry: RetryClass | undefined;
  durationUs: number | undefined;
  requestBytes: number;
  answerBytes: number;
  text: string;
}

export function openCall({ server, target, requestId, startUs }: Exchange, key: number): OpenCall {
  return {
    key,
    server,
    tool: target ?? '',
    requestId,
    startUs,
    acts: new Set(),
    isInjected: false,
    attempts: 0,
    outcome: 'pending',
    retry: undefined,
    durationUs: undefined,
    requestBytes: 0,
    answerBytes: 0,
    text: '',
  };
}

/** Takes in a snapshot of the call, or of an attempt of it, and the event that made it. */
export function follow(call: OpenCall, exchange: Exchange, event: LogEvent, redact: (text: string) => string): void {
  const { seq, body } = event;
  call.isInjected ||= exchange.injected !== undefined;
  const attempt = exchange.chain?.attempt ?? (exchange.group?.kind === 'mrtr' ? exchange.group.index + 1 : 1);
  if (attempt < call.attempts) {
    // What is told late of an attempt that another has followed.
    return;
  }
  const isNew = attempt > call.attempts;
  call.attempts = attempt;
  const bytes = body.kind === 'message' ? body.bytes : 0;
  const isEnd = Math.floor(exchange.endSeq ?? -1) === seq;
  if (isEnd) {
    call.answerBytes = bytes;
  } else if (isNew && Math.floor(exchange.key) === seq) {
    call.requestBytes += bytes;
  }
  const { verdict, endUs, startUs } = exchange;
  const outcome = verdict?.outcome ?? 'pending';
  if (verdict !== undefined && (isEnd || outcome !== call.outcome)) {
    call.text = FAILURE_KINDS.has(outcome) ? textOf(exchange, event, redact) : '';
  }
  call.outcome = outcome;
  call.retry = verdict?.retry;
  call.durationUs = endUs === undefined ? undefined : Math.max(0, endUs - startUs);
}

/** What a call has come to, for the totals of its tool. */
export function finished(call: OpenCall): FinishedCall {
  const { outcome, retry } = call;
  return { ...call, isUnrepeatable: retry === 'only_if_idempotent' && UNTOLD.has(outcome) };
}

/** What the caller was told; where that is in no words, the code of the sentence that decided. */
function textOf(exchange: Exchange, event: LogEvent, redact: (text: string) => string): string {
  const said = failureText(exchange, event);
  if (said === undefined || said.trim() === '') {
    return exchange.verdict?.signals[0]?.code ?? '';
  }
  // Half a secret would not be known for one: what is cut here is cut again, far before this end.
  return redact(said.trim().slice(0, MAX_TEXT)).slice(0, MAX_KEPT).toWellFormed();
}
