import { Correlator } from '../core/classify/correlate.ts';
import { judge } from '../core/classify/judge.ts';
import { type PoolOptions, ServerPool } from '../core/client/pool.ts';
import { createStdioWire } from '../core/transport/stdioWire.ts';

// Its own bundle, loaded at the first connection or the first look at the timeline: activation needs none of it.

/** A projection of the log that starts from nothing. */
export function createCorrelator(): Correlator {
  return new Correlator(judge);
}

/** The pool on real processes and sockets. */
export function createPool(options: Omit<PoolOptions, 'judge' | 'wires' | 'loadEngine'>): ServerPool {
  return new ServerPool({
    ...options,
    judge,
    wires: {
      stdio: (wire) => createStdioWire(wire),
      http: async (wire) => (await import('../core/transport/httpWire.ts')).createHttpWire(wire),
    },
    loadEngine: () => import('../core/client/sdkEngine.ts'),
  });
}
