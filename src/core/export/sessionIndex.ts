import { Buffer } from 'node:buffer';
import type { LogEvent, SessionId } from '../../protocol/events.ts';

/** A recorded session in a few numbers, as a log tells it too. Times are wall, µs; `bytes` is about what it occupies. */
export interface SessionSummary {
  readonly id: SessionId;
  /** What a person has called it. */
  readonly name?: string;
  readonly pinned: boolean;
  readonly firstUs: number;
  readonly lastUs: number;
  readonly events: number;
  readonly bytes: number;
}

/** The sessions that events belong to, in the order of their first events. Rejects only when `events` does. */
export async function indexSessions(
  events: AsyncIterable<LogEvent> | Iterable<LogEvent>,
): Promise<readonly SessionSummary[]> {
  const found = new Map<SessionId, { -readonly [K in keyof SessionSummary]: SessionSummary[K] }>();
  for await (const event of events) {
    const { session, wallUs } = event;
    let summary = found.get(session);
    if (summary === undefined) {
      summary = { id: session, pinned: false, firstUs: wallUs, lastUs: wallUs, events: 0, bytes: 0 };
      found.set(session, summary);
    }
    summary.firstUs = Math.min(summary.firstUs, wallUs);
    summary.lastUs = Math.max(summary.lastUs, wallUs);
    summary.events += 1;
    summary.bytes += bytesOf(event);
  }
  return [...found.values()];
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
