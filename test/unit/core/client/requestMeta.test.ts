import { expect, it } from 'vitest';
import { Correlator } from '../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../src/core/classify/judge.ts';
import { Spans } from '../../../../src/core/export/otlp/spans.ts';
import { attemptIds, formatTraceparent } from '../../../../src/core/export/otlp/traceContext.ts';
import type { ChainId, LogEvent } from '../../../../src/protocol/events.ts';
import type { JsonObject } from '../../../../src/protocol/jsonrpc.ts';
import { createWorld, idOf } from './fakeServer.ts';
import { onCall } from './poolCalls.ts';

/** Fails once and answers then. */
const flaky = () =>
  onCall((message, wire, count) => {
    if (count === 1) {
      wire.receive({ jsonrpc: '2.0', id: message.id ?? 0, error: { code: -32603, message: 'once' } });
    } else {
      wire.reply(message, { content: [] });
    }
  });

async function called(meta: JsonObject | undefined, params: JsonObject = { name: 'work', arguments: {} }) {
  const asked: [ChainId, number][] = [];
  const world = createWorld({
    servers: { a: flaky() },
    pool: {
      toolPolicy: () => ({ isIdempotent: true }),
      requestMeta: (chain, attempt) => {
        asked.push([chain, attempt]);
        const session = world.events[0]?.session;
        return (
          meta ?? (session === undefined ? {} : { traceparent: formatTraceparent(attemptIds(session, chain, attempt)) })
        );
      },
    },
  });
  const outcome = world.pool.call({ server: idOf('a'), method: 'tools/call', params, origin: 'client' });
  await world.clock.advance(5000);
  const { kind } = await outcome;
  const metas = (world.wires[0]?.sent ?? [])
    .filter(({ method }) => method === 'tools/call')
    .map(({ params: sent }) => sent?.['_meta'] as JsonObject);
  await world.pool.dispose();
  return { kind, asked, metas, events: world.events };
}

it('a trace context goes with each attempt, and the spans of the log are the ones that it named', async () => {
  const { kind, asked, metas, events } = await called(undefined);
  expect([kind, asked.map(([, attempt]) => attempt)]).toEqual(['success', [1, 2]]);
  const spans = new Spans({ hasContent: false, graceUs: 0 });
  const correlator = new Correlator(judge);
  events.forEach((event, index) => {
    const logged: LogEvent = { ...event, seq: index + 1 };
    spans.push(logged, correlator.push(logged));
  });
  const told = spans.finish().spans.filter(({ name }) => name === 'tools/call work');
  const [over, ...attempts] = told;
  expect([over?.kind, attempts.length]).toEqual(['internal', 2]);
  expect(metas.map((meta) => meta['traceparent'])).toEqual(attempts.map(formatTraceparent));
  expect(attempts.every(({ parent, traceId }) => parent?.spanId === over?.spanId && traceId === over?.traceId)).toBe(
    true,
  );
  // The token that joins a request to its attempt stays.
  expect(metas.every((meta) => typeof meta['progressToken'] === 'string')).toBe(true);
});

it('what the call gives itself stays as it is', async () => {
  const params = { name: 'work', arguments: {}, _meta: { traceparent: 'mine', other: 1 } };
  const { metas } = await called({ traceparent: 'ours', tracestate: 'a=b' }, params);
  expect(metas[0]).toMatchObject({ traceparent: 'mine', other: 1, tracestate: 'a=b' });
});
