import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../unit/support/seededRandom.ts';
import { anyBytes } from './anyBytes.ts';
import { eventsOf, freshLog, tapStdio, testServer, until } from './tapScene.ts';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('bytes through a tap over stdio', () => {
  it.each([1, 2, 3, 4, 5, 6])('come out as they went in, both ways at once (seed %i)', async (seed) => {
    const log = freshLog();
    const tap = tapStdio(log, testServer('anyBytes', String(seed + 100)));
    const random = seededRandom(seed);
    const sent = anyBytes(seed);
    for (const chunk of sent) {
      if (!tap.child.stdin.write(chunk)) {
        await once(tap.child.stdin, 'drain');
      }
      if (random() < 0.3) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    tap.child.stdin.end();
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    expect(digest(tap.out())).toBe(digest(Buffer.concat(anyBytes(seed + 100))));
    expect(tap.err()).toBe(`${digest(Buffer.concat(sent))}\n`);
    const passed = { sent: 0, received: 0 };
    for (const { body } of eventsOf(log)) {
      if (body.kind === 'message') {
        passed[body.direction] += body.bytes;
      } else if (body.kind === 'noise') {
        passed.received += body.bytes;
      }
      expect(body.kind === 'note' ? body : undefined).toBeUndefined();
    }
    expect(passed).toEqual({ sent: withoutLineEnds(sent), received: withoutLineEnds(anyBytes(seed + 100)) });
  });

  it('keep one direction going while nobody reads the other, and hold no more than pipes do', async () => {
    const log = freshLog();
    const tap = tapStdio(log, testServer('floods'));
    tap.child.stdout.pause();
    // Each line that it reads is answered on stderr by how much it could write so far.
    for (let asked = 1; asked <= 30; asked += 1) {
      tap.child.stdin.write('how much?\n');
      await until(() => expect(tap.err().split('\n').length).toBeGreaterThan(asked));
    }
    const written = Number(tap.err().trimEnd().split('\n').at(-1));
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(4 * 1024 * 1024);
    tap.child.stdin.end();
    tap.child.stdout.resume();
    expect(await tap.ended).toEqual({ code: 0, signal: null });
  });
});

function withoutLineEnds(chunks: readonly Buffer[]): number {
  const lines = Buffer.concat(chunks).toString('latin1').split('\n');
  const last = lines.length - 1;
  return lines.reduce((sum, text, index) => sum + (index < last ? text.replace(/\r$/, '').length : text.length), 0);
}
