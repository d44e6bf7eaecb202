import type { TextArgs } from '../../base/text.ts';
import type { RawEnd } from '../../protocol/call.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { numberOf, stringOf } from './json.ts';

/** Something that is missing from a listing, and why. `code` names a sentence in `protocol/texts.ts`. */
export interface ListingProblem {
  readonly code: string;
  readonly args: TextArgs;
}

/** What a server lists, as far as it could be read. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** False when a page failed, paging came to no end, or nothing has been read yet. */
  readonly isComplete: boolean;
  readonly problems: readonly ListingProblem[];
  /** How long the server says that it holds (2026-07-28, "Caching"), ms from its reading; absent when it says nothing. */
  readonly ttlMs?: number;
}

export interface ListingSpec<Item extends object> {
  readonly method: string;
  /** Of the result. */
  readonly member: string;
  /** The item, or why it cannot be taken. */
  read(value: JsonObject): Item | ListingProblem;
  /** What tells items apart. */
  key(item: Item): string;
}

/** A reading, with the end of the page that cut it short. */
export interface ListingRead<Item> {
  readonly listing: Listing<Item>;
  readonly failedWith?: RawEnd;
}

/** A server whose cursors never converge must not hold us for ever. */
const MAX_PAGES = 100;
const MAX_PROBLEMS = 20;

export const NOTHING_READ: Listing<never> = { items: [], isComplete: false, problems: [] };

/**
 * Reads a list page by page, since a page that fails must not cost those before it, nor an item those beside it. `ask` sends
 * one request. An empty string is a cursor like any other (specification, "Pagination"); one that is refused makes the
 * reading begin anew, once.
 */
export async function readListing<Item extends object>(
  spec: ListingSpec<Item>,
  ask: (params: JsonObject) => Promise<RawEnd>,
): Promise<ListingRead<Item>> {
  const first = await walk(spec, ask);
  const { failedWith } = first;
  const isStaleCursor = failedWith?.kind === 'error' && failedWith.error.code === -32602 && first.pages > 0;
  const read = isStaleCursor ? longer(first, await walk(spec, ask)) : first;
  return {
    listing: read.listing,
    ...(read.failedWith === undefined ? {} : { failedWith: read.failedWith }),
  };
}

interface Walk<Item> extends ListingRead<Item> {
  readonly pages: number;
}

function longer<Item>(a: Walk<Item>, b: Walk<Item>): Walk<Item> {
  return b.listing.isComplete || b.listing.items.length >= a.listing.items.length ? b : a;
}

async function walk<Item extends object>(
  spec: ListingSpec<Item>,
  ask: (params: JsonObject) => Promise<RawEnd>,
): Promise<Walk<Item>> {
  const items = new Map<string, Item>();
  const problems: ListingProblem[] = [];
  const cursors = new Set<string>();
  let ttlMs: number | undefined;
  let cursor: string | undefined;
  const done = (pages: number, isComplete: boolean, why?: ListingProblem, failedWith?: RawEnd): Walk<Item> => ({
    listing: {
      items: [...items.values()],
      isComplete,
      problems: why === undefined ? problems : [...problems, why],
      ...(ttlMs === undefined ? {} : { ttlMs }),
    },
    pages,
    ...(failedWith === undefined ? {} : { failedWith }),
  });

  for (let page = 0; page < MAX_PAGES; page += 1) {
    const end = await ask(cursor === undefined ? {} : { cursor });
    const listed = end.kind === 'result' ? memberOf(end.result, spec.member) : undefined;
    if (end.kind !== 'result' || !Array.isArray(listed)) {
      return done(page, false, { code: 'catalogue.pageFailed', args: { page: page + 1, method: spec.method } }, end);
    }
    take(spec, listed as readonly JsonValue[], items, problems);
    const ttl = numberOf(end.result, 'ttlMs');
    ttlMs = ttl === undefined ? ttlMs : Math.max(0, Math.min(ttl, ttlMs ?? ttl));
    cursor = stringOf(end.result, 'nextCursor');
    if (cursor === undefined) {
      return done(page + 1, true);
    }
    if (cursors.has(cursor)) {
      return done(page + 1, false, { code: 'catalogue.cursorLoop', args: { method: spec.method } });
    }
    cursors.add(cursor);
  }
  return done(MAX_PAGES, false, { code: 'catalogue.tooManyPages', args: { method: spec.method, pages: MAX_PAGES } });
}

function take<Item extends object>(
  spec: ListingSpec<Item>,
  listed: readonly JsonValue[],
  items: Map<string, Item>,
  problems: ListingProblem[],
): void {
  for (const value of listed) {
    const read = isObject(value) ? spec.read(value) : malformed(spec.method);
    if (!('code' in read && 'args' in read)) {
      items.set(spec.key(read), read);
    } else if (problems.length < MAX_PROBLEMS) {
      problems.push(read);
    }
  }
}

/** An item that lacks what it is known by. */
export function malformed(method: string): ListingProblem {
  return { code: 'catalogue.malformedItem', args: { method } };
}
