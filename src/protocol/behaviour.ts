import type { ConnectionId, Origin, ServerId, SessionId } from './events.ts';

/** What callers do that is worth a finding (outcome reference, "Chains"). */
const BEHAVIOUR_KINDS = ['blind_retry', 'loop', 'possible_duplicate', 'recovery'] as const;

export type BehaviourKind = (typeof BEHAVIOUR_KINDS)[number];

/**
 * Something that a caller did over several exchanges. A later record with the same `id` takes the place of the earlier
 * one, as a loop does with each further call.
 */
export interface Behaviour {
  readonly id: string;
  readonly kind: BehaviourKind;
  readonly session: SessionId;
  readonly server: ServerId;
  /** Of the last exchange; the first may have been on one that was lost since. */
  readonly connection: ConnectionId;
  readonly origin: Origin;
  readonly tool: string;
  /** Keys of the exchanges, oldest first: what failed, then what followed. Of a loop at most the newest 100. */
  readonly exchanges: readonly number[];
  /** How many exchanges there were in all. */
  readonly count: number;
  /** Of a recovery: the arguments that were changed, added or left out, by name. */
  readonly changed: readonly string[];
  readonly startUs: number;
  readonly endUs: number;
}
