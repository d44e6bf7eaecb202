import type { SessionId } from '../../protocol/events.ts';

/** What the recording thread is told at its start. */
export interface RecorderSettings {
  /** The log to write; looked for when absent. */
  readonly log: string | undefined;
  readonly cwd: string;
  readonly session: SessionId;
  /** The name of the server's entry in a configuration. */
  readonly server: string | undefined;
  /** What the server is called when neither a configuration nor the server itself names it. */
  readonly fallbackServer: string;
  readonly transport: 'stdio' | 'http';
  /** What is recorded is exported to OpenTelemetry as well, where the command line says, else the environment. */
  readonly otlp?: { readonly endpoint: string | undefined; readonly protocol: string | undefined } | undefined;
}

/** What the recording thread says. */
export type FromRecorder =
  | { readonly kind: 'recorded'; readonly weight: number }
  | { readonly kind: 'problem'; readonly code: string; readonly detail: string }
  | { readonly kind: 'closed' };
