import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { isArray, isObject, jsonText } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { get, getString } from '../classify/json.ts';
import { viewResult } from '../classify/resultView.ts';

/** An answer beyond this many UTF-16 code units is not read for its text. */
const MAX_ANSWER = 4 * 1024 * 1024;
/** Where failures in JSON say what went wrong, the best place first. */
const MESSAGE_KEYS = [
  'message',
  'error',
  'detail',
  'details',
  'reason',
  'error_message',
  'errorMessage',
  'title',
  'msg',
];
const MAX_DEPTH = 4;

/**
 * What a failed call was answered with, in the words that the caller had: of the error's message, the tool's text, or the
 * message within its JSON; of what never came, the failure's. `event` is the one that ended the call. `undefined` where
 * nothing says it in words.
 */
export function failureText(exchange: Exchange, event: LogEvent): string | undefined {
  const { failure, requestId } = exchange;
  if (failure !== undefined) {
    return failure.message === '' ? failure.reason : failure.message;
  }
  const { body } = event;
  if (body.kind === 'local-end') {
    return undefined;
  }
  if (body.kind !== 'message' || body.raw.length > MAX_ANSWER) {
    return undefined;
  }
  const answer = answerIn(body.raw, requestId);
  if (answer === undefined) {
    return body.raw;
  }
  const error = get(answer, 'error');
  if (isObject(error)) {
    return getString(error, 'message') ?? jsonText(error);
  }
  const result = get(answer, 'result');
  return isObject(result) ? resultText(result) : undefined;
}

/** The words of a result that failed: of its texts, or else within its data. */
function resultText(result: JsonObject): string | undefined {
  const { texts, data } = viewResult(result, '');
  const said = texts.find(({ text }) => text.trim() !== '')?.text;
  if (said !== undefined) {
    return said;
  }
  for (const { value } of data) {
    const message = messageIn(value, 0);
    if (message !== undefined) {
      return message;
    }
  }
  const [first] = data;
  return first === undefined ? undefined : jsonText(first.value);
}

function messageIn(value: JsonValue | undefined, depth: number): string | undefined {
  if (!isObject(value) || depth > MAX_DEPTH) {
    return undefined;
  }
  for (const key of MESSAGE_KEYS) {
    const found = get(value, key);
    const message = typeof found === 'string' ? found : messageIn(found, depth + 1);
    if (message !== undefined && message.trim() !== '') {
      return message;
    }
  }
  return undefined;
}

/** The answer to a request in a message, which may be a batch; `undefined` when it cannot be read. */
export function answerIn(raw: string, requestId: string | number | undefined): JsonObject | undefined {
  let message: JsonValue;
  try {
    message = JSON.parse(raw) as JsonValue;
  } catch {
    return undefined;
  }
  const all = isArray(message) ? message : [message];
  const found = all.length === 1 ? all[0] : all.find((one) => isObject(one) && get(one, 'id') === requestId);
  return isObject(found) ? found : undefined;
}
