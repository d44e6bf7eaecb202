import { describe, expect, it } from 'vitest';
import { BehaviourTracker } from '../../../../src/core/classify/behaviour/behaviourTracker.ts';
import { MAX_WAITING } from '../../../../src/core/classify/connectionState.ts';
import { Correlator } from '../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../src/core/classify/judge.ts';
import type { EventBody, LogEvent } from '../../../../src/protocol/events.ts';
import { recorded } from './support.ts';

/** `npm run fuzz` takes a million, as many as a window may see in a long day. */
const REQUESTS = Number(process.env['FAULTLINE_FUZZ'] ?? 50_000);

function* numbered(bodies: (index: number) => readonly EventBody[], count: number): Iterable<LogEvent> {
  let from = 1;
  for (let index = 0; index < count; index++) {
    const events = recorded(bodies(index), { from });
    from += events.length;
    yield* events;
  }
}

function request(id: number, more = ''): EventBody {
  const raw = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t${id % 5000}","arguments":{}${more}}}`;
  return {
    kind: 'message',
    direction: 'sent',
    raw,
    bytes: raw.length,
    envelope: { kind: 'request', id, method: 'tools/call' },
  };
}

function reply(id: number, result: string): EventBody {
  const raw = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  return { kind: 'message', direction: 'received', raw, bytes: raw.length, envelope: { kind: 'result', id } };
}

describe('what a correlator holds', () => {
  it('is bounded with requests that nobody answers, and says so of those it gives up', {
    timeout: 300_000,
  }, () => {
    const correlator = new Correlator(judge);
    let given = 0;
    let largest = 0;
    for (const event of numbered((index) => [request(index)], REQUESTS)) {
      for (const { anomalies = [] } of correlator.push(event)) {
        given += anomalies.some(({ code }) => code === 'tooManyOpen') ? 1 : 0;
      }
      if (event.seq % 10_000 === 0) {
        largest = Math.max(largest, correlator.size);
      }
    }
    expect({ given, isBounded: largest < 2 * MAX_WAITING }).toEqual({ given: REQUESTS - MAX_WAITING, isBounded: true });
  });

  it('is bounded with exchanges that each leave something to remember', { timeout: 300_000 }, () => {
    const correlator = new Correlator(judge);
    const tracker = new BehaviourTracker();
    const sizes: number[] = [];
    const count = 60_000;
    const bodies = (index: number) => [
      request(index, `,"_meta":{"progressToken":"p${index}"},"requestState":"s${index}"`),
      reply(
        index,
        index % 2 === 0
          ? `{"resultType":"input_required","requestState":"s${index + 1}"}`
          : `{"content":[],"isError":true,"nextCursor":"c${index}","task":{"taskId":"k${index}","status":"working"}}`,
      ),
    ];
    for (const event of numbered(bodies, count)) {
      for (const exchange of correlator.push(event)) {
        tracker.push(exchange);
      }
      if (event.seq % 40_000 === 0) {
        sizes.push(correlator.size);
      }
    }
    // It grows to its limits, and then no more.
    expect(new Set(sizes.slice(1)).size).toBe(1);
  });
});
