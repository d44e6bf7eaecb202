import { BehaviourIndex } from '../core/classify/behaviour/behaviourIndex.ts';
import { BehaviourTracker } from '../core/classify/behaviour/behaviourTracker.ts';
import { BoundedMap } from '../core/classify/boundedMap.ts';
import { Correlator } from '../core/classify/correlate.ts';
import { judge } from '../core/classify/judge.ts';
import { type PoolOptions, ServerPool } from '../core/client/pool.ts';
import type { FaultSource } from '../core/passthrough/faults/faultSource.ts';
import { AgentTracker } from '../core/report/agentTracker.ts';
import { createStdioWire } from '../core/transport/stdioWire.ts';
import type { Behaviour } from '../protocol/behaviour.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Exchange } from '../protocol/exchange.ts';
import type { AgentVerdict } from '../protocol/report.ts';

// Its own bundle, loaded at the first connection or the first look at the timeline: activation needs none of it.

/** Loops and possible duplicates that a person may still want to look at. */
const MAX_RECENT = 200;

/** A projection of the log that starts from nothing. */
export function createCorrelator(): Correlator {
  return new Correlator(judge);
}

/** Takes snapshots of exchanges in order; tells the behaviours that an exchange is part of. */
export interface Behaviours {
  /** `event` is the one that made the snapshots. */
  apply(event: LogEvent, exchanges: readonly Exchange[]): void;
  of(key: number): readonly Behaviour[];
  /** The newest that are worth a finding, one a loop; the oldest first. Bounded. */
  recent(): readonly Behaviour[];
  /** How each client's agent dealt with failures in each session; the newest of them alone. */
  verdicts(): readonly AgentVerdict[];
}

/** What callers do, found in the exchanges of a projection. `loopLimit`: calls alike in a row that make a loop. */
export function createBehaviours(loopLimit?: number): Behaviours {
  const tracker = new BehaviourTracker(loopLimit === undefined ? {} : { loopLimit });
  const index = new BehaviourIndex();
  const agents = new AgentTracker();
  const recent = new BoundedMap<string, Behaviour>(MAX_RECENT);
  return {
    apply(event, exchanges) {
      for (const exchange of exchanges) {
        const found = tracker.push(exchange);
        agents.push(event, exchange, found);
        for (const behaviour of found) {
          index.add(behaviour);
          if (behaviour.kind === 'loop' || behaviour.kind === 'possible_duplicate') {
            recent.set(behaviour.id, behaviour);
          }
        }
      }
    },
    of: (key) => index.of(key),
    recent: () => [...recent.values()],
    verdicts: () => agents.verdicts(),
  };
}

/** The pool on real processes and sockets. */
export function createPool({
  faults,
  ...options
}: Omit<PoolOptions, 'judge' | 'wires' | 'loadEngine'> & {
  /** Faults that are injected on purpose now; asked for each wire that is made. */
  readonly faults?: () => FaultSource | undefined;
}): ServerPool {
  return new ServerPool({
    ...options,
    judge,
    wires: {
      stdio: (wire) => createStdioWire({ ...wire, faults: faults?.()?.stdio(wire.context.server) }),
      http: async (wire) =>
        (await import('../core/transport/httpWire.ts')).createHttpWire({
          ...wire,
          faults: faults?.()?.http(wire.context.server),
        }),
    },
    loadEngine: () => import('../core/client/sdkEngine.ts'),
  });
}
