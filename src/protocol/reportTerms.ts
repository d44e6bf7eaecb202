// The terms of the usability report, apart from its schema: what only counts needs no schemas.

/** Raised when a field changes its meaning. */
export const REPORT_VERSION = 1;

/** What an agent did about failures (docs/report.md, "How agents deal with failures"). */
export const AGENT_ACTS = [
  'blind_retry',
  'loop',
  'possible_duplicate',
  'used_silent_error',
  'ignored_partial',
  'give_up',
  'recovery',
] as const;

export type AgentAct = (typeof AGENT_ACTS)[number];

/** What is wrong with a tool, in the order of docs/report.md. */
export const PROBLEMS = [
  'possible_duplicates',
  'silent_errors',
  'unclear_errors',
  'ignored_partials',
  'timeouts',
  'transport_errors',
  'invalid_responses',
  'protocol_errors',
  'missing_annotations',
  'slow',
  'huge_results',
] as const;

export type Problem = (typeof PROBLEMS)[number];

/** An answer that takes longer is slow: a person has long looked elsewhere. */
export const SLOW_US = 10_000_000;

/** An answer of this size is huge: about 25,000 tokens, beyond which clients cut results or refuse them. */
export const HUGE_BYTES = 100_000;
