import { assertNever } from '../../base/assertNever.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { correctionOf } from './correction.ts';
import type { Idempotency } from './idempotency.ts';

/** Why a request is sent again; some causes count only once a call. */
export type RetryCause =
  | 'rate-limited'
  | 'session-lost'
  | 'internal-error'
  | 'server-error'
  | 'lost'
  | 'timeout'
  | 'not-sent'
  | 'corrected'
  | 'asked';

/**
 * The row of the table in the outcome reference, "What may be retried", that an end falls into. `final` rows stay
 * final even when a person asks; `once` rows are repeated once a call.
 */
export type RetryRow =
  | { readonly may: 'never'; readonly reason: string; readonly isFinal: boolean }
  | {
      readonly may: 'safe' | 'if-idempotent';
      readonly reason: string;
      readonly cause: RetryCause;
      readonly isOnce: boolean;
      /** What the server asked for; absent for our own backoff. 0 for at once. */
      readonly waitMs?: number;
    };

const never = (reason: string, isFinal = false): RetryRow => ({ may: 'never', reason, isFinal });
const safe = (cause: RetryCause, reason: string, isOnce = false, waitMs?: number): RetryRow => ({
  may: 'safe',
  cause,
  reason,
  isOnce,
  ...(waitMs === undefined ? {} : { waitMs }),
});
const ifIdempotent = (cause: RetryCause, reason: string, isOnce = false): RetryRow => ({
  may: 'if-idempotent',
  cause,
  reason,
  isOnce,
});

/** How far a request came: nowhere as there was no connection, not out of our hands, or possibly to the server. */
export type Reach = 'unconnected' | 'unsent' | 'sent';

/** Finds the row for one ended attempt. Pure. */
export function retryRow(end: RawEnd, outcome: OutcomeKind, reach: Reach): RetryRow {
  switch (end.kind) {
    case 'result':
      return answerRow(outcome);
    case 'error':
      return outcome === 'input_required' ? answerRow(outcome) : errorRow(end);
    case 'invalid':
      return never('retry.invalidResponse');
    case 'cancelled':
      return never('retry.cancelled', true);
    case 'timeout':
      return ifIdempotent('timeout', 'retry.timeout');
    case 'transport':
      if (end.failure.reason === 'unavailable') {
        return never('breaker.open', true);
      }
      return reach === 'unconnected' ? unconnectedRow(end.failure) : transportRow(end.failure, reach);
    default:
      return assertNever(end);
  }
}

/**
 * True when an HTTP server no longer knows our session: a 404, or the 400 with which the TypeScript SDK's own servers
 * answer a session id that has ended (specification 2025-11-25, "Session Management", asks for 404).
 */
export function isSessionLoss(end: RawEnd): boolean {
  if (end.kind === 'transport') {
    return end.failure.reason === 'session-lost';
  }
  if (end.kind !== 'error' || end.isSessionLost !== undefined) {
    return end.kind === 'error' && end.isSessionLost === true;
  }
  return (
    (end.httpStatus === 404 || end.httpStatus === 400) &&
    end.error.code !== -32601 &&
    /\bsession\b/i.test(end.error.message)
  );
}

function answerRow(outcome: OutcomeKind): RetryRow {
  switch (outcome) {
    case 'tool_error':
    case 'silent_error':
    case 'partial':
      return never('retry.toolOutcome');
    case 'invalid_response':
      return never('retry.invalidResponse');
    default:
      return never('retry.answered', true);
  }
}

function errorRow(end: Extract<RawEnd, { kind: 'error' }>): RetryRow {
  if (isSessionLoss(end)) {
    return safe('session-lost', 'retry.sessionLost', true, 0);
  }
  if (correctionOf(end) !== undefined) {
    return safe('corrected', 'retry.corrected', true, 0);
  }
  switch (end.error.code) {
    case -32700:
    case -32600:
    case -32601:
    case -32602:
      return never('retry.willFailAgain', true);
    case -32020:
    case -32021:
    case -32022:
      return never('retry.needsCorrection', true);
    default:
  }
  if (end.httpStatus !== undefined && end.httpStatus >= 400) {
    return statusRow(end.httpStatus, end.retryAfterMs);
  }
  return end.error.code === -32603 || end.error.code === 0
    ? ifIdempotent('internal-error', 'retry.internalError', true)
    : never('retry.unknownError');
}

