import { describe, expect, it } from 'vitest';
import {
  type Environment,
  type OtlpOptions,
  type OtlpSettings,
  readSettings,
} from '../../../../../src/core/export/otlp/settings.ts';

function settings(options: OtlpOptions, env: Environment = {}): OtlpSettings {
  const read = readSettings(options, env);
  if ('code' in read) {
    throw new Error(JSON.stringify(read));
  }
  return read;
}

describe('where spans and metrics go', () => {
  it.each<[string, OtlpOptions, Environment, string, string]>([
    ['nothing said', {}, {}, 'http://localhost:4318/v1/traces', 'http://localhost:4318/v1/metrics'],
    ['gRPC', { protocol: 'grpc' }, {}, 'http://localhost:4317/', 'http://localhost:4317/'],
    [
      'a path for all signals',
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' },
      'https://c.example/otlp/v1/traces',
      'https://c.example/otlp/v1/metrics',
    ],
    [
      'one for a signal, which is taken as it is',
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:9/x' },
      'http://t:9/x',
      'http://c:4318/v1/metrics',
    ],
    [
      'a setting before every variable',
      { endpoint: 'http://s:1' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t' },
      'http://s:1/v1/traces',
      'http://s:1/v1/metrics',
    ],
    [
      'gRPC without a scheme, which means TLS',
      { protocol: 'grpc', endpoint: 'c.example:4317' },
      {},
      'https://c.example:4317/',
      'https://c.example:4317/',
    ],
    [
      'gRPC without a scheme, and insecure',
      { protocol: 'grpc', endpoint: 'c.example:4317' },
      { OTEL_EXPORTER_OTLP_INSECURE: 'true' },
      'http://c.example:4317/',
      'http://c.example:4317/',
    ],
    [
      'empty ones, which count as absent',
      { endpoint: ' ' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
      'http://localhost:4318/v1/traces',
      'http://localhost:4318/v1/metrics',
    ],
  ])('%s', (_, options, env, traces, metrics) => {
    const read = settings(options, env);
    expect([read.traces.url.href, read.metrics.url.href]).toEqual([traces, metrics]);
  });

  it.each<[string, OtlpOptions, Environment, string]>([
    ['no URL', { endpoint: 'collector' }, {}, 'otlp.settings.endpoint'],
    ['another scheme', {}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'file:///etc' }, 'otlp.settings.endpoint'],
    ['a password', { endpoint: 'http://me:secret@c' }, {}, 'otlp.settings.userinfo'],
    ['an unknown protocol', {}, { OTEL_EXPORTER_OTLP_PROTOCOL: 'thrift' }, 'otlp.settings.protocol'],
    ['headers that are none', {}, { OTEL_EXPORTER_OTLP_HEADERS: 'token' }, 'otlp.settings.pairs'],
    ['attributes that are none', {}, { OTEL_RESOURCE_ATTRIBUTES: '=x' }, 'otlp.settings.pairs'],
  ])('is refused when it cannot be what was meant: %s', (_, options, env, code) => {
    const read = readSettings(options, env);
    expect(read).toMatchObject({ code });
    expect(JSON.stringify(read)).not.toContain('secret');
  });

  it('takes the rest from settings, variables of a signal, variables of all, and defaults, in this order', () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=two%20words',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=3',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '7000',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca.pem',
      OTEL_SERVICE_NAME: 'named',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=blue',
      OTEL_METRICS_EXPORTER: 'none',
    };
    const read = settings({ headers: { a: '9' }, resourceAttributes: { team: 'red' } }, env);
    expect(read.traces).toMatchObject({
      isEnabled: true,
      protocol: 'http/json',
      headers: { a: '9', b: '3' },
      compression: 'none',
      timeoutMs: 5000,
      certificate: '/ca.pem',
    });
    expect(read.metrics).toMatchObject({
      isEnabled: false,
      protocol: 'http/protobuf',
      headers: { a: '9', b: 'two words' },
      timeoutMs: 7000,
    });
    expect(read.resource).toEqual({ 'service.name': 'named', team: 'red' });
    const bare = settings({});
    expect([bare.traces.compression, bare.traces.timeoutMs, bare.maxQueue, bare.maxBatch, bare.hasContent]).toEqual([
      'gzip',
      10_000,
      16_384,
      512,
      false,
    ]);
  });

  it.each([
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'maxQueue', '99999999', 1_000_000],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'maxQueue', '-3', 1],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'maxQueue', 'many', 16_384],
    ['OTEL_BSP_SCHEDULE_DELAY', 'delayMs', '0', 0],
    ['OTEL_METRIC_EXPORT_INTERVAL', 'metricIntervalMs', '1', 1000],
  ] as const)('keeps %s to what can be (%s)', (name, key, value, expected) => {
    expect(settings({}, { [name]: value })[key]).toBe(expected);
  });

  it('exports nothing when the SDK is said to be disabled', () => {
    const { traces, metrics } = settings({}, { OTEL_SDK_DISABLED: 'TRUE' });
    expect([traces.isEnabled, metrics.isEnabled]).toEqual([false, false]);
  });
});
