import { Buffer } from 'node:buffer';
import type { LogEvent, SessionId } from '../../protocol/events.ts';
import type { SessionEntry } from './sessionFile.ts';

/** A recorded session in a few numbers, as a log tells it too. Times are wall, µs; `bytes` is about what it occupies. */
export interface SessionSummary {
  readonly id: SessionId;
  /** What a person has called it. */
  readonly name?: string;
  readonly pinned: boolean;
  /** Of its first event that is kept. */
  readonly firstSeq: number;
  readonly firstUs: number;
  readonly lastUs: number;
  readonly events: number;
  readonly bytes: number;
}

/** The sessions that events belong to, in the order of their first events. */
export interface SessionIndex {
  add(event: LogEvent): void;
  summaries(): readonly SessionSummary[];
}

/** An index of nothing yet. `entries` are what is known of sessions beside their events. */
export function createSessionIndex(entries: readonly SessionEntry[] = []): SessionIndex {
  const found = new Map<SessionId, { -readonly [K in keyof SessionSummary]: SessionSummary[K] }>();
  return {
    add(event) {
      const { session, wallUs, seq } = event;
      let summary = found.get(session);
      if (summary === undefined) {
        summary = { id: session, pinned: false, firstSeq: seq, firstUs: wallUs, lastUs: wallUs, events: 0, bytes: 0 };
        found.set(session, summary);
      }
      summary.firstUs = Math.min(summary.firstUs, wallUs);
      summary.lastUs = Math.max(summary.lastUs, wallUs);
      summary.events += 1;
      summary.bytes += bytesOf(event);
    },
    summaries: () =>
      [...found.values()].map((summary) => {
        const { name, pinned = false } = entries.find(({ id }) => id === summary.id) ?? {};
        return { ...summary, ...(name === undefined ? {} : { name }), pinned };
      }),
  };
}

function bytesOf({ body }: LogEvent): number {
  switch (body.kind) {
    case 'message':
    case 'noise':
      return body.bytes;
    case 'stderr':
      return Buffer.byteLength(body.line);
    default:
      return 0;
  }
}
