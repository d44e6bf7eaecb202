/** What can be done to a call on purpose, in the order in which `docs/faults.md` tells of them. */
export const FAULT_KINDS = [
  'latency',
  'slowStream',
  'dropAnswer',
  'cut',
  'kill',
  'error',
  'httpStatus',
  'malformed',
  'duplicateAnswer',
  'wrongId',
  'noise',
  'toolError',
  'partial',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault that Faultline injected into an exchange: `code` names a sentence of `protocol/texts/faults.ts`. */
export interface InjectedFault {
  readonly fault: FaultKind;
  /** The name of the rule, or its place in the file. */
  readonly rule: string;
  /** Numbers of the fault for a person: "2500 ms", "429, Retry-After 2 s". */
  readonly detail?: string;
}
