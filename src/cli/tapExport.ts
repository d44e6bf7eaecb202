import process from 'node:process';
import { systemClock } from '../base/systemClock.ts';
import { Correlator } from '../core/classify/correlate.ts';
import { judge } from '../core/classify/judge.ts';
import type { OtlpExporter, OtlpStatus } from '../core/export/otlp/exporter.ts';
import { PROTOCOLS, readSettings } from '../core/export/otlp/settings.ts';
import type { RecordFollower } from '../core/passthrough/recorder.ts';
import type { RecorderSettings } from '../core/passthrough/recorderMessages.ts';
import type { SessionId } from '../protocol/events.ts';
import { VERSION } from '../protocol/version.ts';
import { lostSentences, otlpSentence } from './otlpWords.ts';

// Its own bundle, loaded by the thread of a tap that exports.

/** What a tap sends at its end may take so long, ms: whoever ends it gives it little more. */
const CLOSE_MS = 1500;

/** Exports what a tap records. Tells each kind of problem once; one that keeps it from exporting at all gives nothing. */
export async function followForExport(
  otlp: NonNullable<RecorderSettings['otlp']>,
  session: SessionId,
  onProblem: (code: string, detail: string) => void,
): Promise<RecordFollower | undefined> {
  const told = new Set<string>();
  const tell = (code: string, detail: string) => {
    if (!told.has(code)) {
      told.add(code);
      onProblem(code, detail);
    }
  };
  const onStatus = (status: OtlpStatus) => {
    const { state, dropped } = status;
    // One hiccup is nothing to tell.
    if (state.kind === 'waiting' && state.failures > 1) {
      tell('otlp.waiting', state.why);
    }
    if (dropped.rejected !== undefined || dropped.queue_full !== undefined) {
      tell('otlp.lost.some', lossOf(status));
    }
  };
  const exporter = await open(otlp, session, onStatus);
  if ('problem' in exporter) {
    tell('otlp.off', exporter.problem);
    return undefined;
  }
  return {
    take(events, missing = 0) {
      exporter.take(events);
      exporter.missed(missing);
    },
    async close() {
      const status = await exporter.close(CLOSE_MS);
      return Object.keys(status.dropped).length === 0
        ? undefined
        : otlpSentence({ code: 'otlp.lost.some', args: { detail: lossOf(status) } });
    },
  };
}

function lossOf({ dropped, lastProblem }: OtlpStatus): string {
  return [...lostSentences(dropped), ...(lastProblem === undefined ? [] : [lastProblem])].join(' ');
}

async function open(
  { endpoint, protocol }: NonNullable<RecorderSettings['otlp']>,
  session: SessionId,
  onStatus: (status: OtlpStatus) => void,
): Promise<OtlpExporter | { readonly problem: string }> {
  const known = PROTOCOLS.find((name) => name === protocol);
  const settings = readSettings({ endpoint, protocol: known }, process.env);
  const { openExporter } = await import('../core/export/otlp/exporter.ts');
  const opened =
    'code' in settings
      ? settings
      : await openExporter({
          settings,
          version: VERSION,
          instance: session,
          clock: systemClock,
          random: Math.random,
          projector: new Correlator(judge),
          onStatus,
        });
  return 'code' in opened ? { problem: otlpSentence(opened) } : opened;
}
