import type { FaultKind } from '../../../protocol/faults.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';

/** One way to break a call. What goes on the wire in the end is in `docs/faults.md`, for each transport. */
export type Fault =
  /** `ms` plus up to `jitterMs`. */
  | { readonly type: 'latency'; readonly ms: number; readonly jitterMs?: number | undefined }
  | { readonly type: 'slowStream'; readonly bytesPerSecond: number }
  | { readonly type: 'dropAnswer' }
  /** So many bytes of the answer come through. */
  | { readonly type: 'cut'; readonly atByte: number }
  | { readonly type: 'kill' }
  | {
      readonly type: 'error';
      readonly code: number;
      readonly message?: string | undefined;
      readonly data?: JsonValue | undefined;
    }
  | { readonly type: 'httpStatus'; readonly status: number; readonly retryAfterSeconds?: number | undefined }
  | { readonly type: 'malformed'; readonly how: 'truncated' | 'garbled' }
  | { readonly type: 'duplicateAnswer' }
  | { readonly type: 'wrongId' }
  | { readonly type: 'noise'; readonly text?: string | undefined }
  /** `text` takes the place of what the tool said. */
  | { readonly type: 'toolError'; readonly text?: string | undefined }
  | { readonly type: 'partial' };

/** Which calls a fault is for. Patterns have `*` and `?`; of several one must fit. All that is given must hold. */
export interface FaultRule {
  readonly name?: string | undefined;
  readonly server?: string | readonly string[] | undefined;
  readonly tool?: string | readonly string[] | undefined;
  /** Without it, and without `tool`, calls of tools. */
  readonly method?: string | readonly string[] | undefined;
  readonly transport?: 'stdio' | 'http' | undefined;
  /** Calls that fit so far and are left alone. */
  readonly after?: number | undefined;
  /** So many calls from there on. */
  readonly first?: number | undefined;
  /** Of those, each so-manieth. */
  readonly every?: number | undefined;
  readonly probability?: number | undefined;
  /** Since the start of the tap or of the connection, ms. */
  readonly window?: { readonly fromMs?: number | undefined; readonly toMs?: number | undefined } | undefined;
  readonly fault: Fault;
}

/** What a file or a profile holds. */
export interface FaultPlan {
  readonly name?: string | undefined;
  readonly seed?: number | undefined;
  readonly rules: readonly FaultRule[];
}

/** A fault that a call is to meet. */
export interface Injection {
  readonly fault: Fault;
  readonly rule: string;
  /** Of a latency with its jitter, ms. */
  readonly delayMs: number;
}

/** Faults that come with another: they change when an answer comes, not what it is. */
export const PACES: ReadonlySet<FaultKind> = new Set<FaultKind>(['latency', 'slowStream']);
