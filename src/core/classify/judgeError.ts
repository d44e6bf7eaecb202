import type { JudgedRequest, RawEnd } from '../../protocol/call.ts';
import { ERROR_CODES } from '../../protocol/errorCodes.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import type { RetryClass, Signal, Verdict } from '../../protocol/outcome.ts';
import { causeOf } from './causes.ts';
import { get, shorten } from './json.ts';

type ErrorEnd = Extract<RawEnd, { kind: 'error' }>;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;
const URL_ELICITATION_REQUIRED = -32042;
/** Refused before anything was dispatched (2026-07-28, "Error Codes"): header, capability, version. */
const REFUSED_BEFORE_DISPATCH: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

/** Answers of these kinds come before the request is looked at (protocol fact sheet, 3.5). */
const HTTP_REFUSED: ReadonlySet<number> = new Set([401, 403, 404, 405, 406, 413, 415, 429]);

/** Implementation-defined errors that say themselves that the request went nowhere. */
const NOT_DISPATCHED =
  /not initiali[sz]ed|before initiali[sz]|no valid session|session (?:id )?(?:not found|required|expired|terminated|missing|invalid)|(?:unknown|invalid|missing) session|unsupported protocol version|not acceptable|unsupported media type|method not allowed/i;

/** Judges a JSON-RPC error object, wherever it arrived (outcome reference: `protocol_error`, `input_required`). */
export function judgeError(request: JudgedRequest, end: ErrorEnd): Verdict {
  const { code, message } = end.error;
  const known = ERROR_CODES.find((entry) => entry.code === code);
  const first: Signal = {
    code: known === undefined ? 'signal.error.other' : 'signal.error.code',
    strength: 'proof',
    pointer: '/error/code',
    args: { code, name: known?.name ?? '', source: known?.source ?? '', message: shorten(message) },
  };
  if (code === URL_ELICITATION_REQUIRED) {
    return { outcome: 'input_required', retry: 'after_fix', signals: [elicitation(end)] };
  }
  const { retry, reason } = retryOf(request, end);
  const signals = reason === undefined ? [first] : [first, because(reason, end)];
  return { outcome: 'protocol_error', retry, signals };
}

function elicitation(end: ErrorEnd): Signal {
  const data = end.error.data;
  const list = isObject(data) ? get(data, 'elicitations') : undefined;
  const url = isArray(list) && isObject(list[0]) ? get(list[0], 'url') : undefined;
  return {
    code: 'signal.input.url',
    strength: 'proof',
    pointer: '/error/code',
    args: { url: typeof url === 'string' ? shorten(url) : '' },
  };
}

function because(reason: string, end: ErrorEnd): Signal {
  return {
    code: `signal.error.${reason}`,
    strength: 'strong',
    pointer: '/error/message',
    args: { status: end.httpStatus ?? 0, message: shorten(end.error.message) },
  };
}

function retryOf(request: JudgedRequest, end: ErrorEnd): { readonly retry: RetryClass; readonly reason?: string } {
  const { code, message } = end.error;
  const cause = causeOf(message);
  if (code === METHOD_NOT_FOUND || REFUSED_BEFORE_DISPATCH.has(code)) {
    return { retry: 'safe', reason: 'notDispatched' };
  }
  if (code === PARSE_ERROR || code === INVALID_REQUEST) {
    return { retry: 'never', reason: 'malformed' };
  }
  if (code === RESOURCE_NOT_FOUND) {
    return { retry: 'after_fix', reason: 'unknownName' };
  }
  if (cause === 'output') {
    // The SDK refuses what the handler returned with a code that looks like a refusal of the arguments.
    return { retry: 'never', reason: 'ownResult' };
  }
  if (code === INVALID_PARAMS) {
    if (request.method === 'tools/call' && isUnknownTool(message, request.target)) {
      return { retry: 'safe', reason: 'unknownName' };
    }
    return { retry: 'after_fix', reason: cause === 'unknown-name' ? 'unknownName' : 'arguments' };
  }
  // Ranges without a meaning of their own: the HTTP status or the words decide (2026-07-28, "Error Codes").
  if (end.httpStatus !== undefined && HTTP_REFUSED.has(end.httpStatus)) {
    return { retry: 'safe', reason: 'httpRefused' };
  }
  if (NOT_DISPATCHED.test(message.slice(0, 500)) && isServerDefined(code)) {
    return { retry: 'safe', reason: 'notDispatched' };
  }
  if (end.httpStatus === 400 && isServerDefined(code)) {
    return { retry: 'safe', reason: 'httpRefused' };
  }
  switch (cause) {
    case 'arguments':
      return { retry: 'after_fix', reason: 'arguments' };
    case 'unknown-name':
      return { retry: 'after_fix', reason: 'unknownName' };
    case 'fixable':
      return { retry: 'after_fix', reason: 'fixable' };
    case 'transient':
      return { retry: 'only_if_idempotent', reason: 'transient' };
    case 'program':
    case 'unnamed':
      return { retry: 'only_if_idempotent' };
  }
}

function isServerDefined(code: number): boolean {
  return code <= -32000 && code >= -32019;
}

/** -32602 stands for bad arguments too, so the words must say that it is the tool that is unknown. */
function isUnknownTool(message: string, target: string | undefined): boolean {
  const text = message.slice(0, 500);
  if (/\binvalid arguments?\b|validation/i.test(text)) {
    return false;
  }
  if (
    /\bunknown tool\b|no such tool|\btool\b[^\n]{0,200}?\b(?:not found|does not exist|is not registered|is unknown)/i.test(
      text,
    )
  ) {
    return true;
  }
  return target !== undefined && target !== '' && text.includes(target) && /not found|unknown/i.test(text);
}
