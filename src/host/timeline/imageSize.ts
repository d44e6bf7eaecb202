/** What the head of an image says of it. */
export interface ImageSize {
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Format and size in pixels by an image's own head, `undefined` for what is none of PNG, JPEG, GIF and WebP or lacks a
 * size. Nothing is decoded. Formats: PNG 5.2 and 11.2.2, GIF89a 17 and 18, ITU-T T.81 B.2.2, RFC 9649.
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const textAt = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

function pngSize(bytes: Uint8Array): ImageSize | undefined {
  if (bytes.length < 24 || textAt(bytes, 0, 8) !== '\u0089PNG\r\n\u001a\n' || textAt(bytes, 12, 16) !== 'IHDR') {
    return undefined;
  }
  return { mimeType: 'image/png', width: view(bytes).getUint32(16), height: view(bytes).getUint32(20) };
}

function gifSize(bytes: Uint8Array): ImageSize | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) {
    return undefined;
  }
  return { mimeType: 'image/gif', width: view(bytes).getUint16(6, true), height: view(bytes).getUint16(8, true) };
}

function webpSize(bytes: Uint8Array): ImageSize | undefined {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 12) !== 'WEBP') {
    return undefined;
  }
  const data = view(bytes);
  const mimeType = 'image/webp';
  switch (textAt(bytes, 12, 16)) {
    case 'VP8 ':
      return { mimeType, width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = data.getUint32(21, true);
      return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const at = (offset: number) => data.getUint16(offset, true) + ((bytes[offset + 2] ?? 0) << 16) + 1;
      return { mimeType, width: at(24), height: at(27) };
    }
    default:
      return undefined;
  }
}

function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) {
    return undefined;
  }
  const data = view(bytes);
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) {
      return undefined;
    }
    const marker = bytes[at + 1] ?? 0;
    // Start of frame: all of C0 to CF but the tables (C4), the reserved one (C8) and the conditioning (CC).
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { mimeType: 'image/jpeg', width: data.getUint16(at + 7), height: data.getUint16(at + 5) };
    }
    at += marker === 0xff ? 1 : 2 + data.getUint16(at + 2);
  }
  return undefined;
}
