import type { RawEnd } from '../../protocol/call.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcErrorObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { get, getString, parseJson, shorten } from './json.ts';

/** How the recorded exchange ended; `undefined` when the record holds no end at all. */
export function recordedEnd(
  record: JsonObject,
  request: JsonValue,
  response: JsonValue,
  status: number | undefined,
): RawEnd | undefined {
  const id = isObject(request) ? get(request, 'id') : undefined;
  if (isArray(response)) {
    const own = response.find((item) => isObject(item) && get(item, 'id') === id);
    return own === undefined ? invalid('no answer for this id in the batch') : messageEnd(own, status);
  }
  if (!isObject(response)) {
    return undefined;
  }
  const exit = get(response, '__exit');
  if (isObject(exit)) {
    return exitEnd(exit, getString(response, '__stderr'));
  }
  const waitedMs = get(response, '__timeout');
  if (typeof waitedMs === 'number') {
    return silence(record, id, waitedMs);
  }
  const truncated = getString(response, '__truncated');
  if (truncated !== undefined) {
    return cutResult(truncated);
  }
  const post = get(response, '__post');
  if (isObject(post)) {
    return postEnd(record, id, post, response, status);
  }
  const events = get(response, '__sse');
  if (isArray(events)) {
    return sseEnd(id, events, status);
  }
  const text = getString(response, '__text');
  if (text !== undefined) {
    return textEnd(text, status);
  }
  const isWrapped = Object.keys(response).some((key) => key.startsWith('__'));
  return isWrapped || Object.keys(response).length === 0 ? undefined : messageEnd(response, status);
}

/** A JSON-RPC answer. Recorders that keep neither `jsonrpc` nor `id` keep none; one alone is the server's fault. */
function messageEnd(message: JsonValue, status: number | undefined): RawEnd {
  const raw = JSON.stringify(message);
  if (!isObject(message)) {
    return { kind: 'invalid', raw, problem: 'not-an-object' };
  }
  const result = get(message, 'result');
  const error = get(message, 'error');
  if (result !== undefined && error !== undefined) {
    return { kind: 'invalid', raw, problem: 'result-and-error' };
  }
  if (
    get(message, 'jsonrpc') !== '2.0' &&
    !(get(message, 'jsonrpc') === undefined && get(message, 'id') === undefined)
  ) {
    return { kind: 'invalid', raw, problem: 'missing-jsonrpc' };
  }
  if (error !== undefined) {
    return isErrorObject(error)
      ? { kind: 'error', error, raw, ...(status === undefined ? {} : { httpStatus: status }) }
      : { kind: 'invalid', raw, problem: 'bad-error-object' };
  }
  return result === undefined
    ? { kind: 'invalid', raw, problem: 'neither-result-nor-error' }
    : { kind: 'result', result, raw };
}

function isErrorObject(value: JsonValue): value is JsonObject & JsonRpcErrorObject {
  return isObject(value) && typeof get(value, 'code') === 'number' && typeof get(value, 'message') === 'string';
}

function exitEnd(exit: JsonObject, stderr: string | undefined): RawEnd {
  const code = get(exit, 'code') ?? get(exit, 'c') ?? null;
  const signal = get(exit, 'signal') ?? get(exit, 's') ?? null;
  return {
    kind: 'transport',
    failure: {
      reason: 'exited',
      message: 'the process exited',
      exitCode: typeof code === 'number' ? code : null,
      exitSignal: typeof signal === 'string' ? signal : null,
      ...(stderr === undefined ? {} : { stderrTail: stderr.trimEnd().split('\n').slice(-20) }),
    },
  };
}

/** No answer within the recorder's limit: a timeout, unless the client had cancelled the request. */
function silence(record: JsonObject, id: JsonValue | undefined, afterMs: number): RawEnd {
  const sent = get(record, 'clientNotification');
  const params = isObject(sent) ? get(sent, 'params') : undefined;
  if (
    isObject(sent) &&
    get(sent, 'method') === 'notifications/cancelled' &&
    isObject(params) &&
    get(params, 'requestId') === id
  ) {
    return { kind: 'cancelled', by: 'client' };
  }
  const notifications = get(record, 'notifications');
  const progressSeen =
    isArray(notifications) &&
    notifications.some((item) => isObject(item) && get(item, 'method') === 'notifications/progress');
  return { kind: 'timeout', limit: 'total', afterMs, progressSeen };
}

