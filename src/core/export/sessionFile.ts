import { createHash } from 'node:crypto';
import type { LogEvent } from '../../protocol/events.ts';
import { encodeEvent } from './eventLine.ts';

/** The version of the format that this build writes, and the newest that it reads. See `docs/session-format.md`. */
export const SESSION_FORMAT = 1;

/** What an export can leave out: each names a sentence `leftOut.<kind>` in `protocol/texts.ts`. */
export const LEFT_OUT_KINDS = ['stderr', 'large-payload', 'other-exchange', 'working-folder', 'environment'] as const;

export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

/** How often each kind was left out. */
export type LeftOutCounts = Readonly<Partial<Record<LeftOutKind, number>>>;

export interface SessionEntry {
  readonly id: string;
  readonly name?: string;
  readonly pinned?: boolean;
}

/** The first line. Everything that it says is known before the first event, so that a file of any size is streamed. */
export interface SessionHeader {
  readonly faultlineSession: typeof SESSION_FORMAT;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  /** Version of the Faultline that wrote the file. */
  readonly faultline: string;
  readonly sessions: readonly SessionEntry[];
  /** Were secrets replaced once more on the way out? What was recorded has been redacted before in any case. */
  readonly redacted: boolean;
  /** What is not in the file on purpose; the last line says how often. */
  readonly leftOut: readonly LeftOutKind[];
}

/** The last line. A file without it was cut. */
export interface SessionTrailer {
  readonly faultlineSessionEnd: typeof SESSION_FORMAT;
  readonly events: number;
  readonly leftOut: LeftOutCounts;
  /** SHA-256 in hex of every byte before this line. */
  readonly sha256: string;
}

/** Text is handed on in pieces of about this many UTF-16 code units, since a write a line is slow. */
const PIECE_LENGTH = 64 * 1024;

/**
 * The session as text, piece by piece. `leftOut` is asked for after the last event. Rejects only when `events` does.
 */
export async function* writeSession(
  header: SessionHeader,
  events: AsyncIterable<LogEvent> | Iterable<LogEvent>,
  leftOut: () => LeftOutCounts = () => ({}),
): AsyncGenerator<string, void, undefined> {
  const hash = createHash('sha256');
  let lines = [`${JSON.stringify(header)}\n`];
  let length = 0;
  let count = 0;
  const take = () => {
    const piece = lines.join('');
    lines = [];
    length = 0;
    hash.update(piece);
    return piece;
  };
  for await (const event of events) {
    const line = `${encodeEvent(event)}\n`;
    lines.push(line);
    length += line.length;
    count += 1;
    if (length >= PIECE_LENGTH) {
      yield take();
    }
  }
  yield take();
  const trailer: SessionTrailer = {
    faultlineSessionEnd: SESSION_FORMAT,
    events: count,
    leftOut: leftOut(),
    sha256: hash.digest('hex'),
  };
  yield `${JSON.stringify(trailer)}\n`;
}
