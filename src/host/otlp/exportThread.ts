import { Worker } from 'node:worker_threads';
import { messageOf } from '../../base/messageOf.ts';
import type { OtlpStatus } from '../../core/export/otlp/exporter.ts';
import type { SettingsProblem } from '../../core/export/otlp/settings.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { ExportThreadSettings, FromExportThread, ToExportThread } from './threadMessages.ts';

/** The thread's memory, MB: beyond it the thread ends, and the extension host goes on. */
const LIMITS = { maxOldGenerationSizeMb: 512 };
/** What it may be behind; further events are counted as missing. */
const MAX_EVENTS = 20_000;
const MAX_LENGTH = 64 * 1024 * 1024;

export interface ExportThreadOptions {
  readonly script: string;
  readonly settings: ExportThreadSettings;
  onStatus(status: OtlpStatus): void;
  /** It will export nothing, or nothing any more. */
  onProblem(problem: SettingsProblem): void;
}

/** A thread that exports. Nothing here throws, waits or grows without a bound. */
export class ExportThread {
  private readonly worker: Worker;
  private readonly options: ExportThreadOptions;
  /** Sizes of the batches that it has not dealt with. */
  private readonly behind: { readonly events: number; readonly length: number }[] = [];
  private missing = 0;
  private isOver = false;
  private readonly ended: Promise<OtlpStatus | undefined>;
  private resolveEnded: (status: OtlpStatus | undefined) => void = () => undefined;
  private waiters: (() => void)[] = [];

  constructor(options: ExportThreadOptions) {
    this.options = options;
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
    this.worker = new Worker(options.script, { workerData: options.settings, resourceLimits: LIMITS });
    this.worker.on('message', (message: FromExportThread) => this.hear(message));
    this.worker.on('error', (error) => this.fail(messageOf(error)));
    this.worker.on('exit', () => this.over(undefined));
    this.worker.unref();
  }

  /** Batches that it has not dealt with. */
  get batchesBehind(): number {
    return this.behind.length;
  }

  /** Hands events over, or counts them as missing when the thread is too far behind. */
  take(events: readonly LogEvent[]): void {
    if (this.isOver || events.length === 0) {
      return;
    }
    const length = events.reduce((sum, { body }) => sum + ('raw' in body ? body.raw.length : 0), 0);
    const held = this.behind.reduce(
      (sum, batch) => ({ events: sum.events + batch.events, length: sum.length + batch.length }),
      { events: events.length, length },
    );
    const isTooMuch = held.events > MAX_EVENTS || held.length > MAX_LENGTH;
    // Of what is read back, whoever reads it waits for room.
    if (isTooMuch && this.behind.length > 0 && this.options.settings.mode === 'live') {
      this.missing += events.length;
      return;
    }
    this.behind.push({ events: events.length, length });
    this.post({ kind: 'events', events, missing: this.missing });
    this.missing = 0;
  }

  /** Resolves when fewer than `batches` wait, or the thread is over. */
  async room(batches: number): Promise<void> {
    while (!this.isOver && this.behind.length >= batches) {
      await new Promise<void>((resolve) => {
        this.waiters.push(resolve);
      });
    }
  }

  /** Lets it send what is left; resolves to how it went, `undefined` when it has failed. */
  end(limitMs: number): Promise<OtlpStatus | undefined> {
    if (!this.isOver) {
      this.post({ kind: 'end', limitMs });
    }
    return this.ended;
  }

  /** Ends it at once. */
  stop(): void {
    this.over(undefined);
    void this.worker.terminate();
  }

  private post(message: ToExportThread): void {
    this.worker.postMessage(message);
  }

  private hear(message: FromExportThread): void {
    switch (message.kind) {
      case 'taken':
        this.behind.shift();
        this.wake();
        return;
      case 'status':
        this.options.onStatus(message.status);
        return;
      case 'problem':
        this.options.onProblem(message.problem);
        this.over(undefined);
        return;
      case 'ended':
        this.options.onStatus(message.status);
        this.over(message.status);
    }
  }

  private fail(detail: string): void {
    if (!this.isOver) {
      this.options.onProblem({ code: 'otlp.thread.failed', args: { detail } });
    }
    this.over(undefined);
  }

  private over(status: OtlpStatus | undefined): void {
    this.isOver = true;
    this.resolveEnded(status);
    this.wake();
  }

  private wake(): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const resolve of waiters) {
      resolve();
    }
  }
}
