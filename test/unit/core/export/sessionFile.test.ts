import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody } from '../../../../src/core/log/codec.ts';
import type { LogEvent } from '../../../../src/protocol/events.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { event, eventsOf, header, items, problemsOf, randomEvents, written } from './support.ts';

const mark = (seq: number) => event(seq, { kind: 'note', note: { type: 'mark', text: `mark ${seq}` } });
const three = [mark(1), mark(2), mark(5)];

describe('a session file', () => {
  it.each([1, 2, 3, 4, 5])('is written, read and written again to the same bytes (seed %i)', async (seed) => {
    const events = randomEvents(seededRandom(seed), 200);
    const file = await written(events, header, { stderr: 3 });
    const found = await items(file, 1 + seed * 17);
    expect(eventsOf(found)).toEqual(events);
    expect(found[0]).toEqual({ kind: 'header', header });
    expect(found.at(-1)).toMatchObject({ kind: 'end', trailer: { events: 200, leftOut: { stderr: 3 } } });
    expect(problemsOf(found)).toEqual([]);
    expect(await written(eventsOf(found), header, { stderr: 3 })).toBe(file);
  });

  it('has the same bytes whether its events come from memory or out of SQLite columns', async () => {
    const events = randomEvents(seededRandom(9), 100);
    const stored = events.map(({ body, ...context }): LogEvent => {
      const columns = encodeBody(body);
      return { ...context, body: decodeBody(body.kind, columns.body, columns.raw) };
    });
    expect(await written(stored)).toBe(await written(events));
  });

  it('begins with its header and ends with its counts and a checksum of what is before', async () => {
    const lines = (await written(three)).split('\n');
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0] ?? '')).toEqual(header);
    expect(JSON.parse(lines[4] ?? '')).toEqual({
      faultlineSessionEnd: 1,
      events: 3,
      leftOut: {},
      sha256: createHash('sha256')
        .update(
          lines
            .slice(0, 4)
            .map((line) => `${line}\n`)
            .join(''),
        )
        .digest('hex'),
    });
  });

  it('is written in pieces of bounded size', async () => {
    const { writeSession } = await import('../../../../src/core/export/sessionFile.ts');
    const sizes: number[] = [];
    const many = Array.from({ length: 5000 }, (_, index) => mark(index + 1));
    for await (const piece of writeSession(header, many)) {
      sizes.push(piece.length);
    }
    expect(Math.max(...sizes)).toBeLessThan(70_000);
    expect(sizes.length).toBeGreaterThan(5);
  });

  it('has a gap in the place of an event that is no JSON', async () => {
    const cyclic: Record<string, unknown> = { kind: 'note' };
    cyclic['note'] = cyclic;
    const found = await items(await written([mark(1), event(2, cyclic as never)]));
    expect(eventsOf(found)[1]?.body).toMatchObject({ kind: 'note', note: { type: 'gap', events: 1 } });
  });
});

