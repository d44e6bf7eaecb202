// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of settings are written so
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../../src/host/contributions.ts';
import { type ReadOtlp, readOtlpOptions } from '../../../../src/host/otlp/otlpOptions.ts';

type OtlpSettings = Partial<Settings>;

const DEFAULTS: OtlpSettings = {
  'otlp.endpoint': '',
  'otlp.protocol': 'auto',
  'otlp.headers': {},
  'otlp.compression': 'auto',
  'otlp.timeoutMs': 0,
  'otlp.certificate': '',
  'otlp.clientCertificate': '',
  'otlp.clientKey': '',
  'otlp.serviceName': '',
  'otlp.resourceAttributes': {},
  'otlp.content': false,
};

function read(settings: OtlpSettings, secrets: Readonly<Record<string, string>> = {}) {
  const reader = ((name: keyof Settings) => ({ ...DEFAULTS, ...settings })[name]) as ReadOtlp;
  return readOtlpOptions(reader, async (name) => secrets[name]);
}

describe('the settings of the export', () => {
  it('leave to the environment what they do not say', async () => {
    expect(await read({})).toEqual({
      endpoint: '',
      protocol: undefined,
      headers: {},
      compression: undefined,
      timeoutMs: undefined,
      certificate: '',
      clientCertificate: '',
      clientKey: '',
      serviceName: '',
      resourceAttributes: {},
      hasContent: false,
    });
  });

  it('fill secrets into headers as they are, and pass over what is no text', async () => {
    const headers = {
      authorization: 'Basic ${secret:user}:${secret:key}',
      'x-twice': '${secret:key}${secret:key}',
      bad: 5,
    };
    const found = await read(
      { 'otlp.headers': headers, 'otlp.protocol': 'grpc', 'otlp.compression': 'none', 'otlp.timeoutMs': 5 },
      { user: 'me', key: '$&$1' },
    );
    expect(found).toMatchObject({
      protocol: 'grpc',
      compression: 'none',
      timeoutMs: 5,
      headers: { authorization: 'Basic me:$&$1', 'x-twice': '$&$1$&$1' },
    });
  });

  it('are a problem when a secret is missing', async () => {
    expect(await read({ 'otlp.headers': { a: '${secret:gone}' } })).toEqual({
      code: 'otlp.settings.secret',
      args: { name: 'gone' },
    });
  });
});
