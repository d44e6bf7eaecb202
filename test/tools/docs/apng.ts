import { crc32 } from 'node:zlib';

/** A picture of an animation, and for how long it stands. */
export interface Frame {
  /** A PNG as a browser writes it. All frames have the same size and kind of pixels. */
  readonly png: Uint8Array;
  /** From 1 to 65535. */
  readonly holdMs: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * One animated PNG that plays for ever (PNG, third edition, 11.3.6). The compressed pixels of the frames are taken as they are,
 * under other names. Throws when there is no frame, or frames differ in size or kind of pixels.
 */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const pictures = frames.map(({ png, holdMs }) => ({ chunks: readChunks(png), holdMs }));
  const header = pictures[0]?.chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined) {
    throw new Error('an animation needs a frame');
  }
  let sequence = 0;
  const next = () => uint32(sequence++);
  const out = [SIGNATURE, chunk('IHDR', header), chunk('acTL', uint32(frames.length), uint32(0))];
  for (const [index, { chunks, holdMs }] of pictures.entries()) {
    if (chunks.find(({ type }) => type === 'IHDR')?.data.equals(header) !== true) {
      throw new Error(`frame ${index} differs from the first in size or kind of pixels`);
    }
    out.push(chunk('fcTL', next(), header.subarray(0, 8), uint32(0), uint32(0), delay(holdMs), Buffer.from([0, 0])));
    const pixels = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
    out.push(index === 0 ? chunk('IDAT', pixels) : chunk('fdAT', next(), pixels));
  }
  return Buffer.concat([...out, chunk('IEND')]);
}

/** The chunks of a PNG. Throws when it is none, or a chunk is cut off or damaged. */
export function readChunks(png: Uint8Array): readonly Chunk[] {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new Error('this is no PNG');
  }
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, end);
    if (bytes.readUInt32BE(end) !== crc32(body)) {
      throw new Error(`the chunk at ${at} is damaged`);
    }
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at = end + 4;
  }
  return chunks;
}

function chunk(type: string, ...data: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...data]);
  return Buffer.concat([uint32(body.length - 4), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A fraction of a second: numerator and denominator. */
function delay(holdMs: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16BE(holdMs, 0);
  bytes.writeUInt16BE(1000, 2);
  return bytes;
}
