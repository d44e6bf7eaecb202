import type { ServerId } from '../../../protocol/events.ts';
import { BoundedMap } from '../boundedMap.ts';
import { Groups } from './groups.ts';
import { ToolMemory } from './toolMemory.ts';

const SERVERS = 256;
const TOOLS = 1000;

/** A tool as it was last listed: hashes of its parts. */
export interface ListedDefinition {
  readonly description: string;
  readonly input: string;
  readonly output: string;
  readonly annotations: string;
}

/** A whole listing of tools, over all its pages, in order. */
export type ToolListing = ReadonlyMap<string, ListedDefinition>;

/** What is remembered of a server over all its connections and sessions. Bounded. */
export class ServerMemory {
  readonly groups = new Groups();
  /** The last whole listing. */
  listing: ToolListing | undefined;
  private readonly tools = new BoundedMap<string, ToolMemory>(TOOLS);

  /** Of the tool `target`, or of the method itself when it has none; begun when it is asked for first. */
  of(method: string, target: string | undefined): ToolMemory {
    const key = method === 'tools/call' ? `tool ${target ?? ''}` : method;
    const known = this.tools.get(key);
    if (known !== undefined) {
      return known;
    }
    const memory = new ToolMemory();
    this.tools.set(key, memory);
    return memory;
  }

  /** What is held, in things that grow with traffic. */
  get size(): number {
    return this.tools.size + this.groups.size + (this.listing?.size ?? 0);
  }
}

/** The memories of all servers, the most recent ones. */
export class ServerMemories {
  private readonly servers = new BoundedMap<ServerId, ServerMemory>(SERVERS);

  of(server: ServerId): ServerMemory {
    const known = this.servers.get(server);
    if (known !== undefined) {
      return known;
    }
    const memory = new ServerMemory();
    this.servers.set(server, memory);
    return memory;
  }

  /** See `ServerMemory.size`. */
  get size(): number {
    let size = 0;
    for (const memory of this.servers.values()) {
      size += memory.size;
    }
    return size;
  }
}
