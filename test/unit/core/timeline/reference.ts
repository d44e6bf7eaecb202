import type { Exchange } from '../../../../src/protocol/exchange.ts';
import { FAILURE_KINDS, type OutcomeKind } from '../../../../src/protocol/outcome.ts';

/**
 * What the timeline has to show, in the plainest words: everything is computed anew from an array of objects. Rows are
 * told as `key`, and a head's own first attempt, which is shown under it, as `-key`.
 */
export class ReferenceTimeline {
  private exchanges = new Map<number, Exchange>();
  private readonly expanded = new Set<number>();
  hiddenOutcomes: readonly OutcomeKind[] = [];
  /** Does a chain pass, whatever its outcome is? */
  passes: (chain: readonly Exchange[]) => boolean = () => true;

  apply(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      this.exchanges.set(exchange.key, exchange);
    }
  }

  clear(): void {
    this.exchanges = new Map();
    this.expanded.clear();
  }

  setExpanded(key: number, isExpanded: boolean): void {
    const chain = this.chains().find((rows) => rows.some((row) => row.key === key));
    const head = chain?.[0];
    if (chain !== undefined && head !== undefined && chain.length > 1) {
      isExpanded ? this.expanded.add(head.key) : this.expanded.delete(head.key);
    }
  }

  /** Chains in order, each its rows in order; a row that stands alone is a chain of one. */
  chains(): Exchange[][] {
    const groups = new Map<number, Exchange[]>();
    for (const exchange of [...this.exchanges.values()].sort((a, b) => a.key - b.key)) {
      const group = Math.min(exchange.chain?.head ?? exchange.key, exchange.key);
      groups.set(group, [...(groups.get(group) ?? []), exchange]);
    }
    return [...groups.values()].sort(([a], [b]) => (a?.key ?? 0) - (b?.key ?? 0));
  }

  shownChains(): Exchange[][] {
    return this.chains().filter((chain) => {
      const outcome = outcomeOf(chain.at(-1));
      return !(outcome !== undefined && this.hiddenOutcomes.includes(outcome)) && this.passes(chain);
    });
  }

  visible(): number[] {
    return this.shownChains().flatMap((chain) => this.keysOf(chain));
  }

  recorded(): number {
    return this.chains().flatMap((chain) => this.keysOf(chain)).length;
  }

  counts(): Partial<Record<OutcomeKind, number>> {
    const counts: Partial<Record<OutcomeKind, number>> = {};
    for (const chain of this.chains()) {
      const outcome = outcomeOf(chain.at(-1));
      if (outcome !== undefined) {
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      }
    }
    return counts;
  }

  /** Calls, outcomes and failed heads by server and tool, in the order of their names. */
  tools(): readonly ReferenceTool[] {
    const calls = this.chains().filter(([head]) => head?.method === 'tools/call' && head.target !== undefined);
    const byTool = Map.groupBy(calls, ([head]) => `${head?.server} ${head?.target}`);
    return [...byTool]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, chains]) => {
        const ends = chains.map((chain) => outcomeOf(chain.at(-1))).filter((outcome) => outcome !== undefined);
        const failed = chains.filter((chain) => FAILURE_KINDS.has(outcomeOf(chain.at(-1)) ?? 'success'));
        return {
          name,
          calls: chains.length,
          outcomes: Object.fromEntries([...Map.groupBy(ends, (end) => end)].map(([kind, all]) => [kind, all.length])),
          failed: failed.map(([head]) => head?.key ?? 0),
        };
      });
  }

  /** Chains that failed and ended after `seq`. */
  failuresAfter(seq: number): number {
    return this.chains().filter((chain) => {
      const last = chain.at(-1);
      return FAILURE_KINDS.has(outcomeOf(last) ?? 'success') && (last?.endSeq ?? last?.key ?? 0) > seq;
    }).length;
  }

  retried(): number {
    return this.chains().filter((chain) => chain.length > 1).length;
  }

  span(): { fromUs: number; toUs: number } {
    const chains = this.shownChains();
    return chains.length === 0
      ? { fromUs: 0, toUs: 0 }
      : {
          fromUs: Math.min(...chains.map(([head]) => head?.startUs ?? 0)),
          toUs: Math.max(...chains.flat().map((row) => row.endUs ?? row.startUs)),
        };
  }

  indexOf(key: number): number {
    return this.visible().indexOf(key);
  }

  nextFailure(from: number | undefined, direction: 1 | -1): { key: number; index: number } | undefined {
    const visible = this.visible();
    const chains = this.chains();
    const place = (key: number) => [chains.findIndex((rows) => rows.some((row) => row.key === key)), key] as const;
    const isBefore = (a: number, b: number) => {
      const [[chainA, keyA], [chainB, keyB]] = [place(a), place(b)];
      return chainA < chainB || (chainA === chainB && keyA < keyB);
    };
    const failures = this.shownChains()
      .filter((chain) => FAILURE_KINDS.has(outcomeOf(chain.at(-1)) ?? 'success'))
      .map(([head]) => head?.key ?? 0);
    const ordered = direction === 1 ? failures : failures.toReversed();
    const start = from !== undefined && this.exchanges.has(from) ? from : undefined;
    const key =
      ordered.find(
        (each) => start === undefined || (direction === 1 ? isBefore(start, each) : isBefore(each, start)),
      ) ?? ordered[0];
    return key === undefined ? undefined : { key, index: visible.indexOf(key) };
  }

  private keysOf(chain: readonly Exchange[]): number[] {
    const [head, ...others] = chain.map((row) => row.key);
    const isExpanded = head !== undefined && this.expanded.has(head) && others.length > 0;
    return head === undefined ? [] : isExpanded ? [head, -head, ...others] : [head];
  }
}

export function outcomeOf(exchange: Exchange | undefined): OutcomeKind | undefined {
  return exchange?.verdict?.outcome ?? (exchange?.kind === 'request' ? 'pending' : undefined);
}

export interface ReferenceTool {
  readonly name: string;
  readonly calls: number;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind, number>>>;
  readonly failed: readonly number[];
}
