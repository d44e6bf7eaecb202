import { sumOfOutcomes, type ToolTally } from '../../core/timeline/toolTallies.ts';
import { isLaunched } from '../lint/launchedFile.ts';

/** What is known of a tool that a file defines. */
export interface LensTally {
  /** The one server that the file is known to be of, or that alone has such a tool; absent when that is not clear. */
  readonly server?: string;
  /** All calls together; absent when there was none. */
  readonly tally?: ToolTally;
}

/**
 * The calls of the tool `name` that the file at `path` defines: those to the servers that the file is started for, or to
 * any server where none is known to be started from it. `launchOf` gives the words that start a server.
 */
export function lensTally(
  name: string,
  path: string,
  tallies: readonly ToolTally[],
  servers: readonly string[],
  launchOf: (server: string) => readonly string[],
): LensTally {
  const launched = servers.filter((server) => launchOf(server).some((word) => isLaunched(word, path)));
  const named = tallies.filter(({ tool }) => tool === name);
  const own = launched.length === 0 ? named : named.filter(({ server }) => launched.includes(server));
  const candidates = launched.length > 0 ? launched : [...new Set(own.map(({ server }) => server))];
  const [server] = candidates;
  const tally = own.reduce<ToolTally | undefined>(together, undefined);
  return {
    ...(candidates.length !== 1 || server === undefined ? {} : { server }),
    ...(tally === undefined ? {} : { tally }),
  };
}

/** Two tallies as one. Of the 95th percentiles the larger: the true one of both is not larger than that. */
function together(a: ToolTally | undefined, b: ToolTally): ToolTally {
  if (a === undefined) {
    return b;
  }
  const p95Ms = largest(a.p95Ms, b.p95Ms);
  const lastFailure = largest(a.lastFailure, b.lastFailure);
  return {
    server: a.server,
    tool: a.tool,
    calls: a.calls + b.calls,
    outcomes: sumOfOutcomes([a.outcomes, b.outcomes]),
    ...(p95Ms === undefined ? {} : { p95Ms }),
    ...(lastFailure === undefined ? {} : { lastFailure }),
  };
}

function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
