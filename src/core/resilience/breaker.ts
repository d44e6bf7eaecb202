import { ConsecutiveBreaker } from 'cockatiel';
import type { Clock } from '../../base/clock.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { LifecycleStep } from '../../protocol/events.ts';
import { type Backoff, firstBackoff } from './backoff.ts';
import type { RetrySettings } from './policy.ts';

/** What one ended attempt says of whether its server can be reached. */
export type Reachability = 'reached' | 'failed' | 'unknown';

type BreakerStep = Extract<LifecycleStep, { step: 'breaker' }>;

type State =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly untilUs: number; readonly backoff: Backoff }
  /** One call is on its way; the others wait for what becomes of it. */
  | { readonly kind: 'half-open'; readonly backoff: Backoff };

export interface BreakerOptions {
  readonly clock: Clock;
  readonly settings: () => Pick<RetrySettings, 'breakerFailures' | 'breakerOpenMs' | 'capMs'>;
  /** Told of each change. */
  onDidChange(step: BreakerStep): void;
}

/** Leave to send, or how long to wait for it at least, ms; 0 while the one call that is let through is not decided. */
export type Admission = { readonly isAdmitted: true } | { readonly isAdmitted: false; readonly retryInMs: number };

const ADMITTED: Admission = { isAdmitted: true };

/**
 * Keeps calls from a server that cannot be reached: opens after transport failures in a row, lets one call through when its
 * time has come, and closes when that one reaches the server. The counting and the waits are the library's; its policy is
 * not used, since that reads the system's clock, makes calls wait for the one instead of answering them, and knows failures
 * as exceptions only.
 */
export class Breaker {
  private readonly options: BreakerOptions;
  private counter: ConsecutiveBreaker;
  private state: State = { kind: 'closed' };
  private lastIncident: string | undefined;

  constructor(options: BreakerOptions) {
    this.options = options;
    this.counter = this.newCounter();
  }

  /** Whether a further attempt would be refused now. */
  get isOpen(): boolean {
    return this.state.kind === 'open' && this.state.untilUs > this.options.clock.monoUs();
  }

  /** Asked before each attempt. An admitted one must be followed by `ended`. */
  admit(): Admission {
    switch (this.state.kind) {
      case 'closed':
        return ADMITTED;
      case 'half-open':
        return { isAdmitted: false, retryInMs: 0 };
      case 'open': {
        const leftMs = (this.state.untilUs - this.options.clock.monoUs()) / 1000;
        if (leftMs > 0) {
          return { isAdmitted: false, retryInMs: Math.ceil(leftMs) };
        }
        this.state = { kind: 'half-open', backoff: this.state.backoff };
        this.options.onDidChange({ step: 'breaker', state: 'half-open' });
        return ADMITTED;
      }
    }
  }

  /**
   * How an admitted attempt ended. Failures of one `incident`, such as the end of a process with many calls in flight, count as
   * one.
   */
  ended(reachability: Reachability, incident: string): void {
    const { state } = this;
    if (reachability === 'reached') {
      this.counter.success();
      this.close();
    } else if (state.kind === 'half-open') {
      // One that tells nothing (a cancel, say) leaves it to the next.
      this.open(reachability === 'failed' ? state.backoff.next(undefined) : state.backoff, reachability === 'unknown');
    } else if (reachability === 'failed' && state.kind === 'closed' && incident !== this.lastIncident) {
      this.lastIncident = incident;
      const { breakerFailures, breakerOpenMs, capMs } = this.options.settings();
      const { state: failures } = this.counter;
      // The threshold may have been changed since the last one.
      this.counter = this.newCounter();
      this.counter.state = failures;
      if (this.counter.failure() && breakerFailures > 0) {
        const shape = {
          maxAttempts: 1,
          baseMs: breakerOpenMs,
          factor: 2,
          capMs: Math.max(capMs, breakerOpenMs),
          jitter: 0,
        };
        this.open(
          firstBackoff(shape, () => 0),
          false,
        );
      }
    }
  }

  /** Somebody has restarted the server: what was counted says nothing of it any more. */
  reset(): void {
    this.counter = this.newCounter();
    this.close();
  }

  private newCounter(): ConsecutiveBreaker {
    return new ConsecutiveBreaker(Math.max(1, this.options.settings().breakerFailures));
  }

  private open(backoff: Backoff, atOnce: boolean): void {
    const retryInMs = atOnce ? 0 : backoff.duration;
    this.state = { kind: 'open', untilUs: this.options.clock.monoUs() + retryInMs * 1000, backoff };
    this.options.onDidChange({ step: 'breaker', state: 'open', retryInMs, failures: this.counter.state });
  }

  private close(): void {
    if (this.state.kind !== 'closed') {
      this.state = { kind: 'closed' };
      this.options.onDidChange({ step: 'breaker', state: 'closed' });
    }
  }
}

/** Any answer reaches the server, also one that refuses; of failures, those that say that nobody was there. */
export function reachabilityOf(end: RawEnd): Reachability {
  switch (end.kind) {
    case 'result':
    case 'invalid':
      return 'reached';
    case 'error':
      return isServerTrouble(end.httpStatus) ? 'failed' : 'reached';
    case 'timeout':
      return end.progressSeen ? 'reached' : 'unknown';
    case 'cancelled':
      return 'unknown';
    case 'transport':
      switch (end.failure.reason) {
        case 'session-lost':
        case 'unauthorized':
        case 'not-json-rpc':
        case 'accepted-without-answer':
          return 'reached';
        case 'closed':
        case 'unavailable':
          return 'unknown';
        case 'http-status':
          return isServerTrouble(end.failure.status) ? 'failed' : 'reached';
        default:
          return 'failed';
      }
  }
}

function isServerTrouble(status: number | undefined): boolean {
  return status === 502 || status === 503 || status === 504;
}