/** Connecting has waits of its own; the call is repeated only when the server has asked for a later try. */
function unconnectedRow(failure: TransportFailure): RetryRow {
  const row = statusRow(failure.status ?? 0, failure.retryAfterMs);
  return row.may === 'safe' ? row : never('retry.neverExecuted');
}

function transportRow(failure: TransportFailure, reach: Reach): RetryRow {
  switch (failure.reason) {
    case 'spawn-failed':
    case 'refused':
    case 'unresolved':
    case 'tls':
    case 'unauthorized':
    case 'not-json-rpc':
      return never('retry.neverExecuted');
    case 'unavailable':
      return never('breaker.open', true);
    case 'session-lost':
      return safe('session-lost', 'retry.sessionLost', true, 0);
    case 'http-status':
      return statusRow(failure.status ?? 0, failure.retryAfterMs);
    case 'exited':
    case 'reset':
    case 'closed':
    case 'stream-ended':
    case 'accepted-without-answer':
    case 'unknown':
      // The engine would not send it: this revision does not have the method, say.
      if (failure.code !== undefined && reach === 'unsent') {
        return never('retry.neverExecuted');
      }
      return reach === 'sent' ? ifIdempotent('lost', 'retry.lost') : safe('not-sent', 'retry.notSent', true);
    default:
      return assertNever(failure.reason);
  }
}

/** RFC 9110 §15 and §10.2.3: what a status without a JSON-RPC answer says about the request having been executed. */
function statusRow(status: number, retryAfterMs: number | undefined): RetryRow {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) {
    return retryAfterMs === undefined
      ? safe('rate-limited', 'retry.rateLimited')
      : safe('rate-limited', 'retry.retryAfter', false, retryAfterMs);
  }
  return status === 500 || status === 502 || status === 503 || status === 504
    ? ifIdempotent('server-error', 'retry.serverError')
    : never('retry.neverExecuted');
}

export interface RetryFacts {
  /** Of the attempt that ended, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly outcome: OutcomeKind;
  /** Causes for which this call was repeated before. */
  readonly earlier: ReadonlySet<RetryCause>;
  readonly idempotency: Idempotency;
  readonly retryAfterCapMs: number;
  /** Set when a person replays and has been told of the risk: the outcomes that they want repeated. */
  readonly asked?: ReadonlySet<OutcomeKind> | undefined;
}

/** `reason` names a sentence in `protocol/texts.ts`. `waitMs` absent: the next delay of the backoff. */
export type RetryDecision =
  | { readonly retry: true; readonly cause: RetryCause; readonly reason: string; readonly waitMs?: number }
  | { readonly retry: false; readonly decision: 'done' | 'give-up' | 'refuse' | 'cancel'; readonly reason: string };

/** Whether to send again. Pure; the caller checks the server's budget, which is shared. */
export function decideRetry(row: RetryRow, facts: RetryFacts): RetryDecision {
  if (row.may === 'never' && row.isFinal) {
    const decision =
      row.reason === 'retry.answered' ? 'done' : row.reason === 'retry.cancelled' ? 'cancel' : ('refuse' as const);
    return { retry: false, decision, reason: row.reason };
  }
  if (facts.asked !== undefined && !facts.asked.has(facts.outcome)) {
    return { retry: false, decision: 'refuse', reason: 'retry.notInPolicy' };
  }
  if (row.may === 'never' && facts.asked === undefined) {
    return { retry: false, decision: 'refuse', reason: row.reason };
  }
  if (row.may === 'if-idempotent' && facts.asked === undefined && !facts.idempotency.isIdempotent) {
    return { retry: false, decision: 'refuse', reason: facts.idempotency.reason };
  }
  if (facts.attempt >= facts.maxAttempts) {
    return { retry: false, decision: 'give-up', reason: 'retry.attemptsUsed' };
  }
  if (row.may === 'never') {
    return { retry: true, cause: 'asked', reason: 'retry.asked' };
  }
  if (row.isOnce && facts.earlier.has(row.cause) && facts.asked === undefined) {
    return { retry: false, decision: 'give-up', reason: 'retry.onceOnly' };
  }
  if (row.waitMs === undefined) {
    return { retry: true, cause: row.cause, reason: row.reason };
  }
  return row.waitMs > facts.retryAfterCapMs
    ? { retry: false, decision: 'give-up', reason: 'retry.retryAfterTooLong' }
    : { retry: true, cause: row.cause, reason: row.reason, waitMs: row.waitMs };
}
