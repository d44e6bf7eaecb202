import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import type { AttemptBody, ChainId, ConnectionId, ServerId } from '../../../src/protocol/events.ts';
import type { OutcomeKind } from '../../../src/protocol/outcome.ts';
import { type MadeCall, violationsOf } from '../../chaos/invariants.ts';
import type { Entry, Ledger } from '../../chaos/ledger.ts';

const CHAIN = 'chain' as ChainId;
const SERVER = 'settings:x' as ServerId;

function entry(key: number, attempt: number, outcome: OutcomeKind, code?: number): Entry {
  const signals = code === undefined ? [] : [{ code: 'signal.error', strength: 'proof' as const, args: { code } }];
  return {
    key,
    kind: 'request',
    initiator: 'client',
    server: SERVER,
    connection: 'c' as ConnectionId,
    method: 'tools/call',
    verdict: { outcome, retry: 'never', signals },
    chain: { id: CHAIN, head: 1, attempt, maxAttempts: 3, delayMs: 0, reason: '' },
  };
}

const send = (number: number, reason: string): AttemptBody => ({
  kind: 'attempt',
  chain: CHAIN,
  number,
  maxAttempts: 3,
  decision: 'send',
  token: `t${number}`,
  reason,
});

function ledger(entries: readonly Entry[], attempts: readonly AttemptBody[], more: Partial<Ledger> = {}): Ledger {
  return {
    events: 10,
    lastSeq: 10,
    lost: 0,
    requests: new Set(entries.map(({ key }) => key)),
    exchanges: new Map(entries.map((each) => [each.key, each])),
    attempts: new Map([[CHAIN, attempts]]),
    pids: [],
    injected: new Map(),
    ...more,
  };
}

function call(kinds: readonly OutcomeKind[], more: Partial<MadeCall> = {}): MadeCall {
  const outcome: CallOutcome = {
    kind: kinds.at(-1) ?? 'success',
    detail: { signals: [], retry: 'never', end: { kind: 'result', result: {}, raw: '{}' } },
    chain: CHAIN,
    attempts: kinds.map((kind, index) => ({
      number: index + 1,
      outcome: kind,
      retry: 'never',
      durationMs: 1,
      delayMs: 0,
      reason: '',
    })),
    stopped: 'retry.answered',
  };
  return {
    server: SERVER,
    role: 'faulted',
    method: 'tools/call',
    tool: 'x',
    isSafe: true,
    wasCancelled: false,
    startedMs: 0,
    tookMs: 5,
    outcome,
    ...more,
  };
}

/** A call of two attempts that ended so. */
function twice(first: OutcomeKind, why: string, more: { readonly code?: number; readonly isSafe?: boolean } = {}) {
  const entries = [entry(1, 1, first, more.code), entry(5, 2, 'success')];
  const made = call([first, 'success'], { isSafe: more.isSafe ?? true });
  const stopped = { ...send(2, 'retry.toolOutcome'), decision: 'refuse' as const };
  return [ledger(entries, [send(1, 'retry.first'), send(2, why), stopped]), made] as const;
}

const once = ledger([entry(1, 1, 'success')], [send(1, 'retry.first')]);

describe('an invariant of chaos', () => {
  it.each<[string, readonly [Ledger, MadeCall], readonly string[]]>([
    ['nothing', [once, call(['success'])], []],
    ['a read that is repeated after a timeout', twice('timeout', 'retry.timeout'), []],
    [
      'a write that is repeated since it was refused',
      twice('transport_error', 'retry.retryAfter', { isSafe: false }),
      [],
    ],
    [
      'a write that is repeated after a timeout',
      twice('timeout', 'retry.timeout', { isSafe: false }),
      ['a write is never repeated'],
    ],
    ['a tool error that is repeated', twice('tool_error', 'retry.asked'), ['tool_error is never repeated']],
    ['-32602', twice('protocol_error', 'retry.internalError', { code: -32602 }), ['-32602 is never repeated']],
    ['-32601', twice('protocol_error', 'retry.internalError', { code: -32601 }), ['-32601 is never repeated']],
    ['-32603, which may be', twice('protocol_error', 'retry.internalError', { code: -32603 }), []],
    ['one that is late', [once, call(['success'], { tookMs: 2000 })], ['settled in time']],
    ['one without an outcome', [once, call(['pending'])], ['tagged outcome', 'caller and log agree']],
    [
      'a control server that fails',
      [ledger([entry(1, 1, 'timeout')], [send(1, 'retry.first')]), call(['timeout'], { role: 'control' })],
      ['the control server never fails'],
    ],
    ['a dead server that answers', [once, call(['success'], { role: 'dead' })], ['a dead server is unreachable']],
    ['another end on the log', [once, call(['timeout'])], ['caller and log agree']],
    [
      'an exchange that is still open',
      [ledger([entry(1, 1, 'pending')], [send(1, 'retry.first')]), call(['success'])],
      ['closed', 'caller and log agree'],
    ],
    [
      'a request without an exchange',
      [{ ...once, requests: new Set([1, 7]) }, call(['success'])],
      ['requests = exchanges'],
    ],
    ['an exchange without a request', [{ ...once, requests: new Set() }, call(['success'])], ['requests = exchanges']],
    ['an event that is missing', [{ ...once, events: 9 }, call(['success'])], ['events']],
    [
      'an attempt that is counted twice',
      [
        ledger([entry(1, 1, 'success'), entry(3, 1, 'success')], [send(1, 'retry.first'), send(2, '')]),
        call(['success', 'success']),
      ],
      ['none counted twice', 'success is never repeated'],
    ],
    [
      'a request that no attempt sent',
      [
        ledger([entry(1, 1, 'timeout'), entry(3, 2, 'success')], [send(1, 'retry.first')]),
        call(['timeout', 'success']),
      ],
      ['no request without its attempt'],
    ],
    [
      'an attempt that the caller was not told of',
      [ledger([entry(1, 1, 'success')], [send(1, 'retry.first'), send(2, '')]), call(['success'])],
      ['the caller is told of every attempt'],
    ],
    [
      'a token that is used twice',
      [ledger([entry(1, 1, 'success')], [send(1, 'retry.first'), send(1, '')]), call(['success', 'success'])],
      ['an attempt is sent once'],
    ],
  ])('finds %s', (_, [records, made], expected) => {
    const found = violationsOf(records, [made], { limitMsOf: () => 1000, offered: 10 });
    expect(found.map(({ invariant }) => invariant).sort()).toEqual([...expected].sort());
  });
});
