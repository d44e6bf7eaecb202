import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/systemClock.ts';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import type { OtlpExporter } from '../../core/export/otlp/exporter.ts';
import { readSettings } from '../../core/export/otlp/settings.ts';
import { EventRedaction } from '../../core/log/redact/redactEvent.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { ExportThreadSettings, FromExportThread, ToExportThread } from './threadMessages.ts';

// The thread that exports: projecting, encoding and sending cost the extension host nothing. No `vscode` here.

/** Between two tellings of how it goes, ms. */
const TELL_MS = 250;

if (parentPort !== null) {
  // Written by the thread that started this one.
  void run(parentPort, workerData as ExportThreadSettings);
}

async function run(port: MessagePort, settings: ExportThreadSettings): Promise<void> {
  const say = (message: FromExportThread) => port.postMessage(message);
  const early: ToExportThread[] = [];
  let take = (message: ToExportThread): void => {
    early.push(message);
  };
  port.on('message', (message: ToExportThread) => take(message));
  const exporter = await open(settings, () => tellSoon());
  if ('code' in exporter) {
    say({ kind: 'problem', problem: exporter });
    port.close();
    return;
  }
  let isTelling = false;
  function tellSoon(): void {
    if (!isTelling && !('code' in exporter)) {
      isTelling = true;
      systemClock.setTimer(TELL_MS, () => {
        isTelling = false;
        say({ kind: 'status', status: exporter.status });
      });
    }
  }
  const ended = (status: OtlpExporter['status']) => {
    say({ kind: 'ended', status });
    port.close();
  };
  take = settings.mode === 'live' ? takeLive(exporter, say, ended) : takeRecorded(exporter, say, ended);
  early.splice(0).forEach(take);
}

function takeLive(
  exporter: OtlpExporter,
  say: (message: FromExportThread) => void,
  ended: (status: OtlpExporter['status']) => void,
): (message: ToExportThread) => void {
  return (message) => {
    if (message.kind === 'end') {
      void exporter.close(message.limitMs).then(ended);
      return;
    }
    exporter.take(message.events);
    exporter.missed(message.missing);
    say({ kind: 'taken' });
  };
}

/** Batches wait for each other: the next is asked for when one has found room. */
function takeRecorded(
  exporter: OtlpExporter,
  say: (message: FromExportThread) => void,
  ended: (status: OtlpExporter['status']) => void,
): (message: ToExportThread) => void {
  const redaction = new EventRedaction(new Redactor(randomBytes(32)));
  const batches: (readonly LogEvent[] | undefined)[] = [];
  let wake = () => undefined as unknown;
  async function* events(): AsyncGenerator<LogEvent, void, undefined> {
    for (;;) {
      while (batches.length === 0) {
        await new Promise<unknown>((resolve) => {
          wake = () => resolve(undefined);
        });
      }
      const batch = batches.shift();
      if (batch === undefined) {
        return;
      }
      for (const event of batch) {
        // What was recorded raw leaves the machine without its secrets all the same.
        yield { ...redaction.redact(event), seq: event.seq };
      }
      say({ kind: 'taken' });
    }
  }
  void exporter.read(events(), true).then(ended);
  return (message) => {
    batches.push(message.kind === 'end' ? undefined : message.events);
    wake();
  };
}

async function open({ options, version, instance, mode, keys }: ExportThreadSettings, onStatus: () => void) {
  const settings = readSettings(options, process.env);
  if ('code' in settings) {
    return settings;
  }
  const wanted = keys === undefined ? undefined : new Set(keys);
  const { openExporter } = await import('../../core/export/otlp/exporter.ts');
  return openExporter({
    settings,
    version,
    instance,
    clock: systemClock,
    random: Math.random,
    projector: new Correlator(judge),
    onStatus,
    ...(mode === 'read' ? { patienceMs: settings.patienceMs } : {}),
    ...(wanted === undefined ? {} : { isWanted: ({ key }: Exchange) => wanted.has(key) }),
  });
}
