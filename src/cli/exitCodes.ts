/** What every command's exit code means; scripts rely on it. */
export const exitCodes = {
  /** Done, and nothing to complain of. */
  clean: 0,
  /** Done, and something was found: findings, a failed call. */
  found: 1,
  /** Could not be done: bad usage, unreadable input, no such server. */
  failed: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
