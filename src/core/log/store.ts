import type { ConnectionId, LogEvent, NewLogEvent } from '../../protocol/events.ts';
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

/** Where events are kept. No method throws; what cannot be read is as if it were not there. */
export interface LogStore {
  /** All or nothing. */
  write(events: readonly NewLogEvent[]): WriteResult;
  get(seq: number): LogEvent | undefined;
  read(range: EventRange): readonly LogEvent[];
  /** The highest `seq` ever given, by whomever; 0 when none was. */
  lastSeq(): number;
  /** Events that are kept. Walks an index: not for every frame. */
  count(): number;
  /** Deletes every event; `seq`s go on. False when nothing was deleted. */
  clear(): boolean;
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
