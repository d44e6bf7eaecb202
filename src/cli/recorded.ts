import { createReadStream, existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../base/messageOf.ts';
import { systemClock } from '../base/systemClock.ts';
import type { SessionHeader } from '../core/export/sessionFile.ts';
import { createSessionIndex, type SessionSummary } from '../core/export/sessionIndex.ts';
import { readSession, type SessionItem } from '../core/export/sessionReader.ts';
import { type EventLog, openEventLog } from '../core/log/eventLog.ts';
import type { LogEvent, SessionId } from '../protocol/events.ts';
import { findExtensionLog, ownLogPath, thisMachine } from './extensionLog.ts';
import { sentence } from './formats/verdictText.ts';
import type { Terminal } from './terminal.ts';

/** Recorded events, of a log, a session file or an HTTP archive, from the beginning as often as they are asked for. */
export interface Recorded {
  /** Of the file. */
  readonly path: string;
  sessions(): Promise<readonly SessionSummary[]>;
  /** Those of one session, or all. */
  events(session?: SessionId): AsyncIterable<LogEvent>;
  /** Was something in the file that could not be read? It has been told on stderr. */
  readonly hasProblems: boolean;
  /** Of a log; a file has none, and is never changed. */
  readonly log: EventLog | undefined;
  close(): void;
}

/** Events of a log that are read at a time. */
const CHUNK_EVENTS = 1000;
const SQLITE_MAGIC = 'SQLite format 3\0';

/**
 * Opens what is recorded in `file`: a log by what it holds, an HTTP archive by its name (`.har`), else a session file; without
 * one, the log that the extension writes for this workspace, or the one of this user's taps. A sentence when there is nothing to open.
 */
export async function openRecorded(
  file: string | undefined,
  terminal: Terminal,
): Promise<Recorded | { readonly problem: string }> {
  const found = file === undefined ? findLog(terminal.cwd) : path.resolve(terminal.cwd, file);
  if (found === undefined) {
    return { problem: 'no log was named by --log, and the extension has recorded none for this folder' };
  }
  let head: string;
  try {
    head = await firstBytes(found);
  } catch (error) {
    return { problem: `${file ?? found} cannot be read: ${messageOf(error)}` };
  }
  if (head === SQLITE_MAGIC) {
    return openLog(found);
  }
  return path.extname(found).toLowerCase() === '.har' ? openHar(found, terminal) : openSessionFile(found, terminal);
}

/** An HTTP archive, whole in memory as every reader of one has it. */
async function openHar(file: string, terminal: Terminal): Promise<Recorded | { readonly problem: string }> {
  const { harEvents } = await import('./harEvents.ts');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    // Too large for a string, among others.
    return { problem: `${file} cannot be read: ${messageOf(error)}` };
  }
  const read = harEvents(text);
  if ('problem' in read) {
    return { problem: `${file} cannot be read: ${read.problem}` };
  }
  const { events: all, leftOut } = read;
  if (leftOut > 0) {
    terminal.err(`faultline: ${leftOut} entries of ${file} are not of MCP, and are left out\n`);
  }
  const events = async function* (session?: SessionId) {
    yield* all.filter((event) => session === undefined || event.session === session);
  };
  return {
    path: file,
    log: undefined,
    events,
    hasProblems: false,
    sessions: async () => {
      const index = createSessionIndex();
      for (const event of all) {
        index.add(event);
      }
      return index.summaries();
    },
    close: () => undefined,
  };
}

