import type { Delta } from 'jsondiffpatch';
import type { Comparable } from './comparable.ts';

/** What happened to an item of a list; `index` is its place in the list after, of what was removed in the one before. */
export type ListChange =
  | { readonly kind: 'added' | 'removed'; readonly index: number; readonly value: Comparable }
  | { readonly kind: 'moved'; readonly index: number; readonly from: number; readonly value: Comparable }
  /** One item in the place of another that nothing tells apart from it. */
  | { readonly kind: 'replaced'; readonly index: number; readonly before: Comparable; readonly after: Comparable }
  | { readonly kind: 'within'; readonly index: number; readonly delta: Delta };

const IDENTITIES = ['.id', '.uri', '.key', '.name'];

/** What tells an item of a list from its neighbours even when it has changed; `undefined` when nothing does. */
export function identityOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return undefined;
  }
  const members = item as Readonly<Record<string, Comparable>>;
  const key = IDENTITIES.find((each) => typeof members[each] === 'string' || typeof members[each] === 'number');
  return key === undefined ? undefined : `${key} ${members[key]}`;
}

interface Item {
  readonly index: number;
  readonly value: Comparable;
}

const MOVED = 3;

/**
 * The library's delta of a list as changes of its items, in order. What went and what came between the same two neighbours
 * is paired, in order, as long as identities do not tell them apart: an item that changed is one change, not two.
 */
export function listChanges(parts: Readonly<Record<string, Delta>>): readonly ListChange[] {
  const removed: Item[] = [];
  const added: Item[] = [];
  const changes: ListChange[] = [];
  const gone: number[] = [];
  const come: number[] = [];
  for (const [key, delta] of Object.entries(parts)) {
    const index = Number(key.startsWith('_') ? key.slice(1) : key);
    if (key === '_t' || delta === undefined) {
      continue;
    }
    if (!Array.isArray(delta)) {
      changes.push({ kind: 'within', index, delta });
    } else if (!key.startsWith('_')) {
      added.push({ index, value: delta[0] as Comparable });
      come.push(index);
    } else if (delta[2] === MOVED) {
      const to = Number(delta[1]);
      changes.push({ kind: 'moved', index: to, from: index, value: delta[0] as Comparable });
      gone.push(index);
      come.push(to);
    } else {
      removed.push({ index, value: delta[0] as Comparable });
      gone.push(index);
    }
  }
  const gapBefore = gapsOf(gone);
  const gapAfter = gapsOf(come);
  changes.push(...paired(removed, added, gapBefore, gapAfter));
  const gap = (change: ListChange) => (change.kind === 'removed' ? gapBefore : gapAfter)(change.index);
  // Items of a gap come before the neighbour that ends it.
  const order = (change: ListChange) => [gap(change), change.kind === 'within' ? 1 : 0, change.index] as const;
  return changes
    .map((change) => ({ change, order: order(change) }))
    .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.order[2] - b.order[2])
    .map(({ change }) => change);
}

/** How many items that stayed come before an index, given those that did not stay. */
function gapsOf(indices: readonly number[]): (index: number) => number {
  const sorted = [...indices].sort((a, b) => a - b);
  return (index) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return index - low;
  };
}

function paired(
  removed: readonly Item[],
  added: readonly Item[],
  gapBefore: (index: number) => number,
  gapAfter: (index: number) => number,
): readonly ListChange[] {
  const waiting = new Map<number, Item[]>();
  for (const item of added) {
    const gap = gapAfter(item.index);
    const others = waiting.get(gap);
    if (others === undefined) {
      waiting.set(gap, [item]);
    } else {
      others.push(item);
    }
  }
  const changes: ListChange[] = [];
  const taken = new Set<Item>();
  const nextIn = new Map<number, number>();
  for (const item of removed) {
    const gap = gapBefore(item.index);
    const place = nextIn.get(gap) ?? 0;
    const other = waiting.get(gap)?.[place];
    nextIn.set(gap, place + 1);
    if (other === undefined || areToldApart(item.value, other.value)) {
      changes.push({ kind: 'removed', ...item });
    } else {
      taken.add(other);
      changes.push({ kind: 'replaced', index: other.index, before: item.value, after: other.value });
    }
  }
  changes.push(...added.filter((item) => !taken.has(item)).map((item) => ({ kind: 'added' as const, ...item })));
  return changes;
}

function areToldApart(before: Comparable, after: Comparable): boolean {
  const [old, now] = [identityOf(before), identityOf(after)];
  return old !== undefined && now !== undefined && old !== now;
}
