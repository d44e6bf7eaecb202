import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** How the column `raw` holds what it holds. The numbers are stored: never change one. */
const PLAIN = 0;
const DEFLATED_TEXT = 1;
const DEFLATED_BYTES = 2;

/** What is larger than this is compressed. */
const PACK_ABOVE_BYTES = 64 * 1024;

export interface Packed {
  readonly raw: string | Uint8Array | null;
  readonly packing: number;
}

const options = { level: constants.Z_BEST_SPEED, memLevel: 9 };

/** Compresses a large payload (raw DEFLATE, RFC 1951), unless that gains nothing, as with images. */
export function pack(raw: string | Uint8Array | null): Packed {
  if (raw === null || raw.length <= PACK_ABOVE_BYTES) {
    return { raw, packing: PLAIN };
  }
  const deflated = deflateRawSync(raw, options);
  return deflated.length > raw.length * 0.9
    ? { raw, packing: PLAIN }
    : { raw: deflated, packing: typeof raw === 'string' ? DEFLATED_TEXT : DEFLATED_BYTES };
}

/** What was packed. Throws when the bytes are damaged or the packing is of a newer version. */
export function unpack(raw: unknown, packing: number): unknown {
  switch (packing) {
    case PLAIN:
      return raw;
    case DEFLATED_TEXT:
      return inflated(raw).toString('utf8');
    case DEFLATED_BYTES:
      return new Uint8Array(inflated(raw));
    default:
      throw new RangeError(`packing ${packing}`);
  }
}

function inflated(raw: unknown): Buffer {
  if (!(raw instanceof Uint8Array)) {
    throw new TypeError('not packed');
  }
  return inflateRawSync(raw);
}