/** The log of the extension for this folder, or else the one that taps write where there is none. */
function findLog(folder: string): string | undefined {
  const machine = thisMachine();
  const own = ownLogPath(machine);
  return findExtensionLog(folder, machine) ?? (existsSync(own) ? own : undefined);
}

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(SQLITE_MAGIC.length) });
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function openLog(file: string): Recorded | { readonly problem: string } {
  const log = openEventLog({ path: file, clock: systemClock });
  if (log.status.kind === 'memory') {
    const { reason, detail } = log.status;
    log.dispose();
    return { problem: `${file} cannot be opened: ${detail === '' ? reason : detail}` };
  }
  const events = async function* (session?: SessionId) {
    for (let from = 1; ; ) {
      const chunk = log.read({ from, limit: CHUNK_EVENTS });
      for (const event of chunk) {
        if (session === undefined || event.session === session) {
          yield event;
        }
      }
      const last = chunk.at(-1);
      if (last === undefined) {
        return;
      }
      from = last.seq + 1;
    }
  };
  return {
    path: file,
    log,
    events,
    hasProblems: false,
    sessions: async () => log.sessions(),
    close: () => log.dispose(),
  };
}

/** Problems of a session file that are told of. */
const MAX_TOLD = 100;

function openSessionFile(file: string, terminal: Terminal): Recorded {
  let hasProblems = false;
  const told = new Set<string>();
  const tell = (problem: string) => {
    hasProblems = true;
    // The file may be read more than once, and may be nothing but problems.
    if (!told.has(problem) && told.size <= MAX_TOLD) {
      told.add(problem);
      terminal.err(`faultline: ${told.size > MAX_TOLD ? `${file} has more problems` : problem}\n`);
    }
  };
  const items = () => readSession(createReadStream(file));
  const events = async function* (session?: SessionId) {
    for await (const item of items()) {
      if (item.kind === 'problem') {
        tell(sentence(item.problem.code, item.problem.args));
      } else if (item.kind === 'event' && (session === undefined || item.event.session === session)) {
        yield item.event;
      }
    }
  };
  return {
    path: file,
    log: undefined,
    events,
    get hasProblems() {
      return hasProblems;
    },
    async sessions() {
      const header = await headerOf(items());
      const index = createSessionIndex(header?.sessions);
      for await (const event of events()) {
        index.add(event);
      }
      return index.summaries();
    },
    close: () => undefined,
  };
}

async function headerOf(items: AsyncIterable<SessionItem>): Promise<SessionHeader | undefined> {
  for await (const item of items) {
    return item.kind === 'header' ? item.header : undefined;
  }
  return undefined;
}

/** What a command is about: everything in a file, or one session of it. */
export interface Target {
  readonly recorded: Recorded;
  /** Of the file, or the one that was named. */
  readonly sessions: readonly SessionSummary[];
  events(): AsyncIterable<LogEvent>;
}

/**
 * Opens what the words of a command name: a session of a log or session file, or such a file itself. A sentence when there
 * is no such thing.
 */
export async function openTarget(
  wanted: string | undefined,
  log: string | undefined,
  terminal: Terminal,
): Promise<Target | { readonly problem: string }> {
  const isFile = wanted !== undefined && log === undefined && existsSync(path.resolve(terminal.cwd, wanted));
  const recorded = await openRecorded(isFile ? wanted : log, terminal);
  if ('problem' in recorded) {
    return recorded;
  }
  const sessions = await recorded.sessions();
  if (wanted === undefined || isFile) {
    return { recorded, sessions, events: () => recorded.events() };
  }
  const session = findSession(sessions, wanted);
  if ('problem' in session) {
    recorded.close();
    return session;
  }
  return { recorded, sessions: [session], events: () => recorded.events(session.id) };
}

/**
 * The one session that a person means: by its id, its name, or a beginning of its id that is no other's. A sentence when
 * there is none or more than one.
 */
export function findSession(
  sessions: readonly SessionSummary[],
  wanted: string,
): SessionSummary | { readonly problem: string } {
  const exact = sessions.filter(({ id, name }) => id === wanted || name === wanted);
  const found = exact.length > 0 ? exact : sessions.filter(({ id }) => id.startsWith(wanted));
  const [first, second] = found;
  if (first === undefined) {
    return { problem: `there is no session ${wanted}; "faultline sessions" lists them` };
  }
  return second === undefined
    ? first
    : { problem: `${found.length} sessions are called ${wanted}; name one by its id` };
}
