import { describe, expect, it } from 'vitest';
import { judge } from '../../../../../src/core/classify/judge.ts';
import { alterAnswer } from '../../../../../src/core/passthrough/faults/alter.ts';
import { createDeliveries } from '../../../../../src/core/passthrough/faults/deliveries.ts';
import type { Fault } from '../../../../../src/core/passthrough/faults/plan.ts';
import { createEventCutter, dataOf, eventOf } from '../../../../../src/core/passthrough/faults/serverSentEvents.ts';
import type { JsonObject } from '../../../../../src/protocol/jsonrpc.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const messageOf = (result: object, id: string | number = 7) =>
  ({ jsonrpc: '2.0', id, result }) as unknown as JsonObject;
const text = (value: string) => [{ type: 'text', text: value }];
const alter = (fault: Fault, message: JsonObject) => alterAnswer(fault, JSON.stringify(message), message);
const only = (fault: Fault, message: JsonObject) => JSON.parse(alter(fault, message).texts[0] ?? '') as JsonObject;

describe('a result of which part was removed', () => {
  const items = [1, 2, 3, 4, 5].map((id) => ({ id }));

  it.each([
    ['structured content', { content: text('five'), structuredContent: { items, kind: 'x' } }, 'items: 2/5'],
    ['JSON text', { content: text(JSON.stringify({ items })) }, 'items: 2/5'],
    ['both', { content: text(JSON.stringify({ items })), structuredContent: { items } }, 'items: 2/5'],
    ['an object without a list', { content: text('x'), structuredContent: { a: 1 } }, 'marked'],
    ['a sentence', { content: text('The weather is fine today in all of the country.') }, 'of the text'],
    ['nothing', { content: [] }, 'of the text'],
    ['an image', { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }, 'of the text'],
  ])('is judged partial: %s', (_, result, detail) => {
    const message = messageOf(result);
    const altered = alter({ type: 'partial' }, message);
    expect(altered.detail).toBe(detail);
    const changed = JSON.parse(altered.texts[0] ?? '') as { result: JsonObject };
    const verdict = judge(
      { method: 'tools/call', target: 'get_orders' },
      { kind: 'result', result: changed.result, raw: altered.texts[0] ?? '' },
    );
    expect(verdict.outcome).toBe('partial');
    // What it was made of is not touched.
    expect(message).toEqual(messageOf(result));
  });

  it.each([
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }],
    ['a tool that failed', messageOf({ content: text('no'), isError: true })],
  ])('is no other than before: %s', (_, message) => {
    const raw = JSON.stringify(message);
    expect(alterAnswer({ type: 'partial' }, raw, message as JsonObject)).toEqual({ texts: [raw] });
  });
});

describe('isError', () => {
  it.each([
    [undefined, true],
    [false, true],
    [true, false],
  ])('%s becomes %s', (before, after) => {
    const message = messageOf({ content: text('x'), ...(before === undefined ? {} : { isError: before }) });
    expect(only({ type: 'toolError' }, message)['result']).toEqual({ content: text('x'), isError: after });
  });
});

it.each([
  [7, 1_000_007],
  ['a', 'a-injected'],
])('the id %j becomes %j', (id, other) => {
  expect(only({ type: 'wrongId' }, messageOf({}, id))['id']).toBe(other);
});

it.each(['truncated', 'garbled'] as const)('an answer that was %s is no JSON', (how) => {
  const [broken = ''] = alter({ type: 'malformed', how }, messageOf({ content: [] })).texts;
  expect(() => JSON.parse(broken)).toThrow();
  expect(broken).not.toContain('\n');
});

describe('deliveries', () => {
  function scene() {
    const clock = new FakeClock();
    const got: string[] = [];
    const deliveries = createDeliveries(clock, {
      write: (bytes) => got.push(Buffer.from(bytes).toString()),
      cut: () => got.push('CUT'),
    });
    const deliver = (words: string, pace?: Parameters<typeof deliveries.deliver>[1]) =>
      deliveries.deliver(Buffer.from(words), pace);
    return { clock, got, deliveries, deliver };
  }

  it('let others pass what is delayed', async () => {
    const { clock, got, deliver } = scene();
    deliver('late', { delayMs: 50 });
    deliver('soon');
    expect(got).toEqual(['soon']);
    await clock.advance(49);
    expect(got).toEqual(['soon']);
    await clock.advance(1);
    expect(got).toEqual(['soon', 'late']);
  });

  it('hold up what comes behind something slow', async () => {
    const { clock, got, deliver } = scene();
    deliver('abcd', { delayMs: 0, bytesPerSecond: 20 });
    deliver('next');
    expect(got).toEqual(['ab']);
    await clock.advance(100);
    expect(got).toEqual(['ab', 'cd', 'next']);
  });

  it('go on at less than a byte in a turn', async () => {
    const { clock, got, deliver } = scene();
    deliver('ab', { delayMs: 0, bytesPerSecond: 2 });
    await clock.advance(499);
    expect(got).toEqual(['a']);
    await clock.advance(1);
    expect(got).toEqual(['a', 'b']);
  });

  it('end with a cut, and tell who waits', async () => {
    const { clock, got, deliver, deliveries } = scene();
    deliver('late', { delayMs: 50 });
    deliver('abcdef', { delayMs: 0, cutAtByte: 2 });
    deliver('next');
    let isIdle = false;
    deliveries.whenIdle(() => {
      isIdle = true;
    });
    await clock.advance(100);
    expect({ got, isIdle }).toEqual({ got: ['ab', 'CUT'], isIdle: true });
  });
});

describe('events of a stream', () => {
  it.each(['\n', '\r\n', '\r'])('are cut at blank lines, however they come, line end %j', (eol) => {
    const events = [`: hello${eol}${eol}`, `id: 1${eol}data: a${eol}data: b${eol}${eol}`, `data:c${eol}${eol}`];
    const all = Buffer.from(events.join(''));
    for (let size = 1; size <= all.length; size += 1) {
      const got: string[] = [];
      const cutter = createEventCutter((event) => got.push(Buffer.from(event).toString()));
      for (let at = 0; at < all.length; at += size) {
        cutter.push(all.subarray(at, at + size));
      }
      cutter.end();
      // Not a byte is lost or moved.
      expect(got.join('')).toBe(all.toString());
      expect(got.map((event) => dataOf(Buffer.from(event))).filter((data) => data !== undefined)).toEqual([
        'a\nb',
        'c',
      ]);
    }
  });

  it('keep all but their data', () => {
    expect(eventOf('new\nlines', Buffer.from('event: message\nid: 4\ndata: old\n\n'))).toBe(
      'event: message\nid: 4\ndata: new\ndata: lines\n\n',
    );
  });
});
