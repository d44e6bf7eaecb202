import { describe, expect, it } from 'vitest';
import {
  attemptIds,
  callIds,
  formatTraceparent,
  readTraceContext,
  rowIds,
} from '../../../../../src/core/export/otlp/traceContext.ts';
import type { ChainId, SessionId } from '../../../../../src/protocol/events.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a trace context', () => {
  it.each<[string, unknown, unknown]>([
    ['a sampled one', `00-${TRACE}-${SPAN}-01`, { traceId: TRACE, spanId: SPAN, flags: 1 }],
    ['one that is not sampled', `00-${TRACE}-${SPAN}-00`, { traceId: TRACE, spanId: SPAN, flags: 0 }],
    ['a later version with more', `01-${TRACE}-${SPAN}-01-more`, { traceId: TRACE, spanId: SPAN, flags: 1 }],
    ['version 00 with more', `00-${TRACE}-${SPAN}-01-more`, undefined],
    ['version ff', `ff-${TRACE}-${SPAN}-01`, undefined],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
    ['a short one', `00-${TRACE}-${SPAN}`, undefined],
    ['spaces', ` 00-${TRACE}-${SPAN}-01`, undefined],
    ['no text', 5, undefined],
    ['a very long one', `01-${TRACE}-${SPAN}-01-${'x'.repeat(500)}`, undefined],
    ['none', undefined, undefined],
  ])('is read if and only if it is valid: %s', (_, traceparent, found) => {
    expect(readTraceContext({ traceparent } as never)).toEqual(found);
  });

  it.each<[string, unknown, string | undefined]>([
    ['one', 'rojo=1,congo=2', 'rojo=1,congo=2'],
    ['line ends', 'a=1\nb=2', undefined],
    ['too long', 'x'.repeat(513), undefined],
    ['no text', {}, undefined],
  ])('passes a state on as it is: %s', (_, tracestate, state) => {
    expect(readTraceContext({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate } as never)?.state).toBe(state);
  });

  it('has ids that follow from the log, so that it can be given before the request is sent', () => {
    const [session, chain] = ['s' as SessionId, 'c' as ChainId];
    const ids = attemptIds(session, chain, 2);
    expect(ids).toEqual(attemptIds(session, chain, 2));
    expect(readTraceContext({ traceparent: formatTraceparent(ids) })).toEqual({ ...ids, flags: 1 });
    const all = [ids, attemptIds(session, chain, 1), callIds(session, chain), rowIds(session, 2)];
    expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(4);
    expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(2);
  });
});
