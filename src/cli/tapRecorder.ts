import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../base/messageOf.ts';
import { type RecordFollower, runRecorder } from '../core/passthrough/recorder.ts';
import type { RecorderSettings } from '../core/passthrough/recorderMessages.ts';
import type { LogEvent } from '../protocol/events.ts';
import { findExtensionLog, ownLogPath, thisMachine } from './extensionLog.ts';

/** Events that wait for the exporter to be loaded, which takes a moment; recording does not wait for it. */
const MAX_EARLY = 10_000;

// The thread of a tap that records: `createRecorderThread` starts it.
if (parentPort !== null) {
  const port = parentPort;
  // Written by the thread that started this one.
  const settings = workerData as RecorderSettings;
  const findLog = () => findExtensionLog(settings.cwd, thisMachine()) ?? ownLogPath(thisMachine());
  const tell = (code: string, detail: string) => port.postMessage({ kind: 'problem', code, detail });
  void runRecorder(port, settings, findLog, settings.otlp === undefined ? undefined : exportLater(settings.otlp, tell));

  function exportLater(
    otlp: NonNullable<RecorderSettings['otlp']>,
    onProblem: (code: string, detail: string) => void,
  ): RecordFollower {
    const early: LogEvent[] = [];
    let missing = 0;
    let follower: RecordFollower | undefined;
    const load = async () => {
      try {
        const { followForExport } = await import('./tapExport.ts');
        follower = await followForExport(otlp, settings.session, onProblem);
        follower?.take(early, missing);
      } catch (error) {
        onProblem('otlp.off', messageOf(error));
      }
      early.length = 0;
    };
    const loading = load();
    return {
      take(events) {
        if (follower !== undefined) {
          follower.take(events);
        } else {
          const room = Math.max(0, MAX_EARLY - early.length);
          early.push(...events.slice(0, room));
          missing += Math.max(0, events.length - room);
        }
      },
      async close() {
        await loading;
        return follower?.close();
      },
    };
  }
}