describe('what is wrong with a session file', () => {
  const codes = async (file: string | Uint8Array, maxLineBytes?: number) =>
    problemsOf(await items(file, 11, maxLineBytes)).map(({ code, args }) =>
      args['line'] === undefined ? code : `${code}@${args['line']}`,
    );
  const changed = async (change: (lines: string[]) => unknown) => {
    const lines = (await written(three)).split('\n');
    change(lines);
    return lines.join('\n');
  };
  const replaced = (line: number, text: string) => changed((lines) => lines.splice(line - 1, 1, text));

  it.each([
    ['an empty file', async () => '', ['session.no-header']],
    ['a file of another kind', async () => '{"seq":1}\n', ['session.no-header']],
    ['text', async () => 'hello', ['session.no-header']],
    ['a newer version', () => replaced(1, '{"faultlineSession":2}'), ['session.newer']],
    ['a lost last line', () => changed((lines) => lines.splice(4)), ['session.truncated']],
    [
      'a cut in the middle of a line',
      () => changed((lines) => lines.splice(3, 9, '{"seq":5,"ses')),
      ['session.not-json@4', 'session.truncated'],
    ],
    ['a lost event', () => changed((lines) => lines.splice(2, 1)), ['session.count', 'session.checksum']],
    [
      'a changed event',
      () => changed((lines) => lines.splice(2, 1, lines[2]?.replace('mark 2', 'mark X') ?? '')),
      ['session.checksum'],
    ],
    [
      'events out of order',
      () => changed((lines) => lines.splice(3, 0, lines[1] ?? '')),
      ['session.order@4', 'session.checksum'],
    ],
    ['a line after the end', () => changed((lines) => lines.push('{}')), ['session.after-end@7']],
    [
      'an event without a context',
      () => replaced(3, '{"seq":2,"body":{"kind":"stderr"}}'),
      ['session.bad-event@3', 'session.count', 'session.checksum'],
    ],
    ['an array', () => replaced(3, '[]'), ['session.bad-event@3', 'session.count', 'session.checksum']],
    [
      'nesting to exhaust a parser',
      () => replaced(3, '['.repeat(100_000)),
      ['session.too-deep@3', 'session.count', 'session.checksum'],
    ],
  ])('%s is told', async (_, file, expected) => {
    expect(await codes(await file())).toEqual(expected);
  });

  it('a line over the limit is passed over, and the rest is read', async () => {
    const file = await written([mark(1), event(2, { kind: 'stderr', line: 'x'.repeat(5000), level: 'info' }), mark(3)]);
    const found = await items(file, 100, 2000);
    expect(eventsOf(found).map(({ seq }) => seq)).toEqual([1, 3]);
    expect(await codes(file, 2000)).toEqual(['session.too-long@3', 'session.count']);
  });

  it('bytes that are no UTF-8 are told', async () => {
    const bytes = new TextEncoder().encode(await written(three));
    bytes[bytes.lastIndexOf(0x35, -200) - 1] = 0xff;
    expect(await codes(bytes)).toEqual([
      expect.stringMatching(/^session\.not-utf8@/),
      'session.count',
      'session.checksum',
    ]);
  });

  it.each([
    ['direction', { kind: 'message', raw: '', bytes: 0, envelope: { kind: 'batch', size: 1 } }],
    ['envelope', { kind: 'message', direction: 'sent', raw: '', bytes: 0, envelope: { kind: 'result' } }],
    ['rawBytes', { kind: 'noise', stream: 'sse', raw: '', rawBytes: '***', bytes: 0, problem: 'not-json' }],
    ['detail', { kind: 'lifecycle', detail: { step: 'spawn' } }],
    ['responseHeaders', { kind: 'http', id: '1', method: 'GET', url: '', requestHeaders: {}, durationUs: 1 }],
    ['note', { kind: 'note', note: { type: 'gap' } }],
  ])('a body with a bad %s is named', async (place, body) => {
    const file = await changed((lines) => lines.splice(2, 1, JSON.stringify({ ...mark(2), body })));
    const [found] = problemsOf(await items(file));
    expect(found?.code).toBe('session.bad-event');
    expect(found?.args['detail']).toMatch(new RegExp(`^body\\.${place}`));
  });

  it.each([
    [{ kind: 'thought', x: 1 }],
    [{ kind: 'lifecycle', detail: { step: 'reborn' } }],
    [{ kind: 'note', note: { type: 'later' } }],
  ])('%j, of a later version, is kept as a mark', async (body) => {
    const file = await changed((lines) => lines.splice(2, 1, JSON.stringify({ ...mark(2), body })));
    expect(eventsOf(await items(file))[1]?.body).toEqual({
      kind: 'note',
      note: { type: 'mark', text: JSON.stringify(body) },
    });
  });

  it('a stream that fails is a problem, not an exception', async () => {
    const { readSession } = await import('../../../../src/core/export/sessionReader.ts');
    async function* failing() {
      yield new TextEncoder().encode(`${JSON.stringify(header)}\n`);
      throw new Error('disk gone');
    }
    const found = [];
    for await (const item of readSession(failing())) {
      found.push(item.kind === 'problem' ? item.problem.args['detail'] : item.kind);
    }
    expect(found).toEqual(['header', 'disk gone']);
  });

  it('has a sentence for each of its codes', async () => {
    const sources = ['no-header', 'newer', 'truncated', 'count', 'checksum', 'order', 'too-deep', 'unreadable'];
    expect(sources.filter((code) => TEXTS[`session.${code}`] === undefined)).toEqual([]);
  });
});
