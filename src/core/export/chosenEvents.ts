import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';

/** Methods whose exchanges go with those that were chosen: they tell what the server is and what its tools promise. */
const CONTEXT_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'tools/list',
  'connect',
]);

/**
 * Which events are needed to project the chosen exchanges again: their own, those of their chains, and what their
 * connections began with. `all` are the exchanges of the same recording, among which the latter are found.
 */
export function chosenEvents(chosen: readonly Exchange[], all: Iterable<Exchange>): (event: LogEvent) => boolean {
  const connections = new Set(chosen.map(({ connection }) => connection));
  const chains = new Set(chosen.flatMap(({ chain }) => (chain === undefined ? [] : [chain.id])));
  const seqs = new Set<number>();
  const add = ({ key, endSeq, related }: Exchange) => {
    // A message of a batch has a key just above its event's `seq`.
    for (const seq of [key, endSeq ?? key, ...related]) {
      seqs.add(Math.floor(seq));
    }
  };
  chosen.forEach(add);
  for (const exchange of all) {
    if (CONTEXT_METHODS.has(exchange.method) && connections.has(exchange.connection)) {
      add(exchange);
    }
  }
  return ({ seq, connection, body }) => {
    switch (body.kind) {
      case 'lifecycle':
      case 'stderr':
        return connections.has(connection);
      case 'attempt':
        return chains.has(body.chain);
      default:
        return seqs.has(seq);
    }
  };
}
