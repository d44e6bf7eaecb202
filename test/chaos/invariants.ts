import type { CallOutcome } from '../../src/protocol/call.ts';
import type { AttemptBody, ServerId } from '../../src/protocol/events.ts';
import { OUTCOME_KINDS } from '../../src/protocol/outcome.ts';
import type { Entry, Ledger } from './ledger.ts';

/** A call as whoever made it saw it. */
export interface MadeCall {
  readonly server: ServerId;
  readonly role: 'control' | 'faulted' | 'dead';
  readonly method: string;
  readonly tool: string | undefined;
  /** May it be sent twice? */
  readonly isSafe: boolean;
  readonly wasCancelled: boolean;
  readonly startedMs: number;
  readonly tookMs: number;
  readonly outcome: CallOutcome;
}

export interface Violation {
  readonly invariant: string;
  /** The `seq` at which it shows; of one that is on no record, after all that are. */
  readonly at: number;
  readonly detail: string;
}

/** Outcomes after which the client must not send again (docs/outcomes.md, "What may be retried"). */
const NEVER_AGAIN: ReadonlySet<string> = new Set([
  'success',
  'tool_error',
  'silent_error',
  'partial',
  'invalid_response',
  'cancelled',
  'input_required',
  'task_pending',
]);
const NEVER_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);
/** Why a write may be sent again: nothing was executed. */
const UNEXECUTED: ReadonlySet<string> = new Set([
  'retry.notSent',
  'retry.rateLimited',
  'retry.retryAfter',
  'retry.sessionLost',
  'retry.corrected',
]);

const NOWHERE = Number.MAX_SAFE_INTEGER;

/** Everything that does not hold, the first first. */
export function violationsOf(
  ledger: Ledger,
  calls: readonly MadeCall[],
  limits: { readonly limitMsOf: (call: MadeCall) => number; readonly offered: number },
): readonly Violation[] {
  const chains = chainsOf(ledger);
  const found = [
    ...accounted(ledger, limits.offered),
    ...closed(ledger),
    ...calls.flatMap((call) => settled(call, limits.limitMsOf(call))),
    ...calls.flatMap((call) => consistent(call, chains.get(call.outcome.chain) ?? [], ledger)),
    ...calls.flatMap((call) => retriedByTheTable(call, chains.get(call.outcome.chain) ?? [], ledger)),
  ];
  return found.sort((a, b) => a.at - b.at);
}

function chainsOf({ exchanges }: Ledger): ReadonlyMap<string, readonly Entry[]> {
  const chains = new Map<string, Entry[]>();
  for (const entry of exchanges.values()) {
    if (entry.chain !== undefined && entry.kind === 'request') {
      chains.set(entry.chain.id, [...(chains.get(entry.chain.id) ?? []), entry]);
    }
  }
  return chains;
}

/** Every event that was given to the log is in it or declared missing, and each request that was sent is one exchange. */
function accounted({ events, lost, requests, exchanges }: Ledger, offered: number): readonly Violation[] {
  const own = [...exchanges.values()].filter(({ kind, initiator }) => kind === 'request' && initiator === 'client');
  const keys = new Set(own.map(({ key }) => key));
  const gaps = lost === 0 ? 0 : [...exchanges.values()].filter(({ method }) => method === 'gap').length;
  return [
    ...(events - gaps + lost === offered
      ? []
      : [violation('events', NOWHERE, `${offered} events were recorded, ${events} are on the log, ${lost} missing`)]),
    ...[...requests]
      .filter((seq) => !keys.has(seq))
      .map((seq) => violation('requests = exchanges', seq, `request ${seq} has no exchange`)),
    ...own
      .filter(({ key }) => !requests.has(key))
      .map((entry) => violation('requests = exchanges', entry.key, `exchange without a request: ${told(entry)}`)),
  ];
}

/** With every connection closed nothing waits any more. */
function closed({ exchanges }: Ledger): readonly Violation[] {
  return [...exchanges.values()]
    .filter(({ kind, initiator }) => kind === 'request' && initiator === 'client')
    .filter(({ verdict }) => verdict === undefined || verdict.outcome === 'pending')
    .map((entry) => violation('closed', entry.key, `still pending: ${told(entry)}`));
}

