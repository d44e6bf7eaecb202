import type { TextArgs } from '../base/text.ts';
import type { ChainId, TransportFailure } from './events.ts';
import type { JsonObject, JsonRpcErrorObject, JsonValue } from './jsonrpc.ts';
import type { OutcomeKind, RetryClass, Signal, Verdict } from './outcome.ts';

/** How one attempt ended, before anybody judged it: the answer as on the wire, or the local end. */
export type RawEnd =
  | { readonly kind: 'result'; readonly result: JsonValue; readonly raw: string }
  | {
      readonly kind: 'error';
      readonly error: JsonRpcErrorObject;
      readonly raw: string;
      readonly httpStatus?: number;
      /** As in `TransportFailure`. */
      readonly retryAfterMs?: number;
      /** The HTTP answer that carried it says that the session is gone. */
      readonly isSessionLost?: boolean;
    }
  | { readonly kind: 'invalid'; readonly raw: string; readonly problem: string }
  | {
      readonly kind: 'timeout';
      readonly limit: 'idle' | 'total';
      readonly afterMs: number;
      readonly progressSeen: boolean;
    }
  | { readonly kind: 'cancelled'; readonly by: 'user' | 'client' | 'shutdown' }
  | { readonly kind: 'transport'; readonly failure: TransportFailure };

/** What a judge needs to know of the request beside its end. */
export interface JudgedRequest {
  readonly method: string;
  readonly target?: string;
  readonly params?: JsonObject;
  readonly revision?: string;
  /** JSON schema that the tool declared for its structured content. */
  readonly outputSchema?: JsonValue;
  /** What the tool has answered before, as far as it is on record; absent when nothing is. */
  readonly history?: ToolHistory;
}

/** What the answers of a tool had in common that were judged a success. */
export interface ToolHistory {
  /** How many there were, at most 1000. */
  readonly successes: number;
  /** Of these: had something to read, and were no empty list, object or text. */
  readonly withContent: number;
  /** Of these: structured content, or a text that is a JSON object or list. */
  readonly withData: number;
  /** Members that the JSON object of each of them had. */
  readonly members: readonly string[];
  /** How their texts began, without numbers; at most 32. */
  readonly openings: readonly string[];
}

/** Gives the outcome of an exchange. Pure; never throws. */
export type Judge = (request: JudgedRequest, end: RawEnd) => Verdict;

export interface AttemptSummary {
  readonly number: number;
  readonly outcome: OutcomeKind;
  readonly retry: RetryClass;
  readonly durationMs: number;
  /** Wait before this attempt. */
  readonly delayMs: number;
  /** Names a sentence in `protocol/texts.ts`: why it was made. */
  readonly reason: string;
}

/**
 * What every call returns; no exception leaves one. `kind` is the last attempt's outcome; `detail` carries what that kind
 * has to say. `stopped` names the reason (in `protocol/texts.ts`) for making no further attempt.
 */
export interface CallOutcome {
  readonly kind: OutcomeKind;
  readonly detail: {
    readonly signals: readonly Signal[];
    readonly retry: RetryClass;
    readonly end: RawEnd;
    readonly partial?: Verdict['partial'];
  };
  readonly chain: ChainId;
  readonly attempts: readonly AttemptSummary[];
  readonly stopped: string;
  /** The request may have been carried out, nobody will know, and nothing says that twice does no harm. */
  readonly isAmbiguous?: boolean;
  /** Fills the places of the sentence that `stopped` names, where it has any. */
  readonly stoppedArgs?: TextArgs;
}
