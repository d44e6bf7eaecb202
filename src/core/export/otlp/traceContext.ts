import { createHash } from 'node:crypto';
import type { ChainId, SessionId } from '../../../protocol/events.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import type { SpanIds } from './spanRecord.ts';

/** A trace context that a request carries in its `_meta` (SEP-414, W3C Trace Context). */
export interface TraceContext extends SpanIds {
  readonly flags: number;
  readonly state?: string;
}

/** W3C Trace Context §3.3.1.5: lists up to 512 characters must be propagated. */
const MAX_STATE = 512;

/**
 * Reads `_meta.traceparent` and `_meta.tracestate`; `undefined` when there is no valid one (W3C Trace Context §3.2): of the
 * version 00 exactly its form, of a later one its beginning, and no id of zeros.
 */
export function readTraceContext(meta: JsonObject | undefined): TraceContext | undefined {
  const parent = meta?.['traceparent'];
  const found =
    typeof parent === 'string' && parent.length <= 256
      ? /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(parent)
      : null;
  const [, version, traceId = '', spanId = '', flags = '', more] = found ?? [];
  if (found === null || version === 'ff' || (version === '00' && more !== undefined)) {
    return undefined;
  }
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) {
    return undefined;
  }
  const state = meta?.['tracestate'];
  const isState =
    typeof state === 'string' && state !== '' && state.length <= MAX_STATE && /^[\x20-\x7e]+$/.test(state);
  return { traceId, spanId, flags: Number.parseInt(flags, 16), ...(isState ? { state } : {}) };
}

/** `00-<trace>-<span>-01`: sampled, since what is not wanted is left out where all spans of a trace come together. */
export function formatTraceparent({ traceId, spanId }: SpanIds): string {
  return `00-${traceId}-${spanId}-01`;
}

/**
 * The ids of an attempt of our own calls, and of the call over them. They follow from the log alone: a request can name them
 * before it is sent, and the same record gives the same spans whenever it is exported.
 */
export function attemptIds(session: SessionId, chain: ChainId, attempt: number): SpanIds {
  return { traceId: callIds(session, chain).traceId, spanId: digest(16, 'attempt', session, chain, attempt) };
}

export function callIds(session: SessionId, chain: ChainId): SpanIds {
  return { traceId: digest(32, 'trace', session, chain), spanId: digest(16, 'call', session, chain) };
}

/** Of any other request: by the row of the log that it is. */
export function rowIds(session: SessionId, row: number): SpanIds {
  return { traceId: digest(32, 'trace', session, row), spanId: digest(16, 'row', session, row) };
}

function digest(digits: number, ...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits);
}
