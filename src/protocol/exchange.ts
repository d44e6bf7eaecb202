import type { Anomaly } from './anomaly.ts';
import type { ChainId, ConnectionId, Origin, ServerId, SessionId, TransportFailure } from './events.ts';
import type { InjectedFault } from './faults.ts';
import type { Mark, Verdict } from './outcome.ts';

/** What a row stands for. */
export const ROW_KINDS = ['request', 'notification', 'noise', 'connection', 'note'] as const;

export type RowKind = (typeof ROW_KINDS)[number];

/**
 * An exchange as projected from the log: a request with its answer, or a single event that deserves a row. A new
 * snapshot is emitted whenever it changes; `key` is the `seq` of its first event and never changes.
 */
export interface Exchange {
  readonly key: number;
  readonly kind: RowKind;
  readonly session: SessionId;
  readonly server: ServerId;
  readonly connection: ConnectionId;
  readonly origin: Origin;
  /** `client` when our side (or the tapped client) asked, `server` for requests and notifications from the server. */
  readonly initiator: 'client' | 'server';
  readonly startUs: number;
  /** Wall time of the end; absent while pending. */
  readonly endUs?: number;
  readonly method: string;
  /** Tool, prompt or resource that the request names. */
  readonly target?: string;
  readonly requestId?: string | number;
  /** `seq` of the answering message, of the local end, or of the failure; absent while pending. */
  readonly endSeq?: number;
  /** `seq`s of everything else that belongs to it: progress, cancellation, late and duplicate answers, HTTP. */
  readonly related: readonly number[];
  /** Bytes of request and answers. */
  readonly bytes: number;
  readonly verdict: Verdict | undefined;
  readonly marks: readonly Mark[];
  readonly failure?: TransportFailure;
  readonly chain?: {
    readonly id: ChainId;
    /** Key of the first attempt's exchange: the row under which the others fold. */
    readonly head: number;
    readonly attempt: number;
    readonly maxAttempts: number;
    /** Wait before this attempt, ms. */
    readonly delayMs: number;
    /** Names a sentence in `protocol/texts.ts`: why this attempt was made, or why none follows. */
    readonly reason: string;
  };
  /** Key of the exchange that this one replays. */
  readonly replayOf?: number;
  /** What was unusual about it beside its outcome, in the order in which it was seen; absent when nothing was. */
  readonly anomalies?: readonly Anomaly[];
  /**
   * The logical operation that several requests make up: the rounds of a call that asks for input, the pages of a
   * listing, a task and the requests about it. `head` is the key of the first; `index` counts from 0.
   */
  readonly group?: {
    readonly kind: 'mrtr' | 'pagination' | 'task';
    readonly head: number;
    readonly index: number;
    /** Time that the other side took over all answered members so far, µs: what a person thought in between is not in it. */
    readonly activeUs: number;
  };
  /** What Faultline did to it on purpose, in order: its outcome is not to be put down to the server. Absent when nothing. */
  readonly injected?: readonly InjectedFault[];
  /** Of a `tools/call`: what tells its arguments from others. Equal arguments have equal fingerprints. */
  readonly fingerprint?: ArgumentsFingerprint;
}

/** Hashes of arguments: of all together, and of each member (at most 32 of them) by its name. Not for secrets. */
export interface ArgumentsFingerprint {
  readonly whole: string;
  readonly members: Readonly<Record<string, string>>;
}
