import { parentPort, workerData } from 'node:worker_threads';
import { runRecorder } from '../core/passthrough/recorder.ts';
import type { RecorderSettings } from '../core/passthrough/recorderMessages.ts';
import { findExtensionLog, ownLogPath, thisMachine } from './extensionLog.ts';

// The thread of a tap that records: `createRecorderThread` starts it.
if (parentPort !== null) {
  // Written by the thread that started this one.
  const settings = workerData as RecorderSettings;
  void runRecorder(
    parentPort,
    settings,
    () => findExtensionLog(settings.cwd, thisMachine()) ?? ownLogPath(thisMachine()),
  );
}
