import type { Anomaly } from '../../protocol/anomaly.ts';
import type { JudgedRequest, RawEnd } from '../../protocol/call.ts';
import type { ConnectionId, LogEvent, Origin, ServerId, SessionId, TransportFailure } from '../../protocol/events.ts';
import type { ArgumentsFingerprint, Exchange, RowKind } from '../../protocol/exchange.ts';
import type { InjectedFault } from '../../protocol/faults.ts';
import type { JsonObject, JsonRpcId } from '../../protocol/jsonrpc.ts';
import type { Mark, Verdict } from '../../protocol/outcome.ts';
import type { Membership } from './memory/groups.ts';

/**
 * How sure an end is. `answer`: a message said it. `local`: our client said it. `guess`: it follows from something else,
 * such as the exit of the process, until our client says more.
 */
export type EndFirmness = 'answer' | 'local' | 'guess';

/** An exchange while it can still change; what leaves the correlator are snapshots of it. */
export interface ExchangeState {
  readonly key: number;
  readonly kind: RowKind;
  readonly session: SessionId;
  readonly server: ServerId;
  readonly connection: ConnectionId;
  origin: Origin;
  readonly initiator: Exchange['initiator'];
  readonly startUs: number;
  /** On the monotonic clock of the session's process. */
  readonly startMonoUs: number;
  readonly method: string;
  readonly target?: string;
  readonly requestId?: JsonRpcId;
  /** Needed to judge the answer; let go of at the end. */
  params?: JsonObject;
  end?: { readonly seq: number; readonly us: number; readonly firmness: EndFirmness };
  /** An error that is judged again once its HTTP status is known. */
  errorEnd?: Extract<RawEnd, { kind: 'error' }>;
  verdict?: Verdict;
  failure?: TransportFailure;
  readonly related: Set<number>;
  bytes: number;
  readonly marks: Set<Mark>;
  chain?: NonNullable<Exchange['chain']>;
  replayOf?: number;
  progressSeen: boolean;
  /** Last progress that was reported. */
  progress?: number;
  /** Revision that the request itself names (2026-07-28, `_meta`), else that of its connection. */
  revision?: string | undefined;
  /** Cursor that the request of a listing gives. */
  cursor?: string;
  /** Of the task that the request was made into. */
  taskId?: string;
  group?: Membership;
  fingerprint?: ArgumentsFingerprint;
  injected?: readonly InjectedFault[];
  anomalies?: readonly Anomaly[];
}

/** Progress can go on for hours; the latest of what belongs to an exchange is kept, and all of it is in the log. */
const MAX_RELATED = 500;

export interface ExchangeStart {
  readonly kind: RowKind;
  readonly method: string;
  readonly initiator: Exchange['initiator'];
  readonly target?: string | undefined;
  readonly requestId?: JsonRpcId;
  readonly params?: JsonObject | undefined;
  readonly bytes?: number;
  readonly key?: number;
}

/** An exchange that begins with `event`. */
export function beginExchange(event: LogEvent, start: ExchangeStart): ExchangeState {
  const { session, server, connection, origin, wallUs, monoUs, seq } = event;
  return {
    key: start.key ?? seq,
    kind: start.kind,
    session,
    server,
    connection,
    origin,
    initiator: start.initiator,
    startUs: wallUs,
    startMonoUs: monoUs,
    method: start.method,
    ...(start.target === undefined ? {} : { target: start.target }),
    ...(start.requestId === undefined ? {} : { requestId: start.requestId }),
    ...(start.params === undefined ? {} : { params: start.params }),
    related: new Set(),
    bytes: start.bytes ?? 0,
    marks: new Set(),
    progressSeen: false,
  };
}

/** Two clocks of one machine run apart by less within the life of an exchange: wall time counts milliseconds, and NTP slews. */
const CLOCKS_APART_US = 250_000;

/**
 * When the exchange ended, as the event says: wall time, µs. Where somebody set the wall clock meanwhile, or the machine slept
 * and the monotonic clock did not count it, the time that passed is the monotonic clock's, which never jumps: a call has taken as
 * long as it was waited for, and no negative time.
 */
export function endUsOf(state: ExchangeState, event: LogEvent): number {
  const passedUs = event.monoUs - state.startMonoUs;
  const isOneClock = event.session === state.session && passedUs > 0;
  const apartUs = Math.abs(event.wallUs - state.startUs - passedUs);
  return isOneClock && apartUs > CLOCKS_APART_US ? state.startUs + passedUs : event.wallUs;
}

/** Notes that the event belongs to the exchange; its start, and its end as long as it is that, are not told twice. */
export function relate(state: ExchangeState, seq: number): void {
  if (seq === state.key) {
    return;
  }
  state.related.add(seq);
  if (state.related.size > MAX_RELATED) {
    const [oldest] = state.related;
    state.related.delete(oldest ?? seq);
  }
}

/** What the judge is to know of the request. */
export function judgedRequest(
  state: ExchangeState,
  known: Pick<JudgedRequest, 'revision' | 'outputSchema' | 'history'>,
): JudgedRequest {
  return {
    method: state.method,
    ...(state.target === undefined ? {} : { target: state.target }),
    ...(state.params === undefined ? {} : { params: state.params }),
    ...known,
  };
}

/** The exchange as it is now, sharing nothing that changes later. */
export function snapshotOf(state: ExchangeState): Exchange {
  return {
    key: state.key,
    kind: state.kind,
    session: state.session,
    server: state.server,
    connection: state.connection,
    origin: state.origin,
    initiator: state.initiator,
    startUs: state.startUs,
    ...(state.end === undefined ? {} : { endUs: state.end.us, endSeq: state.end.seq }),
    method: state.method,
    ...(state.target === undefined ? {} : { target: state.target }),
    ...(state.requestId === undefined ? {} : { requestId: state.requestId }),
    related: [...state.related].filter((seq) => seq !== state.end?.seq),
    bytes: state.bytes,
    verdict: state.verdict,
    marks: [...state.marks],
    ...(state.failure === undefined ? {} : { failure: state.failure }),
    ...(state.chain === undefined ? {} : { chain: state.chain }),
    ...(state.replayOf === undefined ? {} : { replayOf: state.replayOf }),
    ...(state.anomalies === undefined ? {} : { anomalies: state.anomalies }),
    ...(state.group === undefined || state.group.run.count < 2 ? {} : { group: groupOf(state.group) }),
    ...(state.fingerprint === undefined ? {} : { fingerprint: state.fingerprint }),
    ...(state.injected === undefined ? {} : { injected: state.injected }),
  };
}

function groupOf({ run, index }: Membership): NonNullable<Exchange['group']> {
  return { kind: run.kind, head: run.head.key, index, activeUs: run.activeUs };
}

/** More of the same say nothing new. */
const MAX_ANOMALIES = 24;
const MAX_OF_A_CODE = 3;

/** Notes an anomaly, unless the exchange has enough of its kind. */
export function addAnomaly(state: ExchangeState, anomaly: Anomaly): void {
  const known = state.anomalies ?? [];
  const alike = known.filter(({ code }) => code === anomaly.code).length;
  if (known.length < MAX_ANOMALIES && alike < MAX_OF_A_CODE) {
    // A new list, since snapshots hold the old one.
    state.anomalies = [...known, anomaly];
  }
}

/** Notes what Faultline did to it on purpose. */
export function addInjected(state: ExchangeState, injected: InjectedFault): void {
  // A new list, since snapshots hold the old one.
  state.injected = [...(state.injected ?? []), injected];
  state.marks.add('injected_fault');
}
