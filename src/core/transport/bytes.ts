import { isUtf8 } from 'node:buffer';

/** Text read from bytes. `rawBytes` is a copy of them, present only where `raw` cannot give them back. */
export interface ExactText {
  readonly raw: string;
  readonly rawBytes?: Uint8Array;
}

/** How much of an oversized frame or of an answer's body is kept. */
export const HEAD_BYTES = 64 * 1024;

/** Decodes UTF-8 without losing anything: invalid bytes become U+FFFD in `raw` and stay as they are in `rawBytes`. */
export function decodeExactly(bytes: Uint8Array): ExactText {
  const raw = asBuffer(bytes).toString('utf8');
  return isUtf8(bytes) ? { raw } : { raw, rawBytes: Uint8Array.from(bytes) };
}

/** The first `maxBytes` of `bytes`, up to three fewer so as not to cut a character in two. Shares their memory. */
export function headOf(bytes: Uint8Array, maxBytes: number = HEAD_BYTES): Uint8Array {
  if (bytes.length <= maxBytes) {
    return bytes;
  }
  let end = maxBytes;
  while (end > maxBytes - 3 && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.subarray(0, end);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
