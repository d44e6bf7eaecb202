import type { TextArgs } from '../base/text.ts';

/** What can become of a request, in the order in which a person scans for trouble. */
export const OUTCOME_KINDS = [
  'success',
  'partial',
  'tool_error',
  'silent_error',
  'protocol_error',
  'transport_error',
  'timeout',
  'cancelled',
  'input_required',
  'task_pending',
  'invalid_response',
  'pending',
] as const;

export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/** Outcomes that mean that something went wrong; "next error" walks these and the badge counts them. */
export const FAILURE_KINDS: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>([
  'partial',
  'tool_error',
  'silent_error',
  'protocol_error',
  'transport_error',
  'timeout',
  'invalid_response',
]);

/**
 * May the same request be sent again? `safe`: proven not executed. `only_if_idempotent`: it may have executed.
 * `after_fix`: it will fail the same way until something is changed. `never`: there is nothing to retry for.
 */
export type RetryClass = 'never' | 'safe' | 'only_if_idempotent' | 'after_fix';

export type SignalStrength = 'proof' | 'strong' | 'medium' | 'weak';

/**
 * One thing that was seen and that speaks for the outcome. `code` names a sentence in `protocol/texts.ts`, `args` fill
 * its places; `pointer` is an RFC 6901 JSON pointer into the raw answer (`''` is the whole of it).
 */
export interface Signal {
  readonly code: string;
  readonly strength: SignalStrength;
  readonly pointer?: string;
  readonly args: TextArgs;
}

/** The judgement on one exchange. The first signal is the one that decided. */
export interface Verdict {
  readonly outcome: OutcomeKind;
  readonly retry: RetryClass;
  readonly signals: readonly Signal[];
  /** Of a partial result: how much was done and which items are missing, where the answer says so. */
  readonly partial?: {
    readonly done?: number;
    readonly total?: number;
    readonly missing: readonly string[];
  };
}

/** Facts about a row beside its outcome, each with its own icon and text. */
export const MARKS = [
  'retried',
  'replay',
  'late',
  'duplicate',
  'superseded',
  'ambiguous_delivery',
  'injected_fault',
  'redacted',
  'truncated',
  'more_available',
  'id_type_mismatch',
  'batch',
  'era_probe',
  'edited',
] as const;

export type Mark = (typeof MARKS)[number];
