import { createHash } from 'node:crypto';
import { messageOf } from '../../base/messageOf.ts';
import type { TextArgs } from '../../base/text.ts';
import type { LogEvent } from '../../protocol/events.ts';
import { byteLines } from './byteLines.ts';
import { decodeEvent } from './eventLine.ts';
import { isDeeperThan } from './jsonDepth.ts';
import {
  LEFT_OUT_KINDS,
  type LeftOutKind,
  SESSION_FORMAT,
  type SessionEntry,
  type SessionHeader,
  type SessionTrailer,
} from './sessionFile.ts';

/** Longest line that is read, bytes: more than a message of the greatest size that a transport takes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Deepest nesting of a line. A message is text in it, so that its own nesting does not count. */
const MAX_DEPTH = 64;

/** Something wrong with a file. `code` names a sentence in `protocol/texts.ts`. */
export interface SessionProblem {
  readonly code: string;
  readonly args: TextArgs;
  /** Nothing more can be read. */
  readonly isFatal: boolean;
}

export type SessionItem =
  | { readonly kind: 'header'; readonly header: SessionHeader }
  | { readonly kind: 'event'; readonly event: LogEvent }
  | { readonly kind: 'problem'; readonly problem: SessionProblem }
  | { readonly kind: 'end'; readonly trailer: SessionTrailer };

/**
 * Reads a session file, item by item: its header, its events by ascending `seq`, its end, and in between what is wrong
 * with it. Nothing that a file holds makes it throw or take more memory than a few lines do.
 */
export async function* readSession(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<SessionItem, void, undefined> {
  const reader = new Reader(maxLineBytes);
  try {
    for await (const line of byteLines(chunks, maxLineBytes)) {
      for (const item of line.kind === 'line' ? reader.read(line.bytes, line.hasEnd) : reader.skip()) {
        yield item;
        if (item.kind === 'problem' && item.problem.isFatal) {
          return;
        }
      }
    }
  } catch (error) {
    yield problem('session.unreadable', { detail: messageOf(error) }, true);
    return;
  }
  yield* reader.finish();
}

function problem(code: string, args: TextArgs, isFatal = false): SessionItem {
  return { kind: 'problem', problem: { code, args, isFatal } };
}

class Reader {
  private readonly maxLineBytes: number;
  private readonly hash = createHash('sha256');
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private state: 'start' | 'events' | 'ended' = 'start';
  private line = 0;
  private lastSeq = 0;
  private events = 0;
  /** A line that was passed over was not hashed. */
  private canCheck = true;

  constructor(maxLineBytes: number) {
    this.maxLineBytes = maxLineBytes;
  }

  skip(): readonly SessionItem[] {
    this.line += 1;
    this.canCheck = false;
    if (this.state === 'start') {
      return [problem('session.no-header', {}, true)];
    }
    return [problem('session.too-long', { line: this.line, limit: this.maxLineBytes })];
  }

  read(bytes: Uint8Array, hasEnd: boolean): readonly SessionItem[] {
    this.line += 1;
    const { line, state } = this;
    const value = this.parse(bytes);
    if (state === 'start') {
      this.digest(bytes, hasEnd);
      return [this.header(value)];
    }
    if (state === 'ended') {
      return bytes.length === 0 ? [] : [problem('session.after-end', { line })];
    }
    const trailer = 'code' in value ? undefined : readTrailer(value.json);
    if (trailer !== undefined) {
      return this.end(trailer);
    }
    this.digest(bytes, hasEnd);
    if ('code' in value) {
      return bytes.length === 0 ? [] : [problem(value.code, { line, limit: MAX_DEPTH })];
    }
    const event = decodeEvent(value.json);
    if ('problem' in event) {
      return [problem('session.bad-event', { line, detail: event.problem })];
    }
    if (event.seq <= this.lastSeq) {
      return [problem('session.order', { line })];
    }
    this.lastSeq = event.seq;
    this.events += 1;
    return [{ kind: 'event', event }];
  }

  finish(): readonly SessionItem[] {
    switch (this.state) {
      case 'start':
        return [problem('session.no-header', {}, true)];
      case 'events':
        return [problem('session.truncated', {})];
      case 'ended':
        return [];
    }
  }

  private parse(bytes: Uint8Array): { readonly json: unknown } | { readonly code: string } {
    if (isDeeperThan(bytes, MAX_DEPTH)) {
      return { code: 'session.too-deep' };
    }
    let text: string;
    try {
      text = this.decoder.decode(bytes);
    } catch {
      return { code: 'session.not-utf8' };
    }
    try {
      return { json: JSON.parse(text) };
    } catch {
      return { code: 'session.not-json' };
    }
  }

  private digest(bytes: Uint8Array, hasEnd: boolean): void {
    this.hash.update(bytes);
    if (hasEnd) {
      this.hash.update('\n');
    }
  }

  private header(value: { readonly json: unknown } | { readonly code: string }): SessionItem {
    const json = 'json' in value && isRecord(value.json) ? value.json : {};
    const version = json['faultlineSession'];
    if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
      return problem('session.no-header', {}, true);
    }
    if (version > SESSION_FORMAT) {
      return problem('session.newer', { version, known: SESSION_FORMAT }, true);
    }
    this.state = 'events';
    return { kind: 'header', header: readHeader(json) };
  }

  private end(trailer: SessionTrailer): readonly SessionItem[] {
    this.state = 'ended';
    const counted = trailer.events === this.events;
    const isWhole = !this.canCheck || trailer.sha256 === this.hash.digest('hex');
    return [
      ...(counted ? [] : [problem('session.count', { expected: trailer.events, found: this.events })]),
      ...(isWhole ? [] : [problem('session.checksum', {})]),
      { kind: 'end', trailer },
    ];
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** A header of a known version; what is missing or of another type is as if it were empty. */
function readHeader(json: Record<string, unknown>): SessionHeader {
  const { sessions, leftOut } = json;
  return {
    faultlineSession: SESSION_FORMAT,
    exportedAt: text(json['exportedAt']),
    faultline: text(json['faultline']),
    sessions: Array.isArray(sessions) ? sessions.filter(isRecord).map(readEntry) : [],
    redacted: json['redacted'] === true,
    leftOut: LEFT_OUT_KINDS.filter((kind) => Array.isArray(leftOut) && leftOut.includes(kind)),
  };
}

function readEntry(json: Record<string, unknown>): SessionEntry {
  const { id, name, pinned } = json;
  return {
    id: text(id),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof pinned === 'boolean' ? { pinned } : {}),
  };
}

function readTrailer(json: unknown): SessionTrailer | undefined {
  if (!isRecord(json) || typeof json['faultlineSessionEnd'] !== 'number') {
    return undefined;
  }
  const { events, sha256, leftOut } = json;
  const counts = isRecord(leftOut) ? leftOut : {};
  return {
    faultlineSessionEnd: SESSION_FORMAT,
    events: typeof events === 'number' ? events : -1,
    leftOut: Object.fromEntries(
      LEFT_OUT_KINDS.filter((kind) => typeof counts[kind] === 'number').map((kind: LeftOutKind) => [
        kind,
        counts[kind],
      ]),
    ),
    sha256: text(sha256),
  };
}
