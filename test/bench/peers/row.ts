/** One number of the comparison. */
export interface PeerRow {
  /** What was measured, the same for all that stand beside each other: `CPU a message, stdio, 200 B`. */
  readonly measure: string;
  /** The program that was measured: `mcp-proxy`. */
  readonly subject: string;
  /** NaN where it could not be had; `note` says why. */
  readonly value: number;
  /** `µs`, `ms`, `bytes`, or `of 20`. */
  readonly unit: string;
  readonly note?: string;
  /** It was given up there: the number is at least as much. */
  readonly isAtLeast?: boolean;
}

/** The subject that all others are compared with. */
export const OURS = 'Faultline';
