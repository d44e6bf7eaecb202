/** Where all time comes from. Nothing below `host` and `cli` reads the system's clock or sets a timer by itself. */
export interface Clock {
  /** Wall time, microseconds since the epoch. May jump. */
  wallUs(): number;
  /** Monotonic time in microseconds from an arbitrary origin. Never goes back. */
  monoUs(): number;
  /** Resolves after `ms`, or at once with `'cancelled'` when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<'elapsed' | 'cancelled'>;
  /** Calls `callback` once after `ms`; dispose to cancel. */
  setTimer(ms: number, callback: () => void): { dispose(): void };
}

/** A number in [0, 1), injected wherever jitter is wanted. */
export type Random = () => number;
