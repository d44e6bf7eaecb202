import { isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonRpcId, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { Fault } from './plan.ts';

/** What goes on in the place of an answer: texts one after the other, none when nothing does. */
export interface Altered {
  readonly texts: readonly string[];
  /** For a person; see `InjectedFault`. */
  readonly detail?: string;
}

const NOISE = 'DEBUG faultline: a line that is no JSON-RPC message';

/** What a fault makes of the answer `raw`, whose parsed form is `message`. Faults that are not about what it says leave it. */
export function alterAnswer(fault: Fault, raw: string, message: JsonObject): Altered {
  try {
    return altered(fault, raw, message);
  } catch {
    // It nests more deeply than can be written again: it goes on as it came.
    return { texts: [raw] };
  }
}

function altered(fault: Fault, raw: string, message: JsonObject): Altered {
  switch (fault.type) {
    case 'dropAnswer':
      return { texts: [] };
    case 'error': {
      const { code, message: text = 'Injected by Faultline', data } = fault;
      const error = { code, message: text, ...(data === undefined ? {} : { data }) };
      return { texts: [JSON.stringify({ jsonrpc: '2.0', id: message['id'], error })], detail: String(code) };
    }
    case 'malformed':
      return { texts: [broken(raw, fault.how)], detail: fault.how };
    case 'duplicateAnswer':
      return { texts: [raw, raw] };
    case 'wrongId': {
      const id = otherId(message['id'] as JsonRpcId);
      return { texts: [JSON.stringify({ ...message, id })], detail: String(id) };
    }
    case 'noise':
      // One line, whatever a file says.
      return { texts: [(fault.text ?? NOISE).replace(/[\r\n]+/g, ' '), raw] };
    case 'toolError':
      return flipped(message, fault.text) ?? { texts: [raw] };
    case 'partial':
      return cutResult(message) ?? { texts: [raw] };
    case 'latency':
    case 'slowStream':
    case 'cut':
    case 'kill':
    case 'httpStatus':
      return { texts: [raw] };
  }
}

/** Half of it, or all of it without its first quotation mark; neither is JSON. */
function broken(raw: string, how: 'truncated' | 'garbled'): string {
  return how === 'truncated' ? raw.slice(0, Math.max(1, Math.floor(raw.length / 2))) : raw.replace('"', '\u0001');
}

function otherId(id: JsonRpcId): JsonRpcId {
  return typeof id === 'number' ? id + 1_000_000 : `${id}-injected`;
}

/** A JSON-RPC error has no flag to flip. */
function flipped(message: JsonObject, text: string | undefined): Altered | undefined {
  const { result } = message;
  if (!isObject(result)) {
    return undefined;
  }
  const isError = result['isError'] !== true;
  const content = text === undefined ? {} : { content: [{ type: 'text', text }] };
  return {
    texts: [JSON.stringify({ ...message, result: { ...result, ...content, isError } })],
    detail: `isError: ${isError}`,
  };
}

/**
 * Takes the second half of the largest list away and says so as servers do who admit it (`outcomes.md`, "Partial results"):
 * in structured content and JSON text by `partial: true` and counts, else by a sentence.
 */
function cutResult(message: JsonObject): Altered | undefined {
  const { result } = message;
  if (!isObject(result) || result['isError'] === true) {
    return undefined;
  }
  const content = Array.isArray(result['content']) ? (result['content'] as readonly JsonValue[]) : undefined;
  const structured = result['structuredContent'];
  const inData = isObject(structured) ? cutObject(structured) : undefined;
  const first = content?.[0];
  const text = isObject(first) && typeof first['text'] === 'string' ? first['text'] : undefined;
  const parsed = text === undefined ? undefined : parse(text);
  const inText = isObject(parsed) ? cutObject(parsed) : undefined;
  const whole = inData ?? inText;
  const told = whole?.detail ?? 'of the text';
  const cutText = inText !== undefined ? JSON.stringify(inText.value) : `Partial result: ${half(text ?? '')}`;
  const newContent =
    content === undefined
      ? {}
      : { content: [{ ...(isObject(first) && text !== undefined ? first : { type: 'text' }), text: cutText }] };
  const newData = inData === undefined ? {} : { structuredContent: inData.value };
  return { texts: [JSON.stringify({ ...message, result: { ...result, ...newContent, ...newData } })], detail: told };
}

function cutObject(value: JsonObject): { readonly value: JsonObject; readonly detail: string } | undefined {
  const lists = Object.entries(value).filter((entry): entry is [string, readonly JsonValue[]] =>
    Array.isArray(entry[1]),
  );
  const [key, list] = lists.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  if (key === undefined || list === undefined || list.length === 0) {
    return { value: { ...value, partial: true, reason: REASON }, detail: 'marked' };
  }
  const kept = list.slice(0, Math.floor(list.length / 2));
  return {
    value: { ...value, [key]: kept, partial: true, reason: REASON, processed: kept.length, total: list.length },
    detail: `${key}: ${kept.length}/${list.length}`,
  };
}

const REASON = 'The rest could not be fetched: connection lost';

function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
