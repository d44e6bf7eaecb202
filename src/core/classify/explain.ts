import type { JudgedRequest, RawEnd } from '../../protocol/call.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { FAILURE_KINDS, type OutcomeKind, type RetryClass, type Signal, type Verdict } from '../../protocol/outcome.ts';
import { get, getString } from './json.ts';
import { judge } from './judge.ts';
import { accepted, recordedEnd } from './recordedEnd.ts';

/** What became of one recorded exchange. `not_a_call`: there was nothing to answer. */
export interface Explanation {
  readonly id: string;
  readonly outcome: OutcomeKind | 'not_a_call';
  readonly retry: RetryClass;
  readonly signals: readonly Signal[];
}

/** Either what became of the request, or that the record holds no request to judge. */
type Reading = { readonly request: JudgedRequest; readonly end: RawEnd } | 'not_a_call' | { readonly problem: string };

/**
 * Judges one recorded exchange: a line of a wire corpus (protocol fact sheet, 6.3), where answers that are not plain JSON
 * are wrapped (`__sse`, `__text`, `__post`, `__exit`, `__timeout`, `__stdoutNoise`, `__stderr`, `__truncated`). A record
 * that cannot be read gives `not_a_call` with the signal `signal.record.malformed`; nothing throws.
 */
export function explainRecord(record: JsonValue): Explanation {
  const id = isObject(record) ? (getString(record, 'id') ?? '') : '';
  if (!isObject(record)) {
    return malformed(id, 'not an object');
  }
  const request = get(record, 'request');
  const response = get(record, 'response');
  if (request === undefined || !(isObject(response) || isArray(response))) {
    return malformed(id, request === undefined ? 'no request' : 'no response');
  }
  if (isArray(request)) {
    return explainBatch(id, request, record);
  }
  const reading = read(record, request, response);
  if (reading === 'not_a_call') {
    return { id, outcome: 'not_a_call', retry: 'never', signals: [] };
  }
  if ('problem' in reading) {
    return malformed(id, reading.problem);
  }
  return explained(id, refine(judge(reading.request, reading.end), request, reading.end));
}

function explained(id: string, { outcome, retry, signals }: Verdict): Explanation {
  return { id, outcome, retry, signals };
}

function malformed(id: string, problem: string): Explanation {
  const signal: Signal = { code: 'signal.record.malformed', strength: 'proof', args: { problem } };
  return { id, outcome: 'not_a_call', retry: 'never', signals: [signal] };
}

/** What the record knows beyond an end: bytes that were malformed fail again, and a crash at start needs mending. */
function refine(verdict: Verdict, request: JsonValue, end: RawEnd): Verdict {
  if (verdict.outcome !== 'transport_error') {
    return verdict;
  }
  if (typeof request === 'string') {
    return { ...verdict, retry: 'never' };
  }
  return request === null && end.kind === 'transport' ? { ...verdict, retry: 'after_fix' } : verdict;
}

/** One logical exchange of several: as bad as its worst, and invalid when a request got no answer of its own. */
function explainBatch(id: string, requests: readonly JsonValue[], record: JsonObject): Explanation {
  const calls = requests.filter((request) => isObject(request) && get(request, 'id') !== undefined);
  const response = get(record, 'response') ?? null;
  if (calls.length === 0) {
    return { id, outcome: 'not_a_call', retry: 'never', signals: [] };
  }
  const all = calls.flatMap((request) => {
    const reading = read(record, request, response);
    return typeof reading === 'string' || 'problem' in reading ? [] : [judge(reading.request, reading.end)];
  });
  const worst =
    all.find(({ outcome }) => FAILURE_KINDS.has(outcome)) ?? all.find(({ outcome }) => outcome !== 'success') ?? all[0];
  return worst === undefined ? malformed(id, 'batch without answers') : explained(id, worst);
}

function read(record: JsonObject, request: JsonValue, response: JsonValue): Reading {
  const status = statusOf(record, response);
  const judged = judgedRequest(record, request);
  const end = recordedEnd(record, request, response, status);
  if (end === undefined) {
    if (!isCall(request)) {
      return 'not_a_call';
    }
    return status === undefined ? { problem: 'no answer' } : { request: judged, end: accepted(status) };
  }
  if (end.kind === 'result' && !isCall(request)) {
    return 'not_a_call';
  }
  return { request: judged, end };
}

/** True when the request asks for an answer. Bytes that are no message, and other HTTP methods, do not. */
function isCall(request: JsonValue): boolean {
  return isObject(request) && getString(request, 'method') !== undefined && get(request, 'id') !== undefined;
}

function judgedRequest(record: JsonObject, request: JsonValue): JudgedRequest {
  const method = isObject(request) ? (getString(request, 'method') ?? '') : '';
  const params = isObject(request) ? get(request, 'params') : undefined;
  const target = isObject(params) ? (getString(params, 'name') ?? getString(params, 'uri')) : undefined;
  const revision = getString(record, 'protocolVersion');
  return {
    method,
    ...(target === undefined ? {} : { target }),
    ...(isObject(params) ? { params } : {}),
    ...(revision === undefined ? {} : { revision }),
  };
}

function statusOf(record: JsonObject, response: JsonValue): number | undefined {
  const http = get(record, 'http');
  const post = isObject(response) ? get(response, '__post') : undefined;
  const status = isObject(http) ? get(http, 'status') : isObject(post) ? get(post, 'status') : undefined;
  return typeof status === 'number' ? status : undefined;
}
