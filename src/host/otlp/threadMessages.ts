import type { OtlpStatus } from '../../core/export/otlp/exporter.ts';
import type { OtlpOptions, SettingsProblem } from '../../core/export/otlp/settings.ts';
import type { LogEvent } from '../../protocol/events.ts';

/** What the exporting thread is told at its start. It has the environment of this process. */
export interface ExportThreadSettings {
  readonly options: OtlpOptions;
  readonly version: string;
  /** `service.instance.id`. */
  readonly instance: string;
  /** `live`: events as they are recorded. `read`: recorded ones, of which nothing is dropped. */
  readonly mode: 'live' | 'read';
  /** Of `read`: the keys of the exchanges that are wanted; all when absent. */
  readonly keys?: readonly number[];
}

/** `missing`: events that there was no room for. */
export type ToExportThread =
  | { readonly kind: 'events'; readonly events: readonly LogEvent[]; readonly missing: number }
  /** Nothing more comes: what is left is sent, `live` for at most `limitMs`. */
  | { readonly kind: 'end'; readonly limitMs: number };

export type FromExportThread =
  /** A batch has been dealt with. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'status'; readonly status: OtlpStatus }
  /** Nothing is exported at all. */
  | { readonly kind: 'problem'; readonly problem: SettingsProblem }
  | { readonly kind: 'ended'; readonly status: OtlpStatus };
