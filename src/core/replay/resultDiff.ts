import { create, type Delta } from 'jsondiffpatch';
import { assertNever } from '../../base/assertNever.ts';
import { pointerStep } from '../../base/jsonPointer.ts';
import { isObject } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { type Comparable, ComparableTable, stepOf } from './comparable.ts';
import { identityOf, listChanges } from './listChanges.ts';
import { type VolatileKind, volatileDifference } from './volatileParts.ts';

export type ChangeKind = 'added' | 'removed' | 'changed' | 'moved';

/** One difference between two answers. */
export interface ResultChange {
  /** RFC 6901, in the answer after; of what was removed, in the one before. */
  readonly pointer: string;
  /** Where `pointer` names a text that is JSON: the pointer within that. */
  readonly inner?: string;
  readonly kind: ChangeKind;
  /** Absent for what was added. */
  readonly before?: JsonValue;
  /** Absent for what was removed. */
  readonly after?: JsonValue;
  /** Of what was moved within its list: its pointer before. */
  readonly from?: string;
  /** It may differ each time: a time, a generated id, a duration, a cursor, a token, or what the caller named. */
  readonly isVolatile: boolean;
  /** What of it is volatile; absent where only the caller says so. */
  readonly volatile?: VolatileKind;
}

export interface ResultDiff {
  /** In the order of the answer after, what was removed where it stood. */
  readonly changes: readonly ResultChange[];
  /** Nothing differs, volatile parts included. JSON is compared by what it says: neither order of members nor spaces count. */
  readonly isSame: boolean;
  /** Nothing differs but volatile parts. */
  readonly isEquivalent: boolean;
  /** Volatile changes that `ignoreVolatile` left out. */
  readonly ignored: number;
  /** Changes beyond `maxChanges`, left out. */
  readonly omitted: number;
  /** Too large or too deep to be compared part by part: one change of the whole stands for all. */
  readonly isCoarse: boolean;
}

export interface DiffOptions {
  /** Leaves volatile changes out; default false: they are marked. */
  readonly ignoreVolatile?: boolean;
  /** More volatile places: RFC 6901 pointers in which a step `*` stands for any; what is below them counts as well. */
  readonly volatileAt?: readonly string[];
  /** Default 1000. */
  readonly maxChanges?: number;
  /** Compares texts that are JSON by what they say; default true. */
  readonly isTextOpened?: boolean;
}

const DEFAULT_MAX_CHANGES = 1000;

/**
 * What differs between two answers, or any two JSON values; `undefined` is an answer that never came. Items of lists are
 * matched by what they are and by their `id`, `uri`, `key` or `name`. Never throws; linear but for short lists.
 */
export function diffResults(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  options: DiffOptions = {},
): ResultDiff {
  if (before === undefined || after === undefined) {
    return summary(oneSided(before, after), false, options);
  }
  const table = new ComparableTable(options.isTextOpened !== false);
  const pair = table.pair(before, after);
  if (pair === undefined) {
    return summary(isSameText(before, after) ? [] : [whole(before, after)], true, options);
  }
  const walk = new Walk(table, isMessage(before) && isMessage(after), options.volatileAt ?? []);
  walk.compare(pair.before, pair.after, ROOT);
  return summary(walk.changes, false, options);
}

function oneSided(before: JsonValue | undefined, after: JsonValue | undefined): readonly ResultChange[] {
  if (before === undefined) {
    return after === undefined ? [] : [{ pointer: '', kind: 'added', after, isVolatile: false }];
  }
  return [{ pointer: '', kind: 'removed', before, isVolatile: false }];
}

function whole(before: JsonValue, after: JsonValue): ResultChange {
  return { pointer: '', kind: 'changed', before, after, isVolatile: false };
}

function summary(all: readonly ResultChange[], isCoarse: boolean, options: DiffOptions): ResultDiff {
  const shown = options.ignoreVolatile === true ? all.filter(({ isVolatile }) => !isVolatile) : all;
  const changes = shown.slice(0, options.maxChanges ?? DEFAULT_MAX_CHANGES);
  return {
    changes,
    isSame: all.length === 0,
    isEquivalent: all.every(({ isVolatile }) => isVolatile),
    ignored: all.length - shown.length,
    omitted: shown.length - changes.length,
    isCoarse,
  };
}

/** Values that are too deep to be written have no text to compare, and count as different. */
function isSameText(before: JsonValue, after: JsonValue): boolean {
  try {
    return JSON.stringify(before) === JSON.stringify(after);
  } catch {
    return false;
  }
}

