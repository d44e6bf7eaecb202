import { holdsPlaceholder } from '../../core/replay/recordedRequest.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ServerId } from '../../protocol/events.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { chooseServer, isGiven, type ServerOptions } from '../servers.ts';
import type { Terminal } from '../terminal.ts';
import type { RecordedCall } from './recordedCalls.ts';

/** What the command line says of where to send to. */
export interface TargetOptions extends ServerOptions {
  readonly server?: string;
}

/** Where the calls of each recorded server go, and why those of the others go nowhere. */
export interface ReplayTargets {
  readonly definitions: ReadonlyMap<ServerId, ServerDefinition>;
  readonly problems: ReadonlyMap<ServerId, string>;
}

/**
 * Finds the server for each recorded one: the one that the command line describes or names, which is for the calls of one
 * recorded server alone, else the one of the same name in some client's configuration. A sentence when that cannot be.
 */
export async function replayTargets(
  calls: readonly RecordedCall[],
  options: TargetOptions,
  terminal: Terminal,
): Promise<ReplayTargets | { readonly problem: string }> {
  const recorded = [...new Set(calls.map(({ exchange }) => exchange.server))];
  const [first] = recorded;
  if (isGiven(options) || options.server !== undefined) {
    if (recorded.length > 1) {
      const names = recorded.map(nameInId).join(', ');
      return { problem: `calls of several servers would go to one: ${names}; choose by --filter server:NAME` };
    }
    const choice = await chooseServer(options.server ?? (first && nameInId(first)), options, terminal);
    return 'problem' in choice || first === undefined
      ? { problem: 'problem' in choice ? choice.problem : 'there is nothing to replay' }
      : { definitions: new Map([[first, choice.definition]]), problems: new Map() };
  }
  const definitions = new Map<ServerId, ServerDefinition>();
  const problems = new Map<ServerId, string>();
  for (const server of recorded) {
    const choice = await chooseServer(nameInId(server), options, terminal);
    if ('definition' in choice) {
      definitions.set(server, choice.definition);
    } else {
      const url = calls.find(({ exchange, url: posted }) => exchange.server === server && isUsable(posted))?.url;
      problems.set(server, `${choice.problem}${url === undefined ? '' : `; it was recorded at --url ${url}`}`);
    }
  }
  return { definitions, problems };
}

/** An address with nothing secret left out of it. */
function isUsable(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && !holdsPlaceholder(url) && !/%5Bredacted/i.test(url);
}
