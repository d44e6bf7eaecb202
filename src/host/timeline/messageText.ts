import type { MessageBody, NoiseBody } from '../../protocol/events.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { exactText } from './exactText.ts';

/** What was recorded in one piece of text. */
export type RecordedText = MessageBody | NoiseBody;

/** The value that a text is the JSON of; `undefined` when it is none. */
export function parsedJson(raw: string): JsonValue | undefined {
  try {
    return JSON.parse(raw) as JsonValue;
  } catch {
    return undefined;
  }
}

/** JSON with two spaces of indentation; other text as it is. */
export function prettyPrint(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), undefined, 2);
  } catch {
    return raw;
  }
}

/** The whole of a message as on the wire, bytes that are no text written `\xNN`. */
export function wholeText({ raw, rawBytes }: RecordedText): string {
  return rawBytes === undefined ? raw : exactText(rawBytes).text;
}
