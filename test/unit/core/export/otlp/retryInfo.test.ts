import { describe, expect, it } from 'vitest';
import { retryDelayMs } from '../../../../../src/core/export/otlp/retryInfo.ts';
import { encode } from '../../../../servers/support/otlpCollector.ts';

const status = (details: readonly object[]) => encode('own.Status', { code: 8, message: 'not now', details });
const info = (retryDelay: object) => ({
  typeUrl: 'type.googleapis.com/google.rpc.RetryInfo',
  value: encode('own.RetryInfo', { retryDelay }),
});
const other = { typeUrl: 'type.googleapis.com/google.rpc.DebugInfo', value: new Uint8Array([1, 2, 3]) };

describe('the delay that a gRPC status asks for', () => {
  it.each<[string, Uint8Array, number | undefined]>([
    ['seconds', status([info({ seconds: 3 })]), 3000],
    ['a part of one', status([info({ seconds: 1, nanos: 500_000_000 })]), 1500],
    ['at once', status([info({})]), 0],
    ['behind other details', status([other, info({ seconds: 2 })]), 2000],
    ['no delay among the details', status([other]), undefined],
    ['no details', status([]), undefined],
    ['nothing', new Uint8Array(), undefined],
    ['bytes that are no message', Uint8Array.from({ length: 200 }, () => 0xff), undefined],
  ])('%s', (_, bytes, ms) => {
    expect(retryDelayMs(bytes)).toBe(ms);
  });

  it('is never read from beyond the bytes', () => {
    const whole = status([other, info({ seconds: 3, nanos: 5 })]);
    for (let length = 0; length < whole.length; length += 1) {
      expect(retryDelayMs(whole.subarray(0, length)) ?? 0).toBeGreaterThanOrEqual(0);
    }
  });
});
