import { sortedJson } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { diffResults, type ResultChange } from '../replay/resultDiff.ts';
import type { RecordedCall, RecordedServer } from './recordedServer.ts';

/** A recorded call that is like one that is not recorded, and where they differ. */
export interface CloseCall {
  readonly params: JsonObject | undefined;
  readonly differs: readonly Pick<ResultChange, 'pointer' | 'kind' | 'before' | 'after'>[];
}

/** Nothing is recorded that a call could be answered with. */
export interface UnknownCall {
  readonly isMethodKnown: boolean;
  /** The closest of the same method first. */
  readonly close: readonly CloseCall[];
}

/** Methods whose parameters say who asks and not what for. */
const BY_METHOD_ALONE: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'notifications/initialized',
]);
/** Recorded calls of a method that are compared with one that is not recorded, the newest first. */
const MAX_COMPARED = 200;
const MAX_CLOSE = 3;
const MAX_DIFFERENCES = 5;
/** What stands in the place of a secret that was not recorded. */
const PLACEHOLDER = /\[redacted(?::[^\]:\s]{1,60}:[0-9a-f]{1,12})?\]/;

/**
 * The recorded calls of a server, to be answered again. The same method with the same parameters, `_meta` aside, is the same
 * call; each recorded answer to it is given once, in their order, and then the last one for ever. Parameters that differ in
 * nothing but what changes by itself (times, generated ids), or in a secret that was not recorded, count as the same where no
 * others are equal.
 */
export class AnswerBook {
  private readonly byKey = new Map<string, RecordedCall[]>();
  private readonly byMethod = new Map<string, string[]>();
  private readonly given = new Set<RecordedCall>();

  constructor({ calls }: Pick<RecordedServer, 'calls'>) {
    for (const call of calls) {
      const key = keyOf(call.method, call.params);
      const known = this.byKey.get(key);
      if (known === undefined) {
        this.byKey.set(key, [call]);
        const keys = this.byMethod.get(call.method) ?? [];
        keys.push(key);
        this.byMethod.set(call.method, keys);
      } else {
        known.push(call);
      }
    }
  }

  /** Whether a method was ever called. */
  has(method: string): boolean {
    return this.byMethod.has(method);
  }

  /** The recorded call whose answer is this one's, or what is nearest to it. */
  take(method: string, params: JsonObject | undefined): RecordedCall | UnknownCall {
    const exact = this.byKey.get(keyOf(method, params));
    const call = this.next(exact ?? this.alike(method, params));
    if (call !== undefined) {
      this.given.add(call);
      return call;
    }
    return { isMethodKnown: this.has(method), close: this.closest(method, params) };
  }

  private next(calls: readonly RecordedCall[]): RecordedCall | undefined {
    return calls.find((call) => !this.given.has(call)) ?? calls.at(-1);
  }

  private alike(method: string, params: JsonObject | undefined): readonly RecordedCall[] {
    const keys = (this.byMethod.get(method) ?? []).slice(-MAX_COMPARED);
    return keys
      .flatMap((key) => {
        const calls = this.byKey.get(key) ?? [];
        return calls[0] !== undefined && differences(calls[0].params, params).length === 0 ? calls : [];
      })
      .toSorted((a, b) => a.seq - b.seq);
  }

  private closest(method: string, params: JsonObject | undefined): readonly CloseCall[] {
    const keys = (this.byMethod.get(method) ?? []).slice(-MAX_COMPARED);
    return keys
      .flatMap((key) => {
        const [call] = this.byKey.get(key) ?? [];
        return call === undefined ? [] : [{ params: call.params, differs: differences(call.params, params) }];
      })
      .toSorted((a, b) => weightOf(a) - weightOf(b))
      .slice(0, MAX_CLOSE)
      .map(({ params: recorded, differs }) => ({
        params: plain(recorded),
        differs: differs.slice(0, MAX_DIFFERENCES).map(({ pointer, kind, before, after }) => ({
          pointer,
          kind,
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        })),
      }));
  }
}

/** Another tool is further away than any other arguments of the same one. */
function weightOf({ differs }: { readonly differs: readonly ResultChange[] }): number {
  const isOther = differs.some(({ pointer }) => pointer === '/name' || pointer === '/uri');
  return differs.length + (isOther ? 10_000 : 0);
}

/** Where two calls differ in what may mean something. */
function differences(recorded: JsonObject | undefined, asked: JsonObject | undefined): readonly ResultChange[] {
  const { changes } = diffResults(plain(recorded), plain(asked), { ignoreVolatile: true });
  return changes.filter(({ kind, before, after }) => !(kind === 'changed' && fits(before, after)));
}

/** A text with something in it that was replaced before it was recorded is the same as any that could have been there. */
function fits(recorded: JsonValue | undefined, asked: JsonValue | undefined): boolean {
  if (typeof recorded !== 'string' || typeof asked !== 'string') {
    return false;
  }
  const parts = recorded.split(new RegExp(PLACEHOLDER, 'g'));
  if (parts.length < 2) {
    return false;
  }
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const at = index === 0 ? (asked.startsWith(part) ? 0 : -1) : asked.indexOf(part, from);
    if (at < 0) {
      return false;
    }
    from = at + part.length;
  }
  return asked.endsWith(parts.at(-1) ?? '');
}

function keyOf(method: string, params: JsonObject | undefined): string {
  return BY_METHOD_ALONE.has(method) ? method : `${method} ${sortedJson(plain(params)) ?? ''}`;
}

/** Parameters without what belongs to one request alone, and without arguments that say nothing. */
function plain(params: JsonObject | undefined): JsonObject {
  const { _meta, ...rest } = params ?? {};
  const { arguments: args } = rest;
  const isEmpty = typeof args === 'object' && args !== null && Object.keys(args).length === 0;
  return isEmpty ? Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'arguments')) : rest;
}
