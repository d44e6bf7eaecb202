import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { Batch } from './passage.ts';
import type { FromRecorder, RecorderSettings } from './recorderMessages.ts';
import { createTape, type Tape } from './tape.ts';

/**
 * A message that needs more than this ends the thread, not the process: with the whole process's memory to fill, recording
 * could take traffic down.
 */
const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 2 };
/** Times that a thread is started anew. What kills it so often will go on to. */
const MAX_RESTARTS = 3;

export interface RecorderThreadOptions {
  /** The script of the thread; it calls `runRecorder`. */
  readonly script: string | URL;
  readonly settings: RecorderSettings;
  readonly clock: Clock;
  /** Told of what keeps events from being recorded, each kind once: a code of `protocol/texts/log.ts` and its detail. */
  readonly onProblem: (code: string, detail: string) => void;
}

export interface RecorderThread {
  readonly tape: Tape;
  /** Starts the thread, once; what is told before waits. */
  start(): void;
  /** Writes what waits, for at most `limitMs`, and ends the thread. Resolves to whether all was written. Never rejects. */
  close(limitMs: number): Promise<boolean>;
}

/** Records on a thread of its own, so that neither a slow disk nor a large message holds up what is forwarded. */
export function createRecorderThread({ script, settings, clock, onProblem }: RecorderThreadOptions): RecorderThread {
  /** Batches from before the thread was started. */
  let early: { readonly batch: Batch; readonly transfer: readonly ArrayBuffer[] }[] | undefined = [];
  let worker: Worker | undefined;
  let restarts = 0;
  let hasFailed = false;
  let onClosed: ((isWhole: boolean) => void) | undefined;

  const tape = createTape({
    clock,
    post(batch, transfer) {
      if (early !== undefined) {
        early.push({ batch, transfer });
        return true;
      }
      worker?.postMessage(batch, transfer);
      return worker !== undefined;
    },
  });

  function start(): void {
    if (early === undefined) {
      return;
    }
    const started = startWorker();
    worker = started;
    for (const { batch, transfer } of early) {
      started?.postMessage(batch, transfer);
    }
    early = undefined;
  }

  function startWorker(): Worker | undefined {
    try {
      // Its own streams: a warning on our stdout would be taken for a message of the server.
      const started = new Worker(script, {
        workerData: settings,
        resourceLimits: LIMITS,
        stdin: false,
        stdout: true,
        stderr: true,
      });
      started.on('message', (message: FromRecorder) => hear(message));
      started.on('error', (error) => failed(messageOf(error)));
      started.on('exit', () => failed('It ended.'));
      // Last, since a listener holds the process again.
      started.unref();
      return started;
    } catch (error) {
      onProblem('log.tap.recorder', messageOf(error));
      return undefined;
    }
  }

  function hear(message: FromRecorder): void {
    switch (message.kind) {
      case 'recorded':
        tape.recorded(message.weight);
        break;
      case 'problem':
        onProblem(message.code, message.detail);
        break;
      case 'closed':
        onClosed?.(true);
        break;
    }
  }

  function failed(detail: string): void {
    const dead = worker;
    worker = undefined;
    dead?.removeAllListeners();
    if (onClosed !== undefined) {
      onClosed(false);
      return;
    }
    if (!hasFailed) {
      hasFailed = true;
      onProblem('log.tap.recorder', detail);
    }
    if (restarts < MAX_RESTARTS) {
      restarts += 1;
      worker = startWorker();
    }
    tape.lost('log.gap.tap-recorder');
  }

  return {
    tape,
    start,
    close(limitMs) {
      start();
      tape.flush();
      const current = worker;
      if (current === undefined) {
        return Promise.resolve(false);
      }
      return new Promise((resolve) => {
        const timer = clock.setTimer(limitMs, () => onClosed?.(false));
        onClosed = (isWhole) => {
          onClosed = undefined;
          timer.dispose();
          current.removeAllListeners();
          resolve(isWhole);
        };
        current.postMessage('close');
      });
    },
  };
}
