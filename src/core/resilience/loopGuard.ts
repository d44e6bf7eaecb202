import type { CallOutcome } from '../../protocol/call.ts';
import { sortedJson } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';

/** A caller that varies its failures without end must not make us grow. */
const MAX_CALLS = 256;

interface Failing {
  readonly count: number;
  readonly last: CallOutcome;
}

/**
 * Counts how often in a row the same call to one server failed, so that a caller that repeats it blindly can be stopped.
 * Any call that succeeds begins the counting anew for all, since it may have changed what the others failed of.
 */
export class LoopGuard {
  private readonly failing = new Map<string, Failing>();

  /** The failures in a row of this very call, when there are `limit` of them or more; `limit` 0 is none. */
  check(key: string, limit: number): Failing | undefined {
    const found = this.failing.get(key);
    return found !== undefined && limit > 0 && found.count >= limit ? found : undefined;
  }

  /** Whether there is anything to check against; the key of a call need not be made where there is not. */
  get isIdle(): boolean {
    return this.failing.size === 0;
  }

  /** Takes note of how a call ended. */
  ended(keyOf: () => string, outcome: CallOutcome): void {
    if (FAILURE_KINDS.has(outcome.kind) && outcome.kind !== 'partial') {
      // What was not sent is no failure of this call, nor a sign that it would succeed.
      if (outcome.attempts.length > 0) {
        const key = keyOf();
        const count = (this.failing.get(key)?.count ?? 0) + 1;
        this.failing.delete(key);
        this.failing.set(key, { count, last: outcome });
        this.forgetOldest();
      }
    } else if (outcome.kind === 'success' || outcome.kind === 'partial') {
      this.failing.clear();
    }
  }

  reset(): void {
    this.failing.clear();
  }

  private forgetOldest(): void {
    if (this.failing.size > MAX_CALLS) {
      const [oldest] = this.failing.keys();
      this.failing.delete(oldest ?? '');
    }
  }
}

/**
 * The same for the same method and arguments, whatever the order of members; `_meta` says nothing of what is asked. Arguments
 * that nest too deeply to be written are all alike.
 */
export function callKey(method: string, params: JsonObject | undefined): string {
  const { _meta: _, ...rest } = params ?? {};
  const text = sortedJson(rest);
  return text === undefined ? method : `${method} ${text}`;
}
