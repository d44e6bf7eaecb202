import zlib from 'node:zlib';
import type { BodyLimit } from '../transport/bodyLimit.ts';

/** Reads a body whose bytes are compressed. */
export interface BodyDecoder {
  push(chunk: Uint8Array): void;
  /** Resolves when all that was pushed has been given to `onChunk`; bytes that are damaged end it early. */
  end(): Promise<void>;
}

type Zlib = zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress;

/**
 * A decoder for a `Content-Encoding` (RFC 9110 §8.4.1), or `undefined` for one that is not compressed or not known. For the
 * record only: what is forwarded stays as it is. When `isTooMuch` says so of decoded bytes, no more is decoded: a few bytes can
 * stand for gigabytes.
 */
export function createBodyDecoder(
  encoding: string | null,
  onChunk: (chunk: Uint8Array) => void,
  isTooMuch: BodyLimit = () => false,
): BodyDecoder | undefined {
  const stream = streamFor(encoding?.trim().toLowerCase());
  if (stream === undefined) {
    return undefined;
  }
  const ended = new Promise<void>((resolve) => {
    stream
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
  });
  stream.on('data', (chunk: Uint8Array) => {
    onChunk(chunk);
    if (isTooMuch(chunk)) {
      stream.destroy();
    }
  });
  return {
    push: (chunk) => {
      if (!stream.destroyed) {
        stream.write(chunk);
      }
    },
    end: () => {
      if (!stream.destroyed) {
        stream.end();
      }
      return ended;
    },
  };
}

function streamFor(encoding: string | undefined): Zlib | undefined {
  // Each event of a stream is to be read when it comes, not when the stream ends.
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'deflate':
      return zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
