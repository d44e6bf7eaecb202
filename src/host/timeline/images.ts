import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import type { ImageResult, ImageView } from '../../protocol/details.ts';
import { valueAt } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { imageSize } from './imageSize.ts';

const { t } = vscode.l10n;

/** Images of a message that are offered. */
const MAX_IMAGES = 20;

const MAX_BYTES = 8 * 1024 * 1024;

/** Pixels that are decoded: a small file can claim to be enormous. */
const MAX_PIXELS = 16_000_000;

/**
 * The images that the content of a result declares (`type: "image"` with `data` and `mimeType`, MCP 2025-11-25,
 * server/tools), and those of its embedded resources.
 */
export function imagesOf(message: JsonValue): readonly ImageView[] {
  const found: ImageView[] = [];
  const content = valueAt(message, '/result/content');
  const contents = valueAt(message, '/result/contents');
  const lists = [
    ['/result/content', content],
    ['/result/contents', contents],
  ] as const;
  for (const [pointer, list] of lists) {
    if (Array.isArray(list)) {
      for (const [index, item] of list.slice(0, 1000).entries()) {
        const image = declaredImage(item as JsonValue, `${pointer}/${index}`);
        if (image !== undefined && found.length < MAX_IMAGES) {
          found.push({
            pointer: image.pointer,
            mimeType: image.mimeType,
            bytes: Buffer.byteLength(image.data, 'base64'),
          });
        }
      }
    }
  }
  return found;
}

interface DeclaredImage {
  readonly pointer: string;
  readonly mimeType: string;
  readonly data: string;
}

function declaredImage(item: JsonValue, pointer: string): DeclaredImage | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return undefined;
  }
  const object = item as JsonObject;
  if (object['type'] === 'resource') {
    return declaredImage(object['resource'] ?? null, `${pointer}/resource`);
  }
  const data = object['type'] === 'image' ? object['data'] : object['blob'];
  const mimeType = object['mimeType'];
  return typeof data === 'string' && typeof mimeType === 'string' && mimeType.startsWith('image/')
    ? { pointer, mimeType: mimeType.slice(0, 100), data }
    : undefined;
}

/**
 * The picture at a place of a message, for a page that draws it from its bytes: only raster formats, only when what the
 * bytes say agrees, and only as large as a screen could need. No picture is loaded by an address.
 */
export function imageAt(message: JsonValue, pointer: string): ImageResult {
  const image = declaredImage(valueAt(message, pointer) ?? null, pointer);
  if (image === undefined) {
    return { refusal: t('No image is declared there.') };
  }
  if (image.data.length > MAX_BYTES * 1.4) {
    return { refusal: t('The image is larger than {0} MB.', MAX_BYTES / 1024 / 1024) };
  }
  const bytes = Buffer.from(image.data, 'base64');
  const size = imageSize(bytes);
  if (size === undefined) {
    return { refusal: t('It is declared as {0}, but is no PNG, JPEG, GIF or WebP image.', image.mimeType) };
  }
  if (size.width * size.height > MAX_PIXELS) {
    return { refusal: t('The image has {0} × {1} pixels, too many to be shown here.', size.width, size.height) };
  }
  return { mimeType: size.mimeType, base64: bytes.toString('base64'), width: size.width, height: size.height };
}
