import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import os from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '../../base/systemClock.ts';
import type { ConnectionId, EventSink, LogEvent } from '../../protocol/events.ts';
import { createCollector } from './collectGarbage.ts';
import { createLogSink } from './logSink.ts';
import { createNaming } from './naming.ts';
import { type Batch, passagesOf, weightOf } from './passage.ts';
import { createPassingClock } from './passingClock.ts';
import type { FromRecorder, RecorderSettings } from './recorderMessages.ts';
import { type ConnectionRecording, recordStdio } from './recordStdio.ts';

/** After so long without traffic memory is given back. */
const REST_MS = 5000;
/** Of this thread: traffic, and the client and server themselves, come first. */
const NICENESS = 19;

/** Is told what was recorded of this session. */
export interface RecordFollower {
  /** `missing`: how many more there were, which it is not given. */
  take(events: readonly LogEvent[], missing?: number): void;
  /** Nothing more comes. Resolves to what is to be said of it in the record, since stderr may have ended with the server's. */
  close(): Promise<string | undefined>;
}

/**
 * The recording thread: takes batches from `port` and writes their events into the log, until it is told to close.
 * `findLog` looks for the log when none is named.
 */
export async function runRecorder(
  port: MessagePort,
  settings: RecorderSettings,
  findLog: () => string,
  follower?: RecordFollower,
): Promise<void> {
  stepBack();
  const say = (message: FromRecorder) => port.postMessage(message);
  const clock = createPassingClock(systemClock);
  let last: LogEvent | undefined;
  const isOurs = (event: LogEvent) => {
    if (event.session === settings.session) {
      last = event;
      return true;
    }
    return false;
  };
  const sink = createLogSink({
    path: settings.log ?? findLog(),
    clock: systemClock,
    onProblem: (code, detail) => say({ kind: 'problem', code, detail }),
    onDidAppend: follower === undefined ? undefined : (events) => follower.take(events.filter(isOurs)),
  });
  const collect = createCollector({
    clock: systemClock,
    idleMs: REST_MS,
    idleBytes: 256 * 1024,
    underWayBytes: 16 * 1024 * 1024,
  });
  const recording = await createRecording(settings, sink, clock);

  async function close(): Promise<void> {
    await recording.settled();
    recording.end();
    await recording.settled();
    sink.flush();
    const text = await follower?.close();
    if (text !== undefined && last !== undefined) {
      const { session, server, connection, origin } = last;
      const times = { wallUs: systemClock.wallUs(), monoUs: systemClock.monoUs() };
      sink.append({
        session,
        server,
        connection,
        origin,
        ...times,
        body: { kind: 'note', note: { type: 'mark', text } },
      });
    }
    sink.dispose();
    say({ kind: 'closed' });
    port.close();
  }

  port.on('message', (message: Batch | 'close') => {
    if (message === 'close') {
      void close();
      return;
    }
    for (const passage of passagesOf(message)) {
      clock.set(passage.monoUs, message.wallOriginUs);
      recording.take(passage);
    }
    sink.flush();
    const weight = weightOf(message);
    collect(weight);
    say({ kind: 'recorded', weight });
  });
}

type Recording = ConnectionRecording & { settled(): Promise<void> };

async function createRecording(
  settings: RecorderSettings,
  sink: EventSink,
  clock: ReturnType<typeof createPassingClock>,
): Promise<Recording> {
  if (settings.transport === 'http') {
    // With what only it needs: decompression, the parser of streams.
    const { recordHttp } = await import('./recordHttp.ts');
    return recordHttp(settings, sink, clock);
  }
  const { session, server, fallbackServer } = settings;
  const connection = randomUUID() as ConnectionId;
  const naming = createNaming({ sink, clock, session, connection, server, fallbackServer });
  return { ...recordStdio(naming, clock), settled: () => Promise.resolve() };
}

/** Lowers the priority of this thread alone, where threads have one of their own (Linux). */
function stepBack(): void {
  try {
    // `<process>/task/<thread>`.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    os.setPriority(thread, NICENESS);
  } catch {
    // It records all the same.
  }
}
