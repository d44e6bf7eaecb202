import type { Clock } from '../../../base/clock.ts';
import { nameInId } from '../../../protocol/serverId.ts';
import type { HttpWireFaults, StdioWireFaults } from '../../transport/wireFaults.ts';
import { createFaultEngine, type FaultEngine } from './engine.ts';
import type { FaultPlan } from './plan.ts';
import { httpWireFaults, stdioWireFaults } from './wireFaults.ts';

/** Faults of our own client, by server. */
export interface FaultSource {
  /** For a wire to this server that is about to be made; `undefined` where none are to be injected. */
  stdio(server: string): StdioWireFaults | undefined;
  http(server: string): HttpWireFaults | undefined;
}

export interface FaultSourceOptions {
  readonly plan: FaultPlan;
  readonly seed?: number | undefined;
  readonly clock: Clock;
  /** Ids of the servers that are meant; all when absent. */
  readonly servers?: ReadonlySet<string> | undefined;
  /** Names of the tools that are meant, beside what the rules say; all when absent. */
  readonly tools?: ReadonlySet<string> | undefined;
}

/**
 * Faults for the wires of our own client, until they are turned off, which wires that are open obey at once. One engine a
 * server, so that counts go on over a reconnection. A server is known to rules by its id and by its name, `<source>:<name>`.
 */
export function createFaultSource(options: FaultSourceOptions): FaultSource & { turnOff(): void } {
  const { plan, seed, clock, servers, tools } = options;
  const engines = new Map<string, FaultEngine>();
  let isOn = true;

  function engineOf(server: string, transport: 'stdio' | 'http'): FaultEngine | undefined {
    if (!isOn || servers?.has(server) === false) {
      return undefined;
    }
    const names = [server, nameInId(server)];
    const known = engines.get(server) ?? createFaultEngine({ plan, seed, transport, server: names, clock });
    engines.set(server, known);
    return {
      decide: (subject) =>
        isOn && (tools === undefined || (subject.tool !== undefined && tools.has(subject.tool)))
          ? known.decide(subject)
          : [],
    };
  }

  return {
    stdio(server) {
      const engine = engineOf(server, 'stdio');
      return engine === undefined ? undefined : stdioWireFaults(engine, clock);
    },
    http(server) {
      const engine = engineOf(server, 'http');
      return engine === undefined ? undefined : httpWireFaults(engine, clock);
    },
    turnOff() {
      isOn = false;
    },
  };
}
