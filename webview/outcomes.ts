import type { RowKind } from '../src/protocol/exchange.ts';
import type { Mark, OutcomeKind } from '../src/protocol/outcome.ts';
import type { OutcomeCounts } from '../src/protocol/timelineViews.ts';

interface OutcomeLook {
  /** Class of the glyph in styles/codicons.css. */
  readonly icon: string;
  /** Class that sets `--tone` to the outcome's colour. */
  readonly tone: string;
  /** Drawn loud, walked by F8. The same outcomes as the protocol's `FAILURE_KINDS`, which a test compares. */
  readonly isFailure: boolean;
}

/**
 * How each outcome looks, in the order of their toggles. Never colour alone: the three failures that are most easily
 * taken for one another (protocol error, tool error, partial) differ in shape, word and colour.
 */
export const OUTCOME_LOOKS: Readonly<Record<OutcomeKind, OutcomeLook>> = {
  success: { icon: 'pass', tone: 'tone-success', isFailure: false },
  partial: { icon: 'half', tone: 'tone-partial', isFailure: true },
  tool_error: { icon: 'tool-error', tone: 'tone-tool-error', isFailure: true },
  silent_error: { icon: 'eye-closed', tone: 'tone-silent-error', isFailure: true },
  protocol_error: { icon: 'circle-slash', tone: 'tone-protocol-error', isFailure: true },
  transport_error: { icon: 'disconnect', tone: 'tone-transport-error', isFailure: true },
  timeout: { icon: 'watch', tone: 'tone-timeout', isFailure: true },
  cancelled: { icon: 'stop', tone: 'tone-cancelled', isFailure: false },
  input_required: { icon: 'comment', tone: 'tone-input-required', isFailure: false },
  task_pending: { icon: 'tasklist', tone: 'tone-task-pending', isFailure: false },
  invalid_response: { icon: 'bug', tone: 'tone-invalid-response', isFailure: true },
  pending: { icon: 'loading', tone: 'tone-pending', isFailure: false },
};

/** Icons of rows that have no outcome. */
const KIND_ICONS: Readonly<Record<RowKind, string>> = {
  request: 'dot',
  notification: 'broadcast',
  noise: 'output',
  connection: 'plug',
  note: 'note',
};

/** Icons of the marks that a row carries beside its outcome. */
export const MARK_ICONS: Readonly<Record<Mark, string>> = {
  retried: 'sync',
  replay: 'rerun',
  late: 'history',
  duplicate: 'files',
  superseded: 'replace',
  ambiguous_delivery: 'question',
  injected_fault: 'beaker',
  redacted: 'lock',
  truncated: 'fold',
  more_available: 'ellipsis',
  id_type_mismatch: 'json',
  batch: 'layers',
  era_probe: 'question',
  edited: 'edit',
};

/** Every outcome, in the order of their toggles. */
export const OUTCOMES = Object.keys(OUTCOME_LOOKS) as readonly OutcomeKind[];

/** Class that sets `--tone`; a neutral one without an outcome. */
export function toneOf(outcome: OutcomeKind | undefined): string {
  return outcome === undefined ? 'tone-none' : OUTCOME_LOOKS[outcome].tone;
}

/** Icon of a row: its outcome's, or its kind's when it has none. */
export function iconOf(row: { readonly outcome: OutcomeKind | undefined; readonly kind: RowKind }): string {
  return row.outcome === undefined ? KIND_ICONS[row.kind] : OUTCOME_LOOKS[row.outcome].icon;
}

/** Is this an outcome that a person looks for when something went wrong? */
export function isFailure(outcome: OutcomeKind | undefined): boolean {
  return outcome !== undefined && OUTCOME_LOOKS[outcome].isFailure;
}

/** A failure of which there are more than before; `undefined` when none has come. */
export function grownFailure(before: OutcomeCounts, after: OutcomeCounts): OutcomeKind | undefined {
  return OUTCOMES.find((kind) => isFailure(kind) && (after[kind] ?? 0) > (before[kind] ?? 0));
}
