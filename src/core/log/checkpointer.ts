import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { guarded } from './rows.ts';

/** Written to the write-ahead log before it is carried into the file. Less often, and the log would take more room than it saves. */
const BYTES_BETWEEN = 8 * 1024 * 1024;

/** A writer that never pauses never lets the thread come to an end: from here on it has to wait once. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * In a thread of its own: carrying 8 MB over takes 10 ms of work and then a disk's time, in which a host would stand still.
 * A passive checkpoint keeps no writer waiting. What was written meanwhile it takes as well, since only an empty log
 * begins anew. A text, since a bundle has no file for it; silent, since a thread warns on the stderr of everybody.
 */
const THREAD = `
  process.emitWarning = () => undefined;
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(workerData.file, { timeout: 0 });
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  parentPort.on('message', () => {
    let isEmpty = false;
    for (let attempt = 0; attempt < 5 && !isEmpty; attempt++) {
      const { log, checkpointed } = checkpoint.get();
      isEmpty = log === checkpointed;
    }
    parentPort.postMessage(isEmpty);
  });
`;

export interface Checkpointer {
  /** To be told of what was written, about. */
  written(bytes: number): void;
  close(): void;
}

type State =
  /** No thread yet: most processes never write as much as needs one. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly worker: Worker; isBusy: boolean }
  /** SQLite does it by itself, on the thread that writes. */
  | { readonly kind: 'automatic' };

/** Keeps the write-ahead log of the file that `db` writes short. Without threads SQLite does it, as by default. */
export function createCheckpointer(db: DatabaseSync, file: string): Checkpointer {
  let bytesSince = 0;
  let bytesSinceEmpty = 0;
  let state: State = { kind: 'waiting' };
  guarded(() => db.exec('PRAGMA wal_autocheckpoint = 0'), undefined);

  const giveUp = () => {
    state = { kind: 'automatic' };
    guarded(() => db.exec('PRAGMA wal_autocheckpoint = 1000'), undefined);
  };

  const start = (): State => {
    try {
      const worker = new Worker(THREAD, { eval: true, workerData: { file }, stderr: true });
      const running: State = { kind: 'running', worker, isBusy: false };
      worker.on('message', (isEmpty: boolean) => {
        running.isBusy = false;
        bytesSinceEmpty = isEmpty ? bytesSince : bytesSinceEmpty;
      });
      worker.on('error', giveUp);
      // Last, since a listener holds the process again.
      worker.unref();
      return running;
    } catch {
      giveUp();
      return state;
    }
  };

  return {
    written(bytes) {
      bytesSince += bytes;
      bytesSinceEmpty += bytes;
      if (bytesSinceEmpty > MAX_BYTES && state.kind === 'running') {
        // Busy while the thread is at it: then the next batch tries again.
        const isBusy = guarded(() => db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.['busy'], 1) !== 0;
        bytesSinceEmpty = isBusy ? bytesSinceEmpty : 0;
      }
      if (bytesSince < BYTES_BETWEEN || state.kind === 'automatic') {
        return;
      }
      if (state.kind === 'waiting') {
        state = start();
      }
      if (state.kind === 'running' && !state.isBusy) {
        bytesSince = 0;
        state.isBusy = true;
        state.worker.postMessage('checkpoint');
      }
    },
    close() {
      if (state.kind === 'running') {
        state.worker.removeAllListeners('error');
        void state.worker.terminate();
      }
      state = { kind: 'automatic' };
    },
  };
}
