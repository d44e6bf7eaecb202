import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { EventContext, EventSink, LogEvent, NewLogEvent } from '../../protocol/events.ts';
import { type EventLog, openEventLog } from '../log/eventLog.ts';
import { payloadBytesOf } from '../log/store.ts';

/** How long a write may wait for another process's: nobody waits for this thread. */
const PATIENCE_MS = 1000;
/** Written at once: a batch may hold more events than the log lets wait. */
const FLUSH_EVENTS = 512;
/** Until a log that cannot be opened is tried again; the last one goes on. */
const REOPEN_MS: readonly number[] = [1000, 5000, 30_000];

export interface LogSinkOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Told once when the log cannot be opened, and why. */
  readonly onProblem: (code: string, detail: string) => void;
  readonly open?: typeof openEventLog;
  /** Told of everything that the log has taken, what other processes wrote into it among it. */
  readonly onDidAppend?: ((events: readonly LogEvent[]) => void) | undefined;
}

/** Writes events into the log file, also when it can be opened only later: what was missed until then is a gap. */
export interface LogSink extends EventSink {
  flush(): void;
  dispose(): void;
}

export function createLogSink({ path, clock, onProblem, open = openEventLog, onDidAppend }: LogSinkOptions): LogSink {
  let log: EventLog | undefined;
  let missed: { readonly context: EventContext; events: number; bytes: number } | undefined;
  let attempts = 0;
  let waiting = 0;
  let timer: Disposable | undefined;

  function tryOpen(): void {
    const opened = open({ path, clock, patienceMs: PATIENCE_MS, limits: 'as-set' });
    const { status } = opened;
    if (status.kind === 'file') {
      log = opened;
      if (onDidAppend !== undefined) {
        opened.onDidAppend(onDidAppend);
      }
      tellMissed(opened);
      return;
    }
    // In memory, events would be nowhere.
    opened.dispose();
    if (attempts === 0) {
      onProblem(`log.tap.${status.reason}`, status.detail);
    }
    timer = clock.setTimer(REOPEN_MS[Math.min(attempts, REOPEN_MS.length - 1)] ?? 0, tryOpen);
    attempts += 1;
  }

  function tellMissed(opened: EventLog): void {
    if (missed !== undefined) {
      const { context, events, bytes } = missed;
      const { session, server, connection, origin, wallUs, monoUs } = context;
      const note = { type: 'gap', events, bytes, reason: 'log.gap.tap-closed' } as const;
      opened.append({ session, server, connection, origin, wallUs, monoUs, body: { kind: 'note', note } });
      missed = undefined;
    }
  }

  function flush(): void {
    waiting = 0;
    log?.flush();
  }

  tryOpen();
  return {
    append(event: NewLogEvent) {
      if (log !== undefined) {
        log.append(event);
        waiting += 1;
        if (waiting >= FLUSH_EVENTS) {
          flush();
        }
        return;
      }
      missed ??= { context: event, events: 0, bytes: 0 };
      missed.events += 1;
      missed.bytes += payloadBytesOf(event);
    },
    flush,
    dispose() {
      timer?.dispose();
      log?.dispose();
    },
  };
}
