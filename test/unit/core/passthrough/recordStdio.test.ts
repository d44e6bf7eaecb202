import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../../src/core/passthrough/passage.ts';
import { recordStdio } from '../../../../src/core/passthrough/recordStdio.ts';
import type { NewLogEvent } from '../../../../src/protocol/events.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { happened, passed, scene, told } from './support.ts';

const PIECES = [
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  'not json',
  '{"level":"info"}',
  '',
  '[{"jsonrpc":"2.0","id":2,"result":{}}]',
  'Content-Length: 10',
  'caf\u00e9 \u{1f4a5} \u2028',
].map((text) => Buffer.from(text));
const INVALID = Buffer.from([0xc3, 0x28, 0xff, 0x22]);

/** Lines of all kinds, some with a carriage return, the last one perhaps without an end. */
function anyStream(random: () => number): Buffer {
  const parts: Buffer[] = [];
  for (let index = 0; index < 40; index += 1) {
    const piece = random() < 0.1 ? INVALID : PIECES[Math.floor(random() * PIECES.length)];
    parts.push(piece ?? INVALID, Buffer.from(random() < 0.2 ? '\r\n' : '\n'));
  }
  return Buffer.concat(random() < 0.5 ? parts.slice(0, -1) : parts);
}

function record(channel: Channel, chunks: readonly Uint8Array[]): readonly NewLogEvent[] {
  const { events, naming, passing } = scene();
  const recording = recordStdio(naming, passing);
  for (const chunk of chunks) {
    recording.take(passed(channel, chunk));
  }
  recording.end();
  return events;
}

function cut(bytes: Buffer, random: () => number): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(random() ** 3 * 60);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

describe('the record of a stdio connection', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))('does not depend on how bytes are cut (seed %i)', (seed) => {
    const random = seededRandom(seed);
    for (const channel of ['sent', 'received', 'stderr'] as const) {
      const bytes = anyStream(random);
      const whole = record(channel, [bytes]);
      expect(record(channel, cut(bytes, random))).toEqual(whole);
      // Every line is on record, as it was.
      const lines = bytes.toString('latin1').split('\n');
      const kept = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
      const recorded = whole.map(({ body }) => {
        const { raw = '', rawBytes = undefined } = 'raw' in body ? body : {};
        return 'line' in body ? undefined : Buffer.from(rawBytes ?? Buffer.from(raw)).toString('latin1');
      });
      expect(recorded).toEqual(
        kept.map((text, index) =>
          channel === 'stderr' ? undefined : index < lines.length - 1 ? text.replace(/\r$/, '') : text,
        ),
      );
    }
  });

  it('takes a line of the client that is no message for a malformed one, and of the server for noise', () => {
    expect(told(record('sent', [Buffer.from('oops\n')]))).toEqual([
      'tap:unknown tap:fallback message sent invalid oops',
    ]);
    expect(told(record('received', [Buffer.from('oops\n')]))).toEqual(['tap:unknown tap:fallback noise not-json oops']);
  });

  it.each([
    ['in the middle of a line', false, ['gap 3 50 why', 'noise not-json next']],
    ['at the end of a line', true, ['gap 3 50 why', 'noise not-json rest', 'noise not-json next']],
  ])('goes on after a gap that ends %s', (_, endsLine, expected) => {
    const { events, naming, passing } = scene();
    const recording = recordStdio(naming, passing);
    recording.take(passed('received', 'begun'));
    recording.take(happened({ fact: 'gap', channel: 'received', lines: 3, bytes: 50, reason: 'why', endsLine }));
    recording.take(passed('received', 'rest\nnext\n'));
    recording.end();
    expect(told(events).map((text) => text.replace(/^tap:unknown tap:fallback (?:note )?/, ''))).toEqual(expected);
  });
});
