import { Buffer } from 'node:buffer';
import type { LogEvent, SessionId } from '../../protocol/events.ts';

/** A recorded session in a few numbers. */
export interface SessionSummary {
  readonly id: SessionId;
  readonly name?: string;
  readonly isPinned: boolean;
  /** Wall times of its first and last event, µs. */
  readonly fromUs: number;
  readonly toUs: number;
  readonly events: number;
  /** Of what was sent, received and printed. */
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
      summary = { id: session, isPinned: false, fromUs: wallUs, toUs: wallUs, events: 0, bytes: 0 };
      found.set(session, summary);
    }
    summary.fromUs = Math.min(summary.fromUs, wallUs);
    summary.toUs = Math.max(summary.toUs, wallUs);
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
