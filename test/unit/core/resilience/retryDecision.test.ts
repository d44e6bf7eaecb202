import { describe, expect, it } from 'vitest';
import type { Idempotency } from '../../../../src/core/resilience/idempotency.ts';
import { decideRetry, type Reach, type RetryFacts, retryRow } from '../../../../src/core/resilience/retryDecision.ts';
import type { RawEnd } from '../../../../src/protocol/call.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';

const yes: Idempotency = { isIdempotent: true, reason: 'idempotent.method' };
const no: Idempotency = { isIdempotent: false, reason: 'notIdempotent.unknown' };

const error = (code: number, more: { httpStatus?: number; retryAfterMs?: number; message?: string } = {}): RawEnd => ({
  kind: 'error',
  error: { code, message: more.message ?? 'no' },
  raw: '{}',
  ...(more.httpStatus === undefined ? {} : { httpStatus: more.httpStatus }),
  ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
});
const lost = (reason: TransportFailure['reason'], more: Partial<TransportFailure> = {}): RawEnd => ({
  kind: 'transport',
  failure: { reason, message: 'gone', ...more },
});
const status = (code: number, retryAfterMs?: number): RawEnd =>
  lost('http-status', { status: code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
const result: RawEnd = { kind: 'result', result: {}, raw: '{}' };
const timeout: RawEnd = { kind: 'timeout', limit: 'idle', afterMs: 1, progressSeen: false };

interface Case {
  readonly name: string;
  readonly end: RawEnd;
  readonly outcome: OutcomeKind;
  readonly reach?: Reach;
  /** What an idempotent and what any other request gets: a refusal's reason, or a cause with its wait. */
  readonly idempotent: string;
  readonly other: string;
  /** What happens to an idempotent one on the second failure of the same kind, where that differs. */
  readonly again?: string;
}

const both = (reason: string) => ({ idempotent: reason, other: reason });
const transport = 'transport_error';
const protocol = 'protocol_error';

/** Every cell of "What may be retried" in the outcome reference. */
const table: readonly Case[] = [
  // Never executed: after the cause is fixed, not by itself.
  { name: 'spawn failed', end: lost('spawn-failed'), outcome: transport, ...both('refuse retry.neverExecuted') },
  { name: 'ECONNREFUSED', end: lost('refused'), outcome: transport, ...both('refuse retry.neverExecuted') },
  { name: 'ENOTFOUND', end: lost('unresolved'), outcome: transport, ...both('refuse retry.neverExecuted') },
  { name: 'TLS', end: lost('tls'), outcome: transport, ...both('refuse retry.neverExecuted') },
  {
    name: '401',
    end: lost('unauthorized', { status: 401 }),
    outcome: transport,
    ...both('refuse retry.neverExecuted'),
  },
  { name: 'HTML', end: lost('not-json-rpc'), outcome: transport, ...both('refuse retry.neverExecuted') },
  ...[400, 403, 404, 405, 406, 413, 415].map((code) => ({
    name: `HTTP ${code}`,
    end: status(code),
    outcome: transport as OutcomeKind,
    ...both('refuse retry.neverExecuted'),
  })),
  {
    name: 'HTTP 406 with a JSON-RPC body',
    end: error(-32000, { httpStatus: 406 }),
    outcome: protocol,
    ...both('refuse retry.neverExecuted'),
  },
  // Rate limits.
  { name: '429', end: status(429), outcome: transport, ...both('rate-limited backoff') },
  { name: '429, Retry-After', end: status(429, 2000), outcome: transport, ...both('rate-limited 2000') },
  { name: '503, Retry-After', end: status(503, 2000), outcome: transport, ...both('rate-limited 2000') },
  { name: '429, too long', end: status(429, 99_000), outcome: transport, ...both('give-up retry.retryAfterTooLong') },
  {
    name: '429 with a JSON-RPC body',
    end: error(-32000, { httpStatus: 429, retryAfterMs: 700 }),
    outcome: protocol,
    ...both('rate-limited 700'),
  },
  // Session lost.
  {
    name: 'session lost',
    end: lost('session-lost', { status: 404 }),
    outcome: transport,
    ...both('session-lost 0'),
    again: 'give-up retry.onceOnly',
  },
  {
    name: '404 with a JSON-RPC body naming a session',
    end: error(-32001, { httpStatus: 404, message: 'Session not found' }),
    outcome: protocol,
    ...both('session-lost 0'),
    again: 'give-up retry.onceOnly',
  },
  {
    name: '400 naming a session',
    end: error(-32000, { httpStatus: 400, message: 'Bad Request: No valid session ID provided' }),
    outcome: protocol,
    ...both('session-lost 0'),
    again: 'give-up retry.onceOnly',
  },
  // To be corrected first.
  ...[-32020, -32021, -32022].map((code) => ({
    name: String(code),
    end: error(code, { httpStatus: 400 }),
    outcome: protocol as OutcomeKind,
    ...both('refuse retry.needsCorrection'),
  })),
  // Never.
  ...[-32601, -32602, -32700, -32600].flatMap((code) =>
    [undefined, 400, 404, 500].map((httpStatus) => ({
      name: `${code}, HTTP ${httpStatus}`,
      end: error(code, httpStatus === undefined ? {} : { httpStatus }),
      outcome: protocol as OutcomeKind,
      ...both('refuse retry.willFailAgain'),
    })),
  ),
  { name: 'own code', end: error(-32000), outcome: protocol, ...both('refuse retry.unknownError') },
  { name: '-32002', end: error(-32002), outcome: protocol, ...both('refuse retry.unknownError') },
  // Only if idempotent.
  ...[-32603, 0].map((code) => ({
    name: `code ${code}`,
    end: error(code),
    outcome: protocol as OutcomeKind,
    idempotent: 'internal-error backoff',
    other: 'refuse notIdempotent.unknown',
    again: 'give-up retry.onceOnly',
  })),
  ...[500, 502, 503, 504].map((code) => ({
    name: `HTTP ${code}`,
    end: status(code),
    outcome: transport as OutcomeKind,
    idempotent: 'server-error backoff',
    other: 'refuse notIdempotent.unknown',
  })),
  {
    name: 'timeout',
    end: timeout,
    outcome: 'timeout',
    idempotent: 'timeout backoff',
    other: 'refuse notIdempotent.unknown',
  },
  ...(['exited', 'reset', 'stream-ended', 'closed', 'accepted-without-answer', 'unknown'] as const).map((reason) => ({
    name: `${reason} in flight`,
    end: lost(reason),
    outcome: transport as OutcomeKind,
    idempotent: 'lost backoff',
    other: 'refuse notIdempotent.unknown',
  })),
  {
    name: 'exited before it was sent',
    end: lost('exited'),
    outcome: transport,
    reach: 'unsent',
    ...both('not-sent backoff'),
    again: 'give-up retry.onceOnly',
  },
  ...(['exited', 'closed', 'unknown', 'spawn-failed', 'session-lost'] as const).map((reason) => ({
    name: `${reason} while connecting`,
    end: lost(reason),
    outcome: transport as OutcomeKind,
    reach: 'unconnected' as const,
    ...both('refuse retry.neverExecuted'),
  })),
  {
    name: '503, Retry-After while connecting',
    end: status(503, 2000),
    outcome: transport,
    reach: 'unconnected',
    ...both('rate-limited 2000'),
  },
  // Answers.
  ...(['tool_error', 'silent_error', 'partial'] as const).map((outcome) => ({
    name: outcome,
    end: result,
    outcome,
    ...both('refuse retry.toolOutcome'),
  })),
  ...(['success', 'input_required', 'task_pending'] as const).map((outcome) => ({
    name: outcome,
    end: result,
    outcome,
    ...both('done retry.answered'),
  })),
  { name: '-32042', end: error(-32042), outcome: 'input_required', ...both('done retry.answered') },
  {
    name: 'a result that is none',
    end: result,
    outcome: 'invalid_response',
    ...both('refuse retry.invalidResponse'),
  },
  {
    name: 'invalid response',
    end: { kind: 'invalid', raw: '{', problem: 'bad-id' },
    outcome: 'invalid_response',
    ...both('refuse retry.invalidResponse'),
  },
  {
    name: 'cancelled',
    end: { kind: 'cancelled', by: 'user' },
    outcome: 'cancelled',
    ...both('cancel retry.cancelled'),
  },
];

function decide({ end, outcome, reach }: Case, facts: Partial<RetryFacts>): string {
  const decision = decideRetry(retryRow(end, outcome, reach ?? 'sent'), {
    attempt: 1,
    maxAttempts: 3,
    outcome,
    earlier: new Set(),
    idempotency: yes,
    retryAfterCapMs: 60_000,
    ...facts,
  });
  return decision.retry
    ? `${decision.cause} ${decision.waitMs ?? 'backoff'}`
    : `${decision.decision} ${decision.reason}`;
}

describe('what may be retried', () => {
  it.each(table)('$name', (row) => {
    const first = decide(row, {});
    const cause = first.split(' ')[0] as never;
    expect({
      idempotent: first,
      other: decide(row, { idempotency: no }),
      again: decide(row, { attempt: 2, earlier: new Set([cause]) }),
    }).toEqual({ idempotent: row.idempotent, other: row.other, again: row.again ?? row.idempotent });
  });

  it.each(table.filter((row) => row.idempotent.match(/^(refuse|done|cancel|give-up)/) === null))(
    '$name is given up after the last attempt',
    (row) => {
      expect(decide(row, { attempt: 3 })).toBe('give-up retry.attemptsUsed');
    },
  );
});

describe('a replay that a person confirmed', () => {
  const asked = (...outcomes: OutcomeKind[]) => ({ asked: new Set(outcomes), idempotency: no });
  const toolError: Case = { name: '', end: result, outcome: 'tool_error', idempotent: '', other: '' };

  it.each([
    ['repeats a tool error when it lists it', toolError, asked('tool_error'), 'asked backoff'],
    ['does not when it does not', toolError, asked('timeout'), 'refuse retry.notInPolicy'],
    ['leaves a success alone', { ...toolError, outcome: 'success' }, asked('success'), 'done retry.answered'],
    [
      'repeats an ambiguous failure without asking again',
      { ...toolError, end: timeout, outcome: 'timeout' },
      asked('timeout'),
      'timeout backoff',
    ],
    [
      'repeats a refused connection',
      { ...toolError, end: lost('refused'), outcome: 'transport_error' },
      asked('transport_error'),
      'asked backoff',
    ],
    [
      'repeats an internal error more than once',
      { ...toolError, end: error(-32603), outcome: 'protocol_error' },
      { ...asked('protocol_error'), attempt: 2, earlier: new Set(['internal-error'] as const) },
      'internal-error backoff',
    ],
    [
      'never repeats invalid params',
      { ...toolError, end: error(-32602), outcome: 'protocol_error' },
      asked('protocol_error'),
      'refuse retry.willFailAgain',
    ],
  ] satisfies [string, Case, Partial<RetryFacts>, string][])('%s', (_name, row, facts, expected) => {
    expect(decide(row, facts)).toBe(expected);
  });
});
