import type { Encoding } from './encode.ts';
import type { Temporality } from './metrics.ts';
import type { Signal } from './transport.ts';

export type Protocol = 'http/protobuf' | 'http/json' | 'grpc';

export const PROTOCOLS: readonly Protocol[] = ['http/protobuf', 'http/json', 'grpc'];

/** What a person has said, in settings or on a command line; absent what is left to the environment. */
export interface OtlpOptions {
  readonly endpoint?: string | undefined;
  readonly protocol?: Protocol | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly compression?: 'gzip' | 'none' | undefined;
  readonly timeoutMs?: number | undefined;
  /** Paths of PEM files. */
  readonly certificate?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly resourceAttributes?: Readonly<Record<string, string>> | undefined;
  /** Arguments and results of tools are exported, redacted. */
  readonly hasContent?: boolean | undefined;
}

export interface SignalSettings {
  readonly isEnabled: boolean;
  readonly url: URL;
  readonly protocol: Protocol;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'gzip' | 'none';
  readonly timeoutMs: number;
  /** Paths of PEM files. */
  readonly certificate?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** Where and how to export: what a person said, else the environment, else the defaults of OpenTelemetry. */
export interface OtlpSettings {
  readonly traces: SignalSettings;
  readonly metrics: SignalSettings;
  readonly resource: Readonly<Record<string, string>>;
  readonly hasContent: boolean;
  readonly temporality: Temporality;
  readonly maxQueue: number;
  readonly maxBatch: number;
  readonly delayMs: number;
  readonly metricIntervalMs: number;
  /** After the fact: for how long a collector may take nothing before all is given up. */
  readonly patienceMs: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** `code` of `protocol/texts/otlp.ts`. */
export interface SettingsProblem {
  readonly code: string;
  readonly args: Readonly<Record<string, string>>;
}

const PATHS: Readonly<Record<Signal, string>> = { traces: 'v1/traces', metrics: 'v1/metrics' };
const LONGEST_TIMEOUT_MS = 10 * 60 * 1000;

/** Which of the two encodings a protocol carries. */
export function encodingOf(protocol: Protocol): Encoding {
  return protocol === 'http/json' ? 'json' : 'protobuf';
}

/**
 * Reads options and environment (OpenTelemetry specification, "OTLP Exporter Configuration", "Environment Variables"). An empty
 * variable counts as absent. A value that cannot be used is a problem rather than a silent default, since telemetry would go
 * elsewhere than somebody meant.
 */
export function readSettings(options: OtlpOptions, env: Environment): OtlpSettings | SettingsProblem {
  try {
    const isDisabled = text(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
    return {
      traces: signalSettings('traces', options, env, isDisabled),
      metrics: signalSettings('metrics', options, env, isDisabled),
      resource: {
        'service.name': 'faultline',
        ...pairs('OTEL_RESOURCE_ATTRIBUTES', text(env, 'OTEL_RESOURCE_ATTRIBUTES')),
        ...named('service.name', text(env, 'OTEL_SERVICE_NAME')),
        ...options.resourceAttributes,
        ...named('service.name', given(options.serviceName)),
      },
      hasContent: options.hasContent === true,
      temporality: temporalityOf(text(env, 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE')),
      maxQueue: number(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 16_384, 1, 1_000_000),
      maxBatch: number(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1, 100_000),
      delayMs: number(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000, 0, 3_600_000),
      metricIntervalMs: number(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000, 1000, 86_400_000),
      patienceMs: number(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000, 0, 3_600_000),
    };
  } catch (error) {
    if (error instanceof Unusable) {
      return error.problem;
    }
    throw error;
  }
}

/** Within this file only. */
class Unusable extends Error {
  readonly problem: SettingsProblem;

  constructor(code: string, args: Readonly<Record<string, string>>) {
    super(code);
    this.problem = { code, args };
  }
}

function signalSettings(signal: Signal, options: OtlpOptions, env: Environment, isDisabled: boolean): SignalSettings {
  const upper = signal.toUpperCase();
  const read = (name: string) =>
    text(env, `OTEL_EXPORTER_OTLP_${upper}_${name}`) ?? text(env, `OTEL_EXPORTER_OTLP_${name}`);
  const protocol = options.protocol ?? protocolOf(read('PROTOCOL'));
  const compression = options.compression ?? (read('COMPRESSION') === 'none' ? 'none' : 'gzip');
  const files = {
    certificate: given(options.certificate) ?? read('CERTIFICATE'),
    clientCertificate: given(options.clientCertificate) ?? read('CLIENT_CERTIFICATE'),
    clientKey: given(options.clientKey) ?? read('CLIENT_KEY'),
  };
  return {
    isEnabled: !isDisabled && text(env, `OTEL_${upper}_EXPORTER`) !== 'none',
    url: urlOf(signal, protocol, options, env, read('INSECURE')),
    protocol,
    headers: {
      ...pairs('OTEL_EXPORTER_OTLP_HEADERS', text(env, 'OTEL_EXPORTER_OTLP_HEADERS')),
      ...pairs(`OTEL_EXPORTER_OTLP_${upper}_HEADERS`, text(env, `OTEL_EXPORTER_OTLP_${upper}_HEADERS`)),
      ...options.headers,
    },
    compression,
    timeoutMs: Math.min(LONGEST_TIMEOUT_MS, Math.max(1, options.timeoutMs ?? (Number(read('TIMEOUT')) || 10_000))),
    ...Object.fromEntries(Object.entries(files).filter(([, path]) => path !== undefined)),
  };
}

/**
 * Of HTTP, the path of the signal is added to an endpoint for all signals, and nothing to one for a signal alone. Of gRPC, the
 * scheme says whether there is TLS; without a scheme there is, unless it is said to be insecure.
 */
function urlOf(signal: Signal, protocol: Protocol, options: OtlpOptions, env: Environment, insecure?: string): URL {
  const isGrpc = protocol === 'grpc';
  const own = given(options.endpoint);
  const specific = own === undefined ? text(env, `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`) : undefined;
  const common = own ?? text(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') ?? `http://localhost:${isGrpc ? '4317' : '4318'}`;
  const chosen = specific ?? common;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(chosen);
  const scheme = insecure?.toLowerCase() === 'true' ? 'http' : 'https';
  const full = isGrpc && !hasScheme ? `${scheme}://${chosen}` : chosen;
  if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol)) {
    throw new Unusable('otlp.settings.endpoint', { value: chosen.slice(0, 200) });
  }
  const url = new URL(full);
  if (url.username !== '' || url.password !== '') {
    throw new Unusable('otlp.settings.userinfo', {});
  }
  if (!isGrpc && specific === undefined) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${PATHS[signal]}`;
  }
  return url;
}

function protocolOf(value: string | undefined): Protocol {
  const protocol = PROTOCOLS.find((known) => known === (value ?? 'http/protobuf'));
  if (protocol === undefined) {
    throw new Unusable('otlp.settings.protocol', { value: (value ?? '').slice(0, 40) });
  }
  return protocol;
}

function temporalityOf(value: string | undefined): Temporality {
  const lower = value?.toLowerCase();
  return lower === 'delta' || lower === 'lowmemory' ? lower : 'cumulative';
}

/** `name=value,name=value`, percent-encoded (W3C Baggage, without properties). */
function pairs(variable: string, value: string | undefined): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const pair of value?.split(',') ?? []) {
    const equals = pair.indexOf('=');
    if (pair.trim() === '') {
      continue;
    }
    if (equals < 1) {
      throw new Unusable('otlp.settings.pairs', { variable });
    }
    found[decoded(pair.slice(0, equals))] = decoded(pair.slice(equals + 1));
  }
  return found;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.trim());
  } catch {
    // Not encoded, though the specification asks for it.
    return value.trim();
  }
}

function number(env: Environment, name: string, fallback: number, least: number, most: number): number {
  const value = Number(text(env, name) ?? fallback);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : fallback;
}

function named(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value };
}

function text(env: Environment, name: string): string | undefined {
  return given(env[name]);
}

function given(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}
