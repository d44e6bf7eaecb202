import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import { BoundedMap } from '../classify/boundedMap.ts';
import { get, getString } from '../classify/json.ts';
import { answerIn } from './failureText.ts';

const MAX_SERVERS = 256;
const MAX_TOOLS = 5000;
/** A name beyond this is no name that anybody called. */
const MAX_NAME = 300;

/** What a server says of one of its tools in `tools/list`. */
export interface ListedTool {
  /** Names of hints that would tell whether a call may be repeated, and that are not given. */
  readonly missing: readonly string[];
  /** It says that repeating a call is harmless (2025-11-25, "Tool Annotations"). */
  readonly isRepeatable: boolean;
}

interface ServerTools {
  readonly server: string;
  readonly tools: Map<string, ListedTool>;
}

/** The tools of each server as it last listed them. Bounded. */
export class ListedTools {
  private readonly servers = new BoundedMap<string, ServerTools>(MAX_SERVERS);

  /** Takes a snapshot of an exchange and the event that changed it; only answers to `tools/list` are of interest. */
  push({ method, initiator, server, verdict, requestId, endSeq }: Exchange, { seq, body }: LogEvent): void {
    const isListing = method === 'tools/list' && initiator === 'client' && verdict?.outcome === 'success';
    if (!isListing || body.kind !== 'message' || Math.floor(endSeq ?? -1) !== seq) {
      return;
    }
    const answer = answerIn(body.raw, requestId);
    const result = answer === undefined ? undefined : get(answer, 'result');
    const tools = isObject(result) ? get(result, 'tools') : undefined;
    const known = this.toolsOf(server);
    for (const tool of isArray(tools) ? tools : []) {
      const name = isObject(tool) ? getString(tool, 'name') : undefined;
      if (isObject(tool) && name !== undefined && name.length <= MAX_NAME) {
        if (known.size < MAX_TOOLS || known.has(name)) {
          known.set(name, listedTool(get(tool, 'annotations')));
        }
      }
    }
  }

  of(server: string, tool: string): ListedTool | undefined {
    return this.servers.get(server)?.tools.get(tool);
  }

  /** Servers with their tools, in the order in which they were listed. */
  all(): readonly { readonly server: string; readonly tools: readonly string[] }[] {
    return [...this.servers.values()].map(({ server, tools }) => ({ server, tools: [...tools.keys()] }));
  }

  private toolsOf(server: string): Map<string, ListedTool> {
    const known = this.servers.get(server) ?? { server, tools: new Map<string, ListedTool>() };
    this.servers.set(server, known);
    return known.tools;
  }
}

function listedTool(annotations: ReturnType<typeof get>): ListedTool {
  const hint = (name: string) => {
    const value = isObject(annotations) ? get(annotations, name) : undefined;
    return typeof value === 'boolean' ? value : undefined;
  };
  const isReadOnly = hint('readOnlyHint');
  const isIdempotent = hint('idempotentHint');
  return {
    missing: [
      ...(isReadOnly === undefined ? ['readOnlyHint'] : []),
      // It means something only of a tool that changes something.
      ...(isIdempotent === undefined && isReadOnly !== true ? ['idempotentHint'] : []),
    ],
    isRepeatable: isReadOnly === true || isIdempotent === true,
  };
}
