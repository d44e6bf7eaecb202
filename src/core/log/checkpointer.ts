import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { guarded } from './rows.ts';

/** Written to the write-ahead log before it is carried into the file. Less often, and the log would take more room than it saves. */
const BYTES_BETWEEN = 8 * 1024 * 1024;
/** A writer that never pauses never lets the thread come to an end: from here on it has to wait once. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What the thread says in the memory that is shared with it: seen at once, also by a writer that takes no turn. */
const WORKING = 0;
const EMPTY = 1;
const NOT_EMPTY = 2;

/**
 * In a thread of its own: carrying 8 MB over takes 10 ms of work and then a disk's time, in which a host would stand still.
 * A passive checkpoint keeps no writer waiting; it reports the length that the log had when it began, so that only a
 * second one of the same length says that nothing was written meanwhile, and that the log can begin anew. A text, since a bundle has no file for it; silent, since a thread warns on the stderr of everybody.
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
    for (let attempt = 0, before = -1; attempt < 8 && !isEmpty; attempt++) {
      const { log, checkpointed } = checkpoint.get();
      isEmpty = log === checkpointed && log === before;
      before = log;
    }
    Atomics.store(workerData.said, 0, isEmpty ? ${EMPTY} : ${NOT_EMPTY});
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
  | { readonly kind: 'running'; readonly worker: Worker; readonly said: Int32Array }
  /** SQLite does it by itself, on the thread that writes. */
  | { readonly kind: 'automatic' };

/** Keeps the write-ahead log of the file that `db` writes short. Without threads SQLite does it, as by default. */
export function createCheckpointer(db: DatabaseSync, file: string): Checkpointer {
  /** Since the thread was asked last, and since the log was known to be empty. */
  let bytesSince = 0;
  let bytesInLog = 0;
  let state: State = { kind: 'waiting' };
  guarded(() => db.exec('PRAGMA wal_autocheckpoint = 0'), undefined);

  const giveUp = () => {
    state = { kind: 'automatic' };
    guarded(() => db.exec('PRAGMA wal_autocheckpoint = 1000'), undefined);
  };

  const start = (): State => {
    try {
      const said = new Int32Array(new SharedArrayBuffer(4));
      said[0] = NOT_EMPTY;
      const worker = new Worker(THREAD, { eval: true, workerData: { file, said }, stderr: true });
      worker.on('error', giveUp);
      // Last, since a listener holds the process again.
      worker.unref();
      return { kind: 'running', worker, said };
    } catch {
      giveUp();
      return state;
    }
  };

  const askThread = ({ worker, said }: Extract<State, { kind: 'running' }>) => {
    const word = Atomics.load(said, 0);
    if (word === WORKING) {
      return;
    }
    if (word === EMPTY) {
      bytesInLog = bytesSince;
    }
    bytesSince = 0;
    if (bytesInLog > MAX_BYTES) {
      // Here nobody writes meanwhile, so that it does come to an end.
      guarded(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)'), undefined);
      bytesInLog = 0;
      return;
    }
    Atomics.store(said, 0, WORKING);
    worker.postMessage('checkpoint');
  };

  return {
    written(bytes) {
      bytesSince += bytes;
      bytesInLog += bytes;
      if (bytesSince < BYTES_BETWEEN) {
        return;
      }
      if (state.kind === 'waiting') {
        state = start();
      }
      if (state.kind === 'running') {
        askThread(state);
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
