import { isArray } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { jsonWithin } from './jsonWithin.ts';

/** Limits beyond which two answers are not compared part by part. */
const MAX_NODES = 200_000;
const MAX_DEPTH = 200;

/** Longest list whose items are matched wherever they stand; matching takes the product of the lengths. */
const MAX_MATCHED_ITEMS = 500;

/** First character of a member's name, so that no name (`__proto__`, `_t`) can mean anything to the library. */
const MEMBER = '.';
/** First character of an index where lists are compared place by place. */
const PLACE = '#';
/** The one member of what stands for a text that holds JSON. */
const WITHIN = '"';

/** A value as it is compared: equal values are the same object. */
export type Comparable =
  | null
  | boolean
  | number
  | string
  | readonly Comparable[]
  | { readonly [key: string]: Comparable };

/** The step that a key of a comparable object stands for. */
export type Step = { readonly kind: 'member'; readonly name: string } | { readonly kind: 'within' };

/** Tells keys of comparable objects back. */
export function stepOf(key: string): Step {
  return key === WITHIN ? { kind: 'within' } : { kind: 'member', name: key.slice(1) };
}

/** Too large or too deep to be compared part by part. */
class TooLarge extends Error {}

/**
 * Makes two values comparable: equal parts become the same object, whatever the order of their members, so that a diff
 * stops at them at once; a text that is a JSON object or list is opened. Linear in the values.
 */
export class ComparableTable {
  private readonly known = new Map<string, { readonly id: number; readonly value: object }>();
  private readonly ids = new WeakMap<object, number>();
  private readonly originals = new WeakMap<object, JsonValue>();
  private readonly isTextOpened: boolean;
  private isByPlace = false;
  private nodes = 0;

  constructor(isTextOpened: boolean) {
    this.isTextOpened = isTextOpened;
  }

  /** Both values, or `undefined` when they are too large. */
  pair(before: JsonValue, after: JsonValue): { readonly before: Comparable; readonly after: Comparable } | undefined {
    try {
      const longest = Math.max(this.measure(before, 0), this.measure(after, 0));
      this.isByPlace = longest > MAX_MATCHED_ITEMS;
      return { before: this.from(before), after: this.from(after) };
    } catch (error) {
      if (error instanceof TooLarge) {
        return undefined;
      }
      throw error;
    }
  }

  /** The value that a comparable one was made of. */
  original(value: Comparable): JsonValue {
    return typeof value === 'object' && value !== null ? (this.originals.get(value) ?? null) : value;
  }

  /** Length of the longest list in it. */
  private measure(value: JsonValue, depth: number): number {
    this.nodes += 1;
    if (this.nodes > MAX_NODES || depth > MAX_DEPTH) {
      throw new TooLarge();
    }
    if (typeof value === 'string') {
      const opened = this.open(value);
      return opened === undefined ? 0 : this.measure(opened, depth + 1);
    }
    if (typeof value !== 'object' || value === null) {
      return 0;
    }
    let longest = Array.isArray(value) ? value.length : 0;
    for (const item of Array.isArray(value) ? value : Object.values(value)) {
      longest = Math.max(longest, this.measure(item, depth + 1));
    }
    return longest;
  }

  private from(value: JsonValue): Comparable {
    if (typeof value === 'string') {
      const opened = this.open(value);
      return opened === undefined ? value : this.shared([[WITHIN, this.from(opened)]], value);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    if (!isArray(value)) {
      const members = Object.keys(value).map((name) => [MEMBER + name, this.from(member(value, name))] as const);
      return this.shared(
        members.sort(([a], [b]) => (a < b ? -1 : 1)),
        value,
      );
    }
    return this.isByPlace
      ? this.shared(
          value.map((item, index) => [`${PLACE}${index}`, this.from(item)] as const),
          value,
        )
      : this.sharedList(
          value.map((item) => this.from(item)),
          value,
        );
  }

  private open(text: string): JsonValue | undefined {
    return this.isTextOpened ? jsonWithin(text) : undefined;
  }

  private shared(members: readonly (readonly [string, Comparable])[], original: JsonValue): Comparable {
    const signature = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${this.signOf(value)}`).join(',')}`;
    return this.remember(signature, () => Object.fromEntries(members), original) as Comparable;
  }

  private sharedList(items: readonly Comparable[], original: JsonValue): Comparable {
    const signature = `[${items.map((item) => this.signOf(item)).join(',')}`;
    return this.remember(signature, () => items, original) as Comparable;
  }

  private signOf(value: Comparable): string {
    return typeof value === 'object' && value !== null ? `@${this.ids.get(value)}` : JSON.stringify(value);
  }

  private remember(signature: string, make: () => object, original: JsonValue): object {
    const known = this.known.get(signature);
    if (known !== undefined) {
      return known.value;
    }
    const value = make();
    this.ids.set(value, this.known.size);
    this.known.set(signature, { id: this.known.size, value });
    this.originals.set(value, original);
    return value;
  }
}

function member(object: JsonObject, name: string): JsonValue {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}
