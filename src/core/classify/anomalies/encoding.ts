import { type AnomalyDetector, type Found, NONE } from './scene.ts';

/** Bytes that are not the UTF-8 that MCP asks for, told once for a message. */
export const detectEncoding: AnomalyDetector = ({ passing }) => {
  const { body, batchIndex } = passing;
  const hasMark = body.raw.charCodeAt(0) === 0xfeff;
  if ((batchIndex ?? 0) > 0 || (body.rawBytes === undefined && !hasMark)) {
    return NONE;
  }
  const found: Found[] = [];
  if (hasMark) {
    found.push({ code: 'byteOrderMark' });
  }
  // A mark alone also makes the bytes differ from the text.
  if (body.rawBytes !== undefined && body.raw.includes('\ufffd')) {
    found.push({ code: 'invalidUtf8' });
  }
  return found;
};