const isMessage = (value: JsonValue) => isObject(value) && Object.hasOwn(value, 'jsonrpc');

interface Place {
  readonly pointer: string;
  /** Set within a text that is JSON. */
  readonly inner: string | undefined;
  /** Name of the nearest member. */
  readonly name: string | undefined;
}

const ROOT: Place = { pointer: '', inner: undefined, name: undefined };

/** Equal parts are the same object here, so that its matching of items by reference is one by content. */
const patcher = create({ objectHash: identityOf, arrays: { detectMove: true, includeValueOnMove: true } });

type Parts = Readonly<Record<string, Delta>>;

/** Reads the library's deltas, which carry the values before and after themselves. */
class Walk {
  readonly changes: ResultChange[] = [];
  private readonly table: ComparableTable;
  private readonly isOfMessage: boolean;
  private readonly volatileAt: readonly (readonly string[])[];

  constructor(table: ComparableTable, isOfMessage: boolean, volatileAt: readonly string[]) {
    this.table = table;
    this.isOfMessage = isOfMessage;
    this.volatileAt = volatileAt.map((pointer) => pointer.split('/'));
  }

  compare(before: Comparable, after: Comparable, place: Place): void {
    this.take(patcher.diff(before, after), place);
  }

  private take(delta: Delta, place: Place): void {
    if (delta === undefined) {
      return;
    }
    if (!Array.isArray(delta)) {
      const parts = delta as Parts;
      if (Object.hasOwn(parts, '_t')) {
        this.list(parts, place);
      } else {
        for (const [key, part] of Object.entries(parts)) {
          this.take(part, below(place, key));
        }
      }
      return;
    }
    const [first, second] = delta as readonly Comparable[];
    if (delta.length === 1) {
      this.add({ kind: 'added', after: this.original(first) }, place);
    } else if (delta.length === 2) {
      this.add({ kind: 'changed', before: this.original(first), after: this.original(second) }, place);
    } else {
      this.add({ kind: 'removed', before: this.original(first) }, place);
    }
  }

  private list(parts: Parts, place: Place): void {
    for (const change of listChanges(parts)) {
      const at = item(place, change.index);
      switch (change.kind) {
        case 'within':
          this.take(change.delta, at);
          break;
        case 'replaced':
          this.compare(change.before, change.after, at);
          break;
        case 'moved': {
          const from = item(place, change.from);
          const value = this.original(change.value);
          this.add({ kind: 'moved', before: value, after: value, from: from.inner ?? from.pointer }, at);
          break;
        }
        case 'added':
          this.add({ kind: 'added', after: this.original(change.value) }, at);
          break;
        case 'removed':
          this.add({ kind: 'removed', before: this.original(change.value) }, at);
          break;
        default:
          assertNever(change);
      }
    }
  }

  private original(value: Comparable | undefined): JsonValue {
    return value === undefined ? null : this.table.original(value);
  }

  private add(change: Pick<ResultChange, 'kind' | 'before' | 'after' | 'from'>, place: Place): void {
    const { pointer, inner } = place;
    const volatile = this.volatileOf(change, place);
    this.changes.push({
      pointer,
      ...(inner === undefined ? {} : { inner }),
      ...change,
      isVolatile: volatile !== undefined || this.isNamed(`${pointer}${inner ?? ''}`),
      ...(volatile === undefined ? {} : { volatile }),
    });
  }

  private volatileOf(
    { kind, before, after }: Pick<ResultChange, 'kind' | 'before' | 'after'>,
    { pointer, name }: Place,
  ): VolatileKind | undefined {
    if (kind !== 'changed' || before === undefined || after === undefined) {
      return undefined;
    }
    return this.isOfMessage && pointer === '/id' ? 'id' : volatileDifference(name, before, after);
  }

  private isNamed(pointer: string): boolean {
    const steps = pointer.split('/');
    return this.volatileAt.some(
      (named) => named.length <= steps.length && named.every((step, index) => step === '*' || step === steps[index]),
    );
  }
}

function below(place: Place, key: string): Place {
  const step = stepOf(key);
  if (step.kind === 'within') {
    return { ...place, inner: place.inner ?? '' };
  }
  return { ...extended(place, step.name), name: step.name };
}

function item(place: Place, index: number): Place {
  return extended(place, String(index));
}

function extended(place: Place, name: string): Place {
  const step = pointerStep(name);
  return place.inner === undefined
    ? { ...place, pointer: place.pointer + step }
    : { ...place, inner: place.inner + step };
}
