import type { OutcomeKind } from '../../protocol/outcome.ts';

/** Shapes that tell outcomes apart without their colour. */
export const OUTCOME_SHAPES: Readonly<Record<OutcomeKind, string>> = {
  success: '✓',
  partial: '◐',
  tool_error: '✗',
  silent_error: '◌',
  protocol_error: '⊘',
  transport_error: '⚡',
  timeout: '◷',
  cancelled: '⊝',
  input_required: '?',
  task_pending: '…',
  invalid_response: '!',
  pending: '…',
};
