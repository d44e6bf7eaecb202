import { compileFilter, type FilterContext } from '../../../../src/core/timeline/filter/compile.ts';
import { parseFilter } from '../../../../src/core/timeline/filter/parse.ts';
import type { FilterSpec } from '../../../../src/core/timeline/rowFilter.ts';
import type { ChainId, ConnectionId, ServerId, SessionId } from '../../../../src/protocol/events.ts';
import type { Exchange } from '../../../../src/protocol/exchange.ts';
import type { OutcomeKind, Verdict } from '../../../../src/protocol/outcome.ts';

export function exchange(key: number, overrides: Partial<Exchange> = {}): Exchange {
  return {
    key,
    kind: 'request',
    session: 'session-1' as SessionId,
    server: 'test:shop' as ServerId,
    connection: 'connection-1' as ConnectionId,
    origin: 'client',
    initiator: 'client',
    startUs: 1_700_000_000_000_000 + key * 1000,
    method: 'tools/call',
    related: [],
    bytes: 100,
    verdict: undefined,
    marks: [],
    ...overrides,
  };
}

export function verdict(outcome: OutcomeKind): Verdict {
  return { outcome, retry: 'never', signals: [] };
}

/** An attempt of the chain that begins with the exchange `head`. */
export function attempt(key: number, head: number, number: number, overrides: Partial<Exchange> = {}): Exchange {
  const chain = { id: `chain-${head}` as ChainId, head, attempt: number, maxAttempts: 3, delayMs: 0, reason: '' };
  return exchange(key, { chain, ...overrides });
}

/** mulberry32: the same numbers in [0, 1) for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The filter that a text stands for, which has to be a good one. */
export function filterOf(
  text: string,
  hiddenOutcomes: readonly OutcomeKind[] = [],
  context: FilterContext = { nowUs: 0 },
): FilterSpec {
  const parsed = parseFilter(text);
  if (parsed.kind === 'error') {
    throw new Error(`${text}: ${JSON.stringify(parsed.error)}`);
  }
  return { hiddenOutcomes, text, bind: (table) => compileFilter(parsed.root, table, context) };
}
