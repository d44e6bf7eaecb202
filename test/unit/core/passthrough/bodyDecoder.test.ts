import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createBodyDecoder } from '../../../../src/core/passthrough/bodyDecoder.ts';
import { createBodyLimit } from '../../../../src/core/transport/bodyLimit.ts';

describe('a body that is compressed', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])(
    'of %s that stands for a thousand times its bytes is decoded no further than is recorded',
    async (encoding, pack) => {
      const whole = 32 * 1024 * 1024;
      const limit = 1024 * 1024;
      let decoded = 0;
      const decoder = createBodyDecoder(
        encoding,
        (chunk) => {
          decoded += chunk.length;
        },
        createBodyLimit(false, limit),
      );
      const bytes = pack(Buffer.alloc(whole, 0x20));
      for (let at = 0; at < bytes.length; at += 1000) {
        decoder?.push(bytes.subarray(at, at + 1000));
      }
      await decoder?.end();
      expect({ isOver: decoded > limit, isFar: decoded > limit + 256 * 1024 }).toEqual({ isOver: true, isFar: false });
    },
  );

  it('that is damaged ends early', async () => {
    const decoder = createBodyDecoder('gzip', () => undefined);
    decoder?.push(Buffer.from('no gzip'));
    await expect(decoder?.end()).resolves.toBeUndefined();
  });
});
