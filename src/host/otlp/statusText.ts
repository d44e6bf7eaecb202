import * as vscode from 'vscode';
import type { OtlpStatus } from '../../core/export/otlp/exporter.ts';
import { say } from '../say.ts';

/** How the export of this window goes. */
export type ExportState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'on'; readonly status: OtlpStatus }
  /** Nothing is exported; `why` is a sentence. */
  | { readonly kind: 'off'; readonly why: string };

export interface StatusLine {
  readonly text: string;
  /** Its first line says what matters. */
  readonly tooltip: string;
  readonly severity: 'none' | 'warning' | 'error';
}

/** The item of the status bar. */
export function statusLine(state: ExportState): StatusLine {
  const { t } = vscode.l10n;
  switch (state.kind) {
    case 'starting':
      return { text: '$(cloud-upload) OTLP', tooltip: t('The export to OpenTelemetry is starting.'), severity: 'none' };
    case 'off':
      return { text: '$(error) OTLP', tooltip: say('otlp.off', { detail: state.why }), severity: 'error' };
    case 'on': {
      const { status } = state;
      const { endpoint, protocol, sent, waiting, lastProblem } = status;
      const isWaiting = status.state.kind === 'waiting';
      const losses = lossesOf(status);
      const lines = [
        ...(status.state.kind === 'waiting' ? [say('otlp.waiting', { detail: status.state.why })] : []),
        ...losses,
        ...(losses.length > 0 && !isWaiting && lastProblem !== undefined ? [lastProblem] : []),
        t('Exporting to {0} ({1}). Spans sent: {2}, waiting: {3}.', endpoint, protocol, sent, waiting),
      ];
      const hasTrouble = isWaiting || losses.length > 0;
      return {
        text: hasTrouble ? '$(warning) OTLP' : '$(cloud-upload) OTLP',
        tooltip: lines.join('\n'),
        severity: isWaiting ? 'warning' : 'none',
      };
    }
  }
}

/** Is it so wrong that a person is told once? */
export function isTroubled(state: ExportState, failures: number): boolean {
  switch (state.kind) {
    case 'starting':
      return false;
    case 'off':
      return true;
    case 'on':
      return (
        Object.keys(state.status.dropped).length > 0 ||
        (state.status.state.kind === 'waiting' && state.status.state.failures >= failures)
      );
  }
}

/** What never arrived, a sentence for each reason. */
export function lossesOf({ dropped }: OtlpStatus): readonly string[] {
  return Object.entries(dropped).map(([reason, count]) => say(`otlp.lost.${reason}`, { count }));
}

/** For a bug report, English; of the endpoint only what is no secret. */
export function describeStatus(state: ExportState): readonly string[] {
  switch (state.kind) {
    case 'starting':
      return ['- starting'];
    case 'off':
      return [`- nothing is exported: ${state.why}`];
    case 'on': {
      const { protocol, sent, waiting, dropped, lastProblem } = state.status;
      return [
        `- ${protocol}, ${state.status.state.kind}: ${sent} spans sent, ${waiting} waiting`,
        ...Object.entries(dropped).map(([reason, count]) => `- ${count} lost: ${reason}`),
        ...(lastProblem === undefined ? [] : [`- last problem: ${withoutAddress(lastProblem)}`]),
      ];
    }
  }
}

/** The system's word for it, or the collector's status: what else it says may name a host. */
function withoutAddress(problem: string): string {
  return /HTTP \d{3}|gRPC [A-Z_]+|\bE[A-Z]{3,20}\b|no answer within \d+ ms/.exec(problem)?.[0] ?? 'other';
}
