import type { JsonObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { BoundedMap } from './boundedMap.ts';
import type { ExchangeState } from './exchangeState.ts';
import type { ListedDefinition } from './memory/serverMemory.ts';

type Initiator = ExchangeState['initiator'];

/** Ended requests that a late or second answer can still find. */
const RECENT = 256;
const TOKENS = 1024;
const HTTP = 512;
const TOOLS = 5000;
/** Requests that may wait at once; no client that hears of its answers comes near. */
export const MAX_WAITING = 10_000;
const STDERR_LINES = 20;

/** What a server said of a tool when it listed it. */
export interface ListedTool {
  readonly outputSchema?: JsonValue;
  /** By the server's own, untrusted word: enough to doubt a doubt, never to repeat a call. */
  readonly isRepeatable: boolean;
}

/** A found exchange, and whether the id had the type that was asked for. */
export interface Found {
  readonly state: ExchangeState;
  readonly isSameType: boolean;
}

/** What a connection has seen of the handshake and of what depends on it, in so far as rules look at it. */
export interface ProtocolFacts {
  initializeAsked: boolean;
  initializeAnswered: boolean;
  initializedSent: boolean;
  clientCapabilities: JsonObject | undefined;
  serverCapabilities: JsonObject | undefined;
  /** All tools have been listed, and nothing has been said of changes since. */
  hasListing: boolean;
  /** Some request has asked for log messages (2026-07-28). */
  logAsked: boolean;
  /** Said once for a connection. */
  readonly said: Set<string>;
}

/** All that is known of one connection. Bounded. */
export class ConnectionState {
  /** The row of the connection itself. */
  row: ExchangeState | undefined;
  /** A process was spawned, whose exit is told; otherwise the end is when it is closed. */
  hasProcess = false;
  /** The handshake was done. */
  wasUp = false;
  hasEnded = false;
  revision: string | undefined;
  readonly tools = new BoundedMap<string, ListedTool>(TOOLS);
  /** What each open HTTP exchange carries. */
  readonly http = new BoundedMap<string, ExchangeState>(HTTP);
  private readonly tokens = new BoundedMap<string, ExchangeState>(TOKENS);
  private readonly waiting = new Map<string, ExchangeState>();
  private readonly recent = new BoundedMap<string, ExchangeState>(RECENT);
  private readonly stderr: string[] = [];
  readonly facts: ProtocolFacts = {
    initializeAsked: false,
    initializeAnswered: false,
    initializedSent: false,
    clientCapabilities: undefined,
    serverCapabilities: undefined,
    hasListing: false,
    logAsked: false,
    said: new Set(),
  };
  /** Tools of the listing whose pages are coming in. */
  readonly listing = new Map<string, ListedDefinition>();

  /** Takes a request to wait; gives the one that it displaces because the client used its id again. */
  open(state: ExchangeState, id: JsonRpcId): ExchangeState | undefined {
    const key = keyOf(state.initiator, id);
    const displaced = this.waiting.get(key);
    this.waiting.set(key, state);
    this.recent.delete(key);
    return displaced;
  }

  /** Takes the oldest waiting request out when there are too many; its answer will find nobody. */
  shed(): ExchangeState | undefined {
    const oldest = this.waiting.size > MAX_WAITING ? this.waiting.entries().next() : undefined;
    if (oldest === undefined || oldest.done === true) {
      return undefined;
    }
    this.waiting.delete(oldest.value[0]);
    return oldest.value[1];
  }

  /** What is held, in things that grow with traffic. */
  get size(): number {
    return (
      this.waiting.size + this.recent.size + this.tokens.size + this.http.size + this.tools.size + this.listing.size
    );
  }

  /** An ended request waits no longer, but can be found by what comes late. */
  close(state: ExchangeState): void {
    if (state.requestId === undefined) {
      return;
    }
    const key = keyOf(state.initiator, state.requestId);
    if (this.waiting.get(key) === state) {
      this.waiting.delete(key);
      this.recent.set(key, state);
    }
  }

  findWaiting(initiator: Initiator, id: JsonRpcId): Found | undefined {
    return find(this.waiting, initiator, id);
  }

  findRecent(initiator: Initiator, id: JsonRpcId): Found | undefined {
    return find(this.recent, initiator, id);
  }

  /** Requests that wait, oldest first. */
  allWaiting(initiator?: Initiator): readonly ExchangeState[] {
    const all = [...this.waiting.values()];
    return initiator === undefined ? all : all.filter((state) => state.initiator === initiator);
  }

  /** Progress with `token` is about `state`. Either side has tokens of its own. */
  setToken(state: ExchangeState, token: string): void {
    this.tokens.set(`${state.initiator} ${token}`, state);
  }

  findByToken(initiator: Initiator, token: string): ExchangeState | undefined {
    return this.tokens.get(`${initiator} ${token}`);
  }

  addStderr(line: string): void {
    this.stderr.push(line);
    if (this.stderr.length > STDERR_LINES) {
      this.stderr.shift();
    }
  }

  stderrTail(): readonly string[] {
    return [...this.stderr];
  }
}

function find(
  map: { get(key: string): ExchangeState | undefined },
  initiator: Initiator,
  id: JsonRpcId,
): Found | undefined {
  const exact = map.get(keyOf(initiator, id));
  if (exact !== undefined) {
    return { state: exact, isSameType: true };
  }
  const other = otherType(id);
  const state = other === undefined ? undefined : map.get(keyOf(initiator, other));
  return state === undefined ? undefined : { state, isSameType: false };
}

function keyOf(initiator: Initiator, id: JsonRpcId): string {
  return `${initiator} ${typeof id} ${id}`;
}

/** `3` for `"3"` and the other way round: servers change the type, and every SDK takes the answer all the same. */
function otherType(id: JsonRpcId): JsonRpcId | undefined {
  if (typeof id === 'number') {
    return String(id);
  }
  return id !== '' && String(Number(id)) === id ? Number(id) : undefined;
}
