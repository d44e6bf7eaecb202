import { systemClock } from '../../../src/base/systemClock.ts';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import { type OtlpExporter, type OtlpStatus, openExporter } from '../../../src/core/export/otlp/exporter.ts';
import { type OtlpOptions, readSettings } from '../../../src/core/export/otlp/settings.ts';

export interface OpenOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly patienceMs?: number;
  onStatus?(status: OtlpStatus): void;
}

/** An exporter of this process; settings that cannot be used fail the test. */
export async function startExporter(
  options: OtlpOptions,
  { env = {}, patienceMs, onStatus }: OpenOptions = {},
): Promise<OtlpExporter> {
  const settings = readSettings(options, { OTEL_BSP_SCHEDULE_DELAY: '20', ...env });
  if ('code' in settings) {
    throw new Error(JSON.stringify(settings));
  }
  const exporter = await openExporter({
    settings,
    version: '0.1.0',
    instance: 's1',
    clock: systemClock,
    // No jitter above the least: what is tested waits no longer than it must.
    random: () => 0,
    projector: new Correlator(judge),
    ...(patienceMs === undefined ? {} : { patienceMs }),
    ...(onStatus === undefined ? {} : { onStatus }),
  });
  if ('code' in exporter) {
    throw new Error(JSON.stringify(exporter));
  }
  return exporter;
}

/** Resolves when `isSo`, which is looked at again and again; fails by the test's own limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
