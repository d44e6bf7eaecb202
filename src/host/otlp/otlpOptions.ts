import type { OtlpOptions, SettingsProblem } from '../../core/export/otlp/settings.ts';
import { PROTOCOLS } from '../../core/export/otlp/settings.ts';
import type { Settings } from '../contributions.ts';

type OtlpSetting = Extract<keyof Settings, `otlp.${string}`>;

/** Reads one setting of `faultline.otlp`. */
export type ReadOtlp = <S extends OtlpSetting>(name: S) => Settings[S];

/**
 * The settings in the terms of the exporter, with `${secret:name}` in headers filled in. Empty ones are left to the
 * environment. A secret that is not kept is a problem: without it, the collector would only refuse.
 */
export async function readOtlpOptions(
  read: ReadOtlp,
  secret: (name: string) => PromiseLike<string | undefined>,
): Promise<OtlpOptions | SettingsProblem> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(read('otlp.headers'))) {
    if (typeof value !== 'string') {
      continue;
    }
    let filled = value;
    for (const [place = '', wanted = ''] of value.matchAll(/\$\{secret:([^{}]+)\}/g)) {
      const kept = await secret(wanted);
      if (kept === undefined) {
        return { code: 'otlp.settings.secret', args: { name: wanted } };
      }
      filled = filled.replaceAll(place, () => kept);
    }
    headers[name] = filled;
  }
  const compression = read('otlp.compression');
  return {
    endpoint: read('otlp.endpoint'),
    protocol: PROTOCOLS.find((known) => known === read('otlp.protocol')),
    headers,
    compression: compression === 'gzip' || compression === 'none' ? compression : undefined,
    timeoutMs: read('otlp.timeoutMs') > 0 ? read('otlp.timeoutMs') : undefined,
    certificate: read('otlp.certificate'),
    clientCertificate: read('otlp.clientCertificate'),
    clientKey: read('otlp.clientKey'),
    serviceName: read('otlp.serviceName'),
    resourceAttributes: texts(read('otlp.resourceAttributes')),
    hasContent: read('otlp.content'),
  };
}

/** Settings are whatever a person has typed. */
function texts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
