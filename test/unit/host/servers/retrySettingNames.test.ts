import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_SETTINGS, RETRY_RANGES, type RetrySettings } from '../../../../src/core/resilience/policy.ts';
import { RETRY_SETTING_NAMES } from '../../../../src/host/servers/retrySettingNames.ts';

interface Property {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

const manifest = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../../package.json'), 'utf8'));
const properties: Record<string, Property> = manifest.contributes.configuration.properties;
const rows = Object.entries(RETRY_SETTING_NAMES) as [keyof RetrySettings, string][];

describe('the settings of the client', () => {
  it.each(rows)('%s has the default and the range of faultline.%s', (name, setting) => {
    const { default: value, minimum, maximum } = properties[`faultline.${setting}`] ?? {};
    expect([value, minimum, maximum]).toEqual([DEFAULT_RETRY_SETTINGS[name], ...RETRY_RANGES[name]]);
  });
});
