import { describe, expect, it } from 'vitest';
import { correctionOf } from '../../../../src/core/resilience/correction.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';

describe('what would correct a request', () => {
  const required = { elicitation: {} };
  it.each<[number, string, JsonValue | undefined, object | undefined]>([
    [
      -32022,
      'version',
      { supported: ['2026-07-28', 7], requested: 'x' },
      { kind: 'version', supported: ['2026-07-28'] },
    ],
    [-32022, 'version', undefined, undefined],
    [-32004, 'of a draft', { supported: ['2026-07-28'] }, { kind: 'version', supported: ['2026-07-28'] }],
    [-32004, 'of somebody else', { hint: 'x' }, undefined],
    [-32020, 'Header mismatch: Mcp-Param-Region', undefined, { kind: 'headers' }],
    [-32020, 'Header mismatch', { header: 'mcp-param-region' }, { kind: 'headers' }],
    [-32020, 'Header mismatch: Mcp-Name', undefined, undefined],
    [-32021, 'capability', { requiredCapabilities: required }, { kind: 'capabilities', required }],
    [-32003, 'of a draft', { requiredCapabilities: required }, { kind: 'capabilities', required }],
    [-32003, 'of somebody else', null, undefined],
    [-32602, 'Invalid params', { supported: ['2024-11-05'] }, undefined],
  ])('%i %s %j', (code, message, data, expected) => {
    const error = { code, message, ...(data === undefined ? {} : { data }) };
    expect(correctionOf({ kind: 'error', error, raw: '' })).toEqual(expected);
  });
});
