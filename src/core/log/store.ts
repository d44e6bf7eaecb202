import type { ConnectionId, LogEvent, NewLogEvent, SessionId } from '../../protocol/events.ts';
import type { SqliteProblem } from './sqlite.ts';

/** Which events to read: `from` and `to` are inclusive `seq`s, `limit` is a count; ascending by `seq`. */
export interface EventRange {
  readonly from?: number;
  readonly to?: number;
  readonly connection?: ConnectionId;
  readonly limit: number;
}

export type WriteResult =
  /** All were written, with consecutive `seq`s from `firstSeq` on. `evicted` had to go to make room. */
  | {
      readonly kind: 'written';
      readonly firstSeq: number;
      readonly evicted?: { readonly events: number; readonly bytes: number };
    }
  /** Nothing was written; the same may work later. */
  | { readonly kind: 'failed'; readonly problem: SqliteProblem }
  /** Nothing was written; the event at `index` can never be. */
  | { readonly kind: 'rejected'; readonly index: number };

/** One run of a client, as far as its events are kept. Times are wall, µs; `bytes` is what the events occupy, about. */
export interface SessionInfo {
  readonly id: SessionId;
  /** No event below it is kept any more; times do not tell that, since a clock may be set back. */
  readonly firstSeq: number;
  readonly firstUs: number;
  readonly lastUs: number;
  readonly events: number;
  readonly bytes: number;
  /** What a person has called it. */
  readonly name?: string;
  /** Its events are never evicted. */
  readonly pinned: boolean;
}

/** How much and how long is kept. Without a number there is no limit. */
export interface RetentionLimits {
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
}

/** Which events may go: all but the pinned ones, or of those only what is older than a wall time, µs. */
export interface EvictionBound {
  readonly beforeUs?: number;
  readonly maxEvents: number;
  /** So much is to be freed: what is beyond the event that reaches it stays. */
  readonly maxBytes?: number;
}

export interface Evicted {
  readonly events: number;
  readonly bytes: number;
  /** Wall time of the latest of them, µs. */
  readonly untilUs: number;
}

/** Where events are kept. No method throws; what cannot be read is as if it were not there. */
export interface LogStore {
  /** All or nothing. */
  write(events: readonly NewLogEvent[]): WriteResult;
  get(seq: number): LogEvent | undefined;
  read(range: EventRange): readonly LogEvent[];
  /** The highest `seq` ever given, by whomever; 0 when none was. */
  lastSeq(): number;
  /** Events that are kept. */
  count(): number;
  /** Deletes every event but those of pinned sessions; `seq`s go on. False when nothing was deleted. */
  clear(): boolean;
  /** What a window has last said that this log may hold, for whoever writes it while no window is open; absent while none has. */
  limits(): RetentionLimits | undefined;
  keepLimits(limits: RetentionLimits): void;
  /** Under which this log's placeholders are made: random, and in no other log. */
  redactionKey(): Uint8Array;
  /** Oldest first; those with no events left only when they have a name or are pinned. */
  sessions(): readonly SessionInfo[];
  /** False when there is no such session, or the file would not let go. */
  nameSession(id: SessionId, name: string | undefined): boolean;
  pinSession(id: SessionId, isPinned: boolean): boolean;
  /** Deletes the session for every reader at once; `sweep` takes away what it occupied. */
  deleteSession(id: SessionId): boolean;
  /** Deletes the oldest events within the bound; `undefined` when there are none, or it does not work now. */
  evict(bound: EvictionBound): Evicted | undefined;
  /** What `evict` has deleted, in this process or one that was killed, and that is not on record. */
  undeclared(): Evicted;
  /** Puts that on record, as the event that `note` makes of it: at once and whole, or not at all. False when it did not. */
  declareEvicted(note: (evicted: Evicted) => NewLogEvent): boolean;
  /** Bytes that events occupy, with what finds them; without what is free. */
  usedBytes(): number;
  /** Takes away, in a bounded step, what deletions left behind. True when there is more to do. */
  sweep(isThorough: boolean): boolean;
  /** Grows whenever a person deletes events, in whatever process; what goes to keep to a limit is told by its note. */
  deletions(): number;
  /** Differs from what it was before whenever another process, or another connection, has committed; cheap. */
  changes(): number;
  /** `seq`s within the range of events that hold the text, ASCII letters of either case, descending. */
  search(text: string, from: number, to: number, limit: number): readonly number[];
  /** How long a write may wait for another process's write, ms. */
  setPatience(ms: number): void;
  close(): void;
}

/** About the bytes that an event occupies, for bounds: exact for what is large, a guess for the rest. */
export function sizeOf(event: NewLogEvent): number {
  const body = event.body;
  switch (body.kind) {
    case 'message':
    case 'noise':
      return 200 + body.raw.length + (body.rawBytes?.length ?? 0);
    case 'stderr':
      return 200 + body.line.length;
    case 'http':
      return 1000 + (body.body?.length ?? 0);
    default:
      return 400;
  }
}

/** The bytes that are missed when the event is lost: what a server or client sent, as far as the event is that. */
export function payloadBytesOf(event: NewLogEvent): number {
  const body = event.body;
  switch (body.kind) {
    case 'message':
    case 'noise':
      return body.bytes;
    case 'stderr':
      return body.line.length;
    default:
      return 0;
  }
}
