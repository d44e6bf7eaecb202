import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { EventSink, LogEvent, SessionId } from '../../protocol/events.ts';
import { BatchingLog } from './batchingLog.ts';
import { createMemoryStore } from './memoryStore.ts';
import { openSqliteStore } from './openStore.ts';
import type { RedactionSettings } from './redact/redactor.ts';
import type { RefusedPattern } from './redact/userPatterns.ts';
import type { EvictionReason } from './retention.ts';
import { loadSqlite, type Sqlite } from './sqlite.ts';
import type { EventRange, LogStore, RetentionLimits, SessionInfo } from './store.ts';
import type { QueueBounds } from './writeQueue.ts';

/** Where the events are. In memory they are gone with the process; `detail` is what the system said. */
export type LogStatus =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'memory';
      readonly reason: 'no-path' | 'cannot-open' | 'newer-schema' | 'no-sqlite' | 'corrupt';
      readonly detail: string;
    };

/**
 * Events are gone: over a limit, which whoever let them go has put on record, by `deleteSession`, or deleted by another process
 * on a person's word. What was projected from those should be projected anew.
 */
export interface Eviction {
  readonly reason: EvictionReason | 'deleted' | 'elsewhere';
}

/** What may change while the log is open. */
export interface LogSettings {
  /** Secrets are redacted before they are queued, written or told, unless a person wants a session `'raw'`. */
  readonly redaction?: RedactionSettings | 'raw';
  readonly limits?: RetentionLimits;
}

/** What is only known when the log is opened. */
export interface OpenLimits {
  /**
   * `'as-set'`: a quarter more than a window has last set for this file, for a process that writes it and has no settings. Absent: this process
   * lets nothing go.
   */
  readonly limits?: RetentionLimits | 'as-set';
}

/**
 * The append-only log, the only source of truth. `append` returns at once; events are written in batches and are the
 * log's when `onDidAppend` tells them. What cannot be written is kept and tried again, up to a bound; beyond it events
 * are lost, and a `note` of type `gap` in their place says how many and why. No method throws.
 */
export interface EventLog extends EventSink, Disposable {
  readonly status: LogStatus;
  /**
   * Fires after each commit with the new events in the order of their `seq`, those of other processes that write the
   * same file among them: every event above the `lastSeq` that the log was opened with, once. Only what another process writes
   * and lets go, to keep to a limit, before this one has looked is not told: the `evicted` note counts it.
   */
  readonly onDidAppend: Event<readonly LogEvent[]>;
  /** `seq` of the last event that `onDidAppend` has told, or that was there on opening; 0 when there was none. */
  readonly lastSeq: number;
  /** Fires after events have been deleted, `clear` of this log apart. */
  readonly onDidEvict: Event<Eviction>;
  /** Patterns of the redaction settings that were not taken, and why. */
  readonly refusedPatterns: readonly RefusedPattern[];
  /** Applies from the next event on. */
  configure(settings: LogSettings): void;
  /** Events kept, as far as this process has seen. */
  readonly count: number;
  /** Writes what is waiting. */
  flush(): void;
  /** Looks for events of other processes; a commit does so too. */
  poll(): void;
  get(seq: number): LogEvent | undefined;
  /** Ascending; everything appended before is seen. */
  read(range: EventRange): readonly LogEvent[];
  /** The sessions that are kept, oldest first. */
  sessions(): readonly SessionInfo[];
  /** Names a session, or takes its name away. False when there is no such session or the file would not let go. */
  nameSession(id: SessionId, name: string | undefined): boolean;
  /** A pinned session is never evicted. False as above. */
  pinSession(id: SessionId, isPinned: boolean): boolean;
  /** Deletes a session's events for good: readers do not see them from now on, their place in the file is wiped in steps. */
  deleteSession(id: SessionId): boolean;
  /**
   * The `seq`s of the newest events, at most `limit`, whose text holds `text`; letters of ASCII match either case. Descending.
   * Works in steps of a few milliseconds; ends with what it has when `signal` aborts. An empty text finds nothing.
   */
  search(text: string, options: { readonly limit: number; readonly signal?: AbortSignal }): Promise<readonly number[]>;
  /**
   * Deletes every event but those of pinned sessions, those of other processes as well; `seq`s go on. False when the file would
   * not let go.
   */
  clear(): boolean;
  /** Writes what is waiting and closes the file. What is appended later is ignored. */
  dispose(): void;
}

export interface EventLogOptions extends Omit<LogSettings, 'limits'>, OpenLimits {
  /** Absolute path of the file; `undefined` keeps the events in memory. */
  readonly path: string | undefined;
  readonly clock: Clock;
  /** How often to look for events of other processes; never when absent, beside each commit. */
  readonly pollMs?: number;
  /** With `pollMs`: also whenever the system says that the file was written, and far less often without that. */
  readonly isWatched?: boolean;
  /** Bounds of what waits to be written. */
  readonly queue?: QueueBounds;
  /** Bound of the log in memory. */
  readonly maxMemoryBytes?: number;
  /** How long one write may block for another process's write. */
  readonly patienceMs?: number;
  readonly loadSqlite?: () => Sqlite | undefined;
}

/** Opens the log. Never throws: without a usable file it lives in memory, and `status` says why. */
export function openEventLog(options: EventLogOptions): EventLog {
  const { store, status } = openStore(options);
  return new BatchingLog(store, status, options);
}

function openStore(options: EventLogOptions): { readonly store: LogStore; readonly status: LogStatus } {
  const inMemory = (reason: Extract<LogStatus, { kind: 'memory' }>['reason'], detail: string) => ({
    store: createMemoryStore(options.maxMemoryBytes ?? 128 * 1024 * 1024),
    status: { kind: 'memory', reason, detail } as const,
  });
  const { path } = options;
  if (path === undefined) {
    return inMemory('no-path', '');
  }
  const sqlite = (options.loadSqlite ?? loadSqlite)();
  if (sqlite === undefined) {
    return inMemory('no-sqlite', '');
  }
  const opened = openSqliteStore(sqlite, path);
  return 'reason' in opened
    ? inMemory(opened.reason, opened.detail)
    : { store: opened, status: { kind: 'file', path } as const };
}
