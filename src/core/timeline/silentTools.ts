import { Emitter, type Event } from '../../base/event.ts';
import type { Exchange } from '../../protocol/exchange.ts';

/** A tool that was seen passing failures off as successes. */
export interface SilentTool {
  readonly server: string;
  readonly tool: string;
  readonly count: number;
  /** Wall time of the newest, µs. */
  readonly lastUs: number;
  /** Key of the newest. */
  readonly lastKey: number;
}

/** Silent errors of tools of one name, over all servers; the name is that of the tool with the newest. */
export type SilentCalls = Omit<SilentTool, 'server'>;

interface Tally {
  readonly server: string;
  readonly tool: string;
  /** Start of each call by its key, in the order in which they were judged. */
  readonly seen: Map<number, number>;
}

/** Counts silent errors by tool. A call that is judged anew moves. */
export class SilentTools {
  private readonly changed = new Emitter<void>();
  /** Fires once after each call that changed a count. */
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly tallies = new Map<string, Tally>();
  private readonly tallyOf = new Map<number, Tally>();

  /** Takes in new exchanges and new snapshots of known ones; a later one of the same key wins. */
  apply(exchanges: readonly Exchange[]): void {
    let isChanged = false;
    for (const exchange of exchanges) {
      const isSilent =
        exchange.method === 'tools/call' &&
        exchange.target !== undefined &&
        exchange.verdict?.outcome === 'silent_error';
      const known = this.tallyOf.get(exchange.key);
      if (isSilent && known === undefined) {
        const tally = this.tally(exchange.server, exchange.target);
        tally.seen.set(exchange.key, exchange.startUs);
        this.tallyOf.set(exchange.key, tally);
        isChanged = true;
      } else if (!isSilent && known !== undefined) {
        known.seen.delete(exchange.key);
        this.tallyOf.delete(exchange.key);
        isChanged = true;
      }
    }
    if (isChanged) {
      this.changed.fire();
    }
  }

  clear(): void {
    this.tallies.clear();
    this.tallyOf.clear();
    this.changed.fire();
  }

  /** Every tool with at least one, in the order in which they were first seen. O(silent errors). */
  all(): readonly SilentTool[] {
    return [...this.tallies.values()].flatMap(({ server, tool, seen }) => {
      let lastKey = 0;
      let lastUs = -1;
      for (const [key, startUs] of seen) {
        if (startUs >= lastUs) {
          lastKey = key;
          lastUs = startUs;
        }
      }
      return seen.size === 0 ? [] : [{ server, tool, count: seen.size, lastUs, lastKey }];
    });
  }

  private tally(server: string, tool: string): Tally {
    const id = JSON.stringify([server, tool]);
    const known = this.tallies.get(id);
    if (known !== undefined) {
      return known;
    }
    const made = { server, tool, seen: new Map<number, number>() };
    this.tallies.set(id, made);
    return made;
  }
}

/** Silent errors by the tool's name, over all servers: source code knows tools by no more than that. */
export class SilentByName {
  private readonly byName = new Map<string, SilentCalls>();

  constructor(silent: SilentTools) {
    for (const { server: _, ...calls } of silent.all()) {
      this.byName.set(calls.tool, joined(this.byName.get(calls.tool), calls));
    }
  }

  /** Tools with at least one. */
  get size(): number {
    return this.byName.size;
  }

  /** Of all these tools together; `undefined` when none of them was seen failing silently. */
  of(names: readonly string[]): SilentCalls | undefined {
    return names.reduce<SilentCalls | undefined>((sum, name) => {
      const calls = this.byName.get(name);
      return calls === undefined ? sum : joined(sum, calls);
    }, undefined);
  }
}

function joined(a: SilentCalls | undefined, b: SilentCalls): SilentCalls {
  return a === undefined ? b : { ...(a.lastUs >= b.lastUs ? a : b), count: a.count + b.count };
}
