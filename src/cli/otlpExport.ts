import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { systemClock } from '../base/systemClock.ts';
import { Correlator } from '../core/classify/correlate.ts';
import { judge } from '../core/classify/judge.ts';
import { type Protocol, readSettings } from '../core/export/otlp/settings.ts';
import { EventRedaction } from '../core/log/redact/redactEvent.ts';
import { Redactor } from '../core/log/redact/redactor.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Exchange } from '../protocol/exchange.ts';
import { VERSION } from '../protocol/version.ts';
import { type ExitCode, exitCodes } from './exitCodes.ts';
import { lostSentences, otlpSentence } from './otlpWords.ts';
import type { Terminal } from './terminal.ts';

// Its own bundle, loaded by `faultline export --otlp`.

/** Options of `faultline export --otlp`; absent what the environment says. */
export interface OtlpExportOptions {
  readonly otlpEndpoint?: string;
  readonly otlpProtocol?: Protocol;
  /** `Name: value`. */
  readonly otlpHeader?: readonly string[];
  readonly otlpCompression?: 'gzip' | 'none';
  readonly otlpTimeoutMs?: number;
  readonly otlpCa?: string;
  readonly otlpCert?: string;
  readonly otlpKey?: string;
  /** Arguments and results of tools as well. */
  readonly otlpContent?: boolean;
  /** Spans alone when false. */
  readonly otlpMetrics?: boolean;
}

/** Exports recorded events, or those of the exchanges with these keys, with their own times; secrets are replaced once more. */
export async function exportToOtlp(
  events: AsyncIterable<LogEvent>,
  { instance, keys }: { readonly instance: string; readonly keys: ReadonlySet<number> | undefined },
  options: OtlpExportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const headers = headersOf(options.otlpHeader ?? []);
  if ('problem' in headers) {
    terminal.err(`faultline: ${headers.problem}\n`);
    return exitCodes.failed;
  }
  const settings = readSettings(
    {
      endpoint: options.otlpEndpoint,
      protocol: options.otlpProtocol,
      headers: headers.named,
      compression: options.otlpCompression,
      timeoutMs: options.otlpTimeoutMs,
      certificate: options.otlpCa,
      clientCertificate: options.otlpCert,
      clientKey: options.otlpKey,
      hasContent: options.otlpContent,
    },
    process.env,
  );
  const { openExporter } = await import('../core/export/otlp/exporter.ts');
  const exporter =
    'code' in settings
      ? settings
      : await openExporter({
          settings,
          version: VERSION,
          instance,
          clock: systemClock,
          random: Math.random,
          projector: new Correlator(judge),
          patienceMs: settings.patienceMs,
          ...(keys === undefined ? {} : { isWanted: ({ key }: Exchange) => keys.has(key) }),
        });
  if ('code' in exporter) {
    terminal.err(`faultline: ${otlpSentence(exporter)}\n`);
    return exitCodes.failed;
  }
  const { sent, dropped, endpoint, lastProblem } = await exporter.read(redacted(events), options.otlpMetrics !== false);
  terminal.err(`spans exported to ${endpoint}: ${sent}\n`);
  const lost = lostSentences(dropped);
  if (lost.length > 0) {
    terminal.err(`faultline: ${[...lost, lastProblem ?? ''].join(' ').trim()}\n`);
  }
  return lost.length > 0 ? exitCodes.failed : exitCodes.clean;
}

async function* redacted(events: AsyncIterable<LogEvent>): AsyncGenerator<LogEvent, void, undefined> {
  const redaction = new EventRedaction(new Redactor(randomBytes(32)));
  for await (const event of events) {
    yield { ...redaction.redact(event), seq: event.seq };
  }
}

function headersOf(
  lines: readonly string[],
): { readonly named: Readonly<Record<string, string>> } | { readonly problem: string } {
  const named: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) {
      return { problem: '--otlp-header takes "Name: value"' };
    }
    named[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return { named };
}