function settled(call: MadeCall, limitMs: number): readonly Violation[] {
  const { outcome, role } = call;
  const detail = `${call.server} ${call.tool ?? call.method} after ${Math.round(call.tookMs)} ms: ${summary(outcome)}`;
  const isTagged = OUTCOME_KINDS.includes(outcome.kind) && outcome.kind !== 'pending';
  return [
    ...(isTagged ? [] : [violation('tagged outcome', NOWHERE, detail)]),
    ...(call.tookMs <= limitMs ? [] : [violation('settled in time', NOWHERE, detail)]),
    ...(outcome.stopped === 'call.failed' ? [violation('no exception', NOWHERE, detail)] : []),
    ...(role === 'control' && outcome.kind !== 'success' && !call.wasCancelled
      ? [violation('the control server never fails', NOWHERE, detail)]
      : []),
    ...(role === 'dead' && outcome.kind !== 'transport_error' && !call.wasCancelled
      ? [violation('a dead server is unreachable', NOWHERE, detail)]
      : []),
  ];
}

/** What the caller was told is what the log shows: as many requests as attempts that reached the wire, and the same end. */
function consistent(call: MadeCall, entries: readonly Entry[], ledger: Ledger): readonly Violation[] {
  const { outcome } = call;
  const sends = attemptsOf(ledger, call).filter(({ decision }) => decision === 'send');
  const at = entries[0]?.key ?? NOWHERE;
  const isTokenTwice = new Set(sends.map(({ token }) => token)).size !== sends.length;
  const isCountedTwice = new Set(entries.map(({ chain }) => chain?.attempt)).size !== entries.length;
  const last = entries.find(({ chain }) => chain?.attempt === outcome.attempts.at(-1)?.number);
  return [
    ...(isTokenTwice ? [violation('an attempt is sent once', at, `${call.server}: ${summary(outcome)}`)] : []),
    ...(isCountedTwice
      ? [violation('none counted twice', at, `${entries.map(told).join('; ')}: ${summary(outcome)}`)]
      : []),
    ...(entries.length > sends.length
      ? [violation('no request without its attempt', at, `${entries.map(told).join('; ')}: ${summary(outcome)}`)]
      : []),
    ...(sends.length > outcome.attempts.length
      ? [violation('the caller is told of every attempt', at, `${sends.length} sent: ${summary(outcome)}`)]
      : []),
    ...(last !== undefined && last.verdict?.outcome !== outcome.kind
      ? [violation('caller and log agree', last.key, `the log says ${told(last)}; the caller ${summary(outcome)}`)]
      : []),
  ];
}

function retriedByTheTable(call: MadeCall, entries: readonly Entry[], ledger: Ledger): readonly Violation[] {
  const ordered = [...entries].sort((a, b) => a.key - b.key);
  // The last word on an attempt is why none follows; why it was made is told when it is sent.
  const sends = attemptsOf(ledger, call).filter(({ decision }) => decision === 'send');
  const whyOf = new Map(sends.map(({ number, reason }) => [number, reason]));
  return ordered.slice(0, -1).flatMap((entry, index) => {
    const next = ordered[index + 1];
    const why = whyOf.get(next?.chain?.attempt ?? 0) ?? '';
    const kind = entry.verdict?.outcome ?? 'pending';
    const code = codeOf(entry);
    const detail = `${told(entry)} was repeated (${why}): ${summary(call.outcome)}`;
    return [
      ...(NEVER_AGAIN.has(kind) ? [violation(`${kind} is never repeated`, entry.key, detail)] : []),
      ...(code !== undefined && NEVER_CODES.has(code)
        ? [violation(`${code} is never repeated`, entry.key, detail)]
        : []),
      ...(call.isSafe || UNEXECUTED.has(why) ? [] : [violation('a write is never repeated', entry.key, detail)]),
    ];
  });
}

function attemptsOf({ attempts }: Ledger, { outcome }: MadeCall): readonly AttemptBody[] {
  return attempts.get(outcome.chain) ?? [];
}

function codeOf({ verdict }: Entry): number | undefined {
  const code = verdict?.signals.flatMap(({ args }) => (typeof args?.['code'] === 'number' ? [args['code']] : []))[0];
  return code;
}

function violation(invariant: string, at: number, detail: string): Violation {
  return { invariant, at, detail };
}

/** An exchange in a line. */
function told({ key, server, method, target, requestId, verdict, failure, injected, chain }: Entry): string {
  const faults = (injected ?? []).map(({ fault }) => fault).join('+');
  return (
    `#${key} ${server} ${method} ${target ?? ''} id ${requestId ?? '-'} attempt ${chain?.attempt ?? '-'} ` +
    `${verdict?.outcome ?? 'without a verdict'} ${failure?.reason ?? ''} ${faults === '' ? '' : `injected ${faults}`}`
  ).trim();
}

function summary({ kind, attempts, stopped, detail }: CallOutcome): string {
  const ends = attempts.map(({ number, outcome, reason }) => `${number} ${outcome} (${reason})`).join(', ');
  const end = JSON.stringify(detail.end);
  return `${kind}, stopped by ${stopped}; attempts: ${ends === '' ? 'none' : ends}; end ${end.slice(0, 300)}`;
}
