import { setImmediate } from 'node:timers/promises';
import type { LogStore } from './store.ts';

/** Events a step: a few milliseconds, between which the host does what it has to. */
const STEP_EVENTS = 10_000;

/** `EventLog.search` over a store, from the newest event to the oldest. */
export async function searchLog(
  store: LogStore,
  text: string,
  { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal },
): Promise<readonly number[]> {
  const found: number[] = [];
  const first = text === '' ? undefined : store.read({ limit: 1 })[0]?.seq;
  if (first === undefined) {
    return found;
  }
  for (let to = store.lastSeq(); to >= first && found.length < limit && signal?.aborted !== true; to -= STEP_EVENTS) {
    found.push(...store.search(text, Math.max(first, to - STEP_EVENTS + 1), to, limit - found.length));
    await setImmediate();
  }
  return found;
}