/** A long answer that the recorder cut: what is left must begin as a result. */
function cutResult(text: string): RawEnd {
  const isResult = /^\s*\{(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*[^,{}]{1,80},\s*)?"result"\s*:\s*\{/.test(
    text,
  );
  return isResult ? { kind: 'result', result: CUT, raw: text } : invalid('cut', text);
}

/** Stands for a result whose end the recorder lost: it has every list that any method must have, all empty. */
const CUT: JsonObject = {
  content: [],
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  messages: [],
  tasks: [],
  completion: {},
  protocolVersion: '',
  supportedVersions: [],
};

function invalid(problem: string, raw = ''): RawEnd {
  return { kind: 'invalid', raw, problem };
}

/** HTTP+SSE (2024-11-05): the POST is only accepted, the answer comes over the stream. */
function postEnd(
  record: JsonObject,
  id: JsonValue | undefined,
  post: JsonObject,
  response: JsonObject,
  status: number | undefined,
): RawEnd | undefined {
  const text = getString(post, 'text') ?? '';
  if (status === 0 || status === undefined) {
    return silence(record, id, 0);
  }
  const events = get(response, '__sse');
  if (status >= 400) {
    return textEnd(text, status);
  }
  return isArray(events) ? sseEnd(id, events, status) : textEnd(text, status);
}

/** The answer to `id` among SSE events; with none, the request hangs on a stream that has ended. */
function sseEnd(
  id: JsonValue | undefined,
  events: readonly JsonValue[],
  status: number | undefined,
): RawEnd | undefined {
  const messages: JsonValue[] = [];
  for (const event of events) {
    const data = typeof event === 'string' ? sseData(event) : '';
    if (data === '') {
      continue;
    }
    const parsed = parseJson(data);
    if (parsed !== undefined) {
      messages.push(...(isArray(parsed) ? parsed : [parsed]));
    } else if (/^\s*\{/.test(data)) {
      return cutResult(data);
    }
  }
  const answers = messages.filter((message) => isObject(message) && get(message, 'method') === undefined);
  const own = answers.find((message) => isObject(message) && get(message, 'id') === id) ?? answers.find(isUnassociated);
  if (own !== undefined) {
    return messageEnd(own, status);
  }
  return id === undefined
    ? undefined
    : { kind: 'transport', failure: { reason: 'stream-ended', message: 'the stream ended without an answer' } };
}

function isUnassociated(message: JsonValue): boolean {
  return isObject(message) && (get(message, 'id') ?? null) === null;
}

/** `data:` lines of one event, joined (HTML Living Standard, "Server-sent events"). */
function sseData(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n')
    .trim();
}

/** A request that HTTP took and never answered. */
export function accepted(status: number): RawEnd {
  return { kind: 'transport', failure: { reason: 'accepted-without-answer', message: `HTTP ${status}`, status } };
}

/** A body that is not JSON-RPC: accepted without a word, or an HTTP failure. */
function textEnd(text: string, status: number | undefined): RawEnd | undefined {
  const parsed = parseJson(text);
  if (isObject(parsed) && (get(parsed, 'error') !== undefined || get(parsed, 'result') !== undefined)) {
    const end = messageEnd(parsed, status);
    if (end.kind !== 'invalid') {
      return end;
    }
  }
  if (status === undefined || status < 300) {
    return text.trim() === '' || status === 202 ? undefined : transport('not-json-rpc', text, status);
  }
  if ((status === 404 || status === 400 || status === 503) && /\bsession/i.test(text.slice(0, 500))) {
    return transport('session-lost', text, status);
  }
  return transport(status === 401 || status === 403 ? 'unauthorized' : 'http-status', text, status);
}

function transport(
  reason: 'not-json-rpc' | 'session-lost' | 'unauthorized' | 'http-status',
  text: string,
  status: number | undefined,
): RawEnd {
  return {
    kind: 'transport',
    failure: { reason, message: shorten(text), ...(status === undefined ? {} : { status }) },
  };
}
