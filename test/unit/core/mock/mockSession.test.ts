import { describe, expect, it } from 'vitest';
import { at, call, client, converse, type Happening, note, request, result, server } from './scene.ts';

const noise = (raw: string): Happening => ({
  body: { kind: 'noise', stream: 'stdout', raw, bytes: raw.length, problem: 'not-json' },
});
const ok = (id: number | string, text: string) => result(id, { content: [{ type: 'text', text }] });

describe('a mock', () => {
  it('answers as recorded, with the id of now', async () => {
    const { say } = await converse([client(call(7, 'a')), server(ok(7, 'one'))]);
    expect(await say(call('x', 'a', {}, { progressToken: 3 }))).toEqual([ok('x', 'one'), 'done']);
  });

  it('gives the recorded answers in their order and then the last for ever, whoever asks', async () => {
    const { say, newSession } = await converse([
      client(call(1, 'a')),
      server(ok(1, 'one')),
      client(call(2, 'a')),
      server(ok(2, 'two')),
    ]);
    const texts = [await say(call(1, 'a')), await say(call(1, 'a'), newSession()), await say(call(1, 'a'))];
    expect(texts.map(([answer]) => answer)).toEqual([ok(1, 'one'), ok(1, 'two'), ok(1, 'two')]);
  });

  it('plays errors, noise, malformed and double answers byte for byte around the ids', async () => {
    const raw = '{"jsonrpc":"2.0",  "result":{"a":1.0}, "error":{"code":0,"message":"OK"}, "id" : 4 }';
    const { say, said, session, channel, clock } = await converse([
      client(call(4, 'a')),
      noise('[debug] 4'),
      {
        body: {
          kind: 'message',
          direction: 'received',
          raw,
          bytes: raw.length,
          envelope: { kind: 'invalid', id: 4, problem: 'result-and-error' },
        },
      },
      server(ok(4, 'again')),
      server({ jsonrpc: '2.0', id: 99, result: {} }),
      client(call(5, 'b')),
      server({ jsonrpc: '2.0', id: 5, error: { code: -32603, message: 'no', data: [1] } }),
    ]);
    const raws: string[] = [];
    session.receive(call(12, 'a'), { ...channel, message: (text) => raws.push(text) });
    await clock.advance(0);
    expect([raws[0], said[0]]).toEqual([
      raw.replace(': 4', ': 12'),
      { kind: 'noise', stream: 'stdout', raw: '[debug] 4' },
    ]);
    expect(raws.slice(1).map((text) => JSON.parse(text))).toEqual([
      ok(12, 'again'),
      { jsonrpc: '2.0', id: 99, result: {} },
    ]);
    expect(await say(call(1, 'b'))).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no', data: [1] } },
      'done',
    ]);
  });

  it('answers with an id of the wrong type where the server did', async () => {
    const { say } = await converse([
      client(call(7, 'a')),
      server(ok('7', 'one')),
      client(call('b', 'b')),
      server(ok('b', 'x')),
    ]);
    expect((await say(call(3, 'a')))[0]).toEqual(ok('3', 'one'));
  });

  it('is silent where the server was', async () => {
    const { say, later } = await converse([client(call(1, 'a'))]);
    expect([await say(call(1, 'a')), await later(100_000)]).toEqual([[], []]);
  });

  it('tells progress under the token of now, and none to a client that wants none', async () => {
    const happenings = [
      client(call(1, 'a', {}, { progressToken: 't1' })),
      server(note('notifications/progress', { progressToken: 't1', progress: 1 })),
      server(ok(1, 'done')),
    ];
    const { say } = await converse(happenings);
    expect(await say(call(2, 'a', {}, { progressToken: 5 }))).toEqual([
      note('notifications/progress', { progressToken: 5, progress: 1 }),
      ok(2, 'done'),
      'done',
    ]);
    expect(await say(call(2, 'a'))).toEqual([ok(2, 'done'), 'done']);
  });

  it.each([
    [1, [500, 1500]],
    [0.1, [50, 150]],
    [0, [0, 0]],
  ])('waits as recorded, times %s', async (delayFactor, [first = 0, second = 0]) => {
    const { say, clock, said } = await converse(
      [
        at(1000, client(call(1, 'a'))),
        at(1500, server(note('notifications/message', { level: 'info', data: 'soon' }))),
        at(2500, server(ok(1, 'one'))),
      ],
      { delayFactor },
    );
    const counts = [(await say(call(1, 'a'))).length];
    await clock.advance(first);
    counts.push(said.length);
    await clock.advance(Math.max(0, second - first - 1));
    counts.push(said.length);
    await clock.advance(second > first ? 1 : 0);
    counts.push(said.length);
    expect(counts).toEqual(delayFactor === 0 ? [3, 3, 3, 3] : [0, 1, 1, 3]);
  });

  it('goes on when the client has answered what the server asked, as long after it as it did', async () => {
    const { say, later } = await converse(
      [
        at(0, client(call(1, 'a'))),
        at(100, server(request('r1', 'sampling/createMessage', { messages: [] }))),
        at(5000, client(result('r1', { role: 'assistant' }))),
        at(5200, server(ok(1, 'thanks'))),
      ],
      { delayFactor: 1 },
    );
    expect(await say(call(9, 'a'))).toEqual([]);
    expect(await later(100)).toEqual([request('r1', 'sampling/createMessage', { messages: [] })]);
    expect(await later(60_000)).toEqual([]);
    expect(await say(result('r1', { role: 'assistant' }))).toEqual(['done']);
    expect(await later(199)).toEqual([]);
    expect(await later(1)).toEqual([ok(9, 'thanks'), 'done']);
  });

  it('asks under another id when it asks a second time', async () => {
    const { say } = await converse([
      client(call(1, 'a')),
      server(request(1, 'roots/list')),
      client(result(1, { roots: [] })),
      server(ok(1, 'x')),
    ]);
    const [first] = await say(call(1, 'a'));
    const [second] = await say(call(2, 'a'));
    expect(first).toEqual(request(1, 'roots/list'));
    expect(second).not.toEqual(first);
    expect(await say(result((second as { id: number }).id, { roots: [] }))).toEqual(['done', ok(2, 'x'), 'done']);
  });

  it('stops when it is cancelled, and is late after that where the server was', async () => {
    const quiet = await converse([at(0, client(call(1, 'a'))), at(900, server(ok(1, 'one')))], { delayFactor: 1 });
    await quiet.say(call(5, 'a'));
    await quiet.say(note('notifications/cancelled', { requestId: 5 }));
    expect(await quiet.later(5000)).toEqual([]);
    const late = await converse(
      [
        at(0, client(call(1, 'a'))),
        at(500, client(note('notifications/cancelled', { requestId: 1 }))),
        at(900, server(ok(1, 'one'))),
      ],
      { delayFactor: 1 },
    );
    await late.say(call(5, 'a'));
    expect(await late.later(60_000)).toEqual([]);
    await late.say(note('notifications/cancelled', { requestId: 5 }));
    expect(await late.later(400)).toEqual([ok(5, 'one'), 'done']);
  });

  it('says what followed a notification of the client', async () => {
    const { say } = await converse([
      client(note('notifications/initialized')),
      server(note('notifications/tools/list_changed')),
    ]);
    expect(await say(note('notifications/initialized'))).toEqual([note('notifications/tools/list_changed'), 'done']);
    expect(await say(note('notifications/roots/list_changed'))).toEqual(['done']);
  });

  it('ends as the process ended, in the call that it ended in', async () => {
    const { say } = await converse([
      client(call(1, 'a')),
      { body: { kind: 'stderr', line: 'out of memory', level: 'error' } },
      { body: { kind: 'lifecycle', detail: { step: 'exited', code: 3, signal: null, expected: false } } },
    ]);
    expect(await say(call(1, 'a'))).toEqual([
      { kind: 'stderr', line: 'out of memory' },
      { kind: 'end', how: 'exit', code: 3, signal: null },
      'done',
    ]);
  });

  it('plays what HTTP said instead of an answer, without what would lead to the server that was recorded', async () => {
    const post = (id: string, status: number, more: object = {}): Happening => ({
      body: {
        kind: 'http',
        id,
        method: 'POST',
        url: 'http://real/mcp',
        status,
        requestHeaders: {},
        responseHeaders: {},
        durationUs: 1,
        ...more,
      },
    });
    const { say } = await converse([
      client(call(1, 'busy'), 'h1'),
      post('h1', 503, {
        responseHeaders: {
          'Retry-After': '1',
          Server: 'x',
          'WWW-Authenticate': 'Bearer resource_metadata="http://real"',
        },
        body: 'later',
      }),
      client(call(2, 'moved'), 'h2'),
      post('h2', 307, { responseHeaders: { location: 'http://real/other' } }),
      client(call(2, 'moved'), 'h3'),
      server(ok(2, 'here'), 'h3'),
      post('h3', 200),
      client(call(3, 'cut'), 'h4'),
      post('h4', 200, {
        responseHeaders: { 'content-type': 'text/event-stream' },
        failure: { reason: 'stream-ended', message: '' },
      }),
      client(call(4, 'given up'), 'h5'),
      post('h5', 200, {
        responseHeaders: { 'content-type': 'text/event-stream' },
        failure: { reason: 'closed', message: '' },
      }),
      client(call(5, 'taken'), 'h6'),
      post('h6', 202),
      server(ok(5, 'on a stream'), 'h7'),
    ]);
    const answers = [];
    for (const name of ['busy', 'moved', 'cut', 'given up', 'taken']) {
      answers.push(await say(call(9, name)));
    }
    expect(answers).toEqual([
      [{ kind: 'http', status: 503, headers: { 'Retry-After': '1' }, body: 'later' }, 'done'],
      [ok(9, 'here'), 'done'],
      [{ kind: 'end', how: 'stream-ended', code: null, signal: null }, 'done'],
      [],
      [ok(9, 'on a stream'), 'done'],
    ]);
  });

  it('keeps calls of a batch apart', async () => {
    const { say } = await converse([client([call(1, 'a'), call(2, 'b')]), server([ok(2, 'two'), ok(1, 'one')])]);
    expect(await say(call(11, 'b'))).toEqual([[ok(11, 'two'), ok(1, 'one')], 'done']);
  });

  it('plays what came before anybody spoke', async () => {
    const { session, channel, said, clock } = await converse([noise('ready.'), client(call(1, 'a'))]);
    session.open(channel);
    await clock.advance(0);
    expect(said).toEqual([{ kind: 'noise', stream: 'stdout', raw: 'ready.' }, 'done']);
  });

  it('stops at once when it is closed', async () => {
    const { say, session, later } = await converse([at(0, client(call(1, 'a'))), at(900, server(ok(1, 'one')))], {
      delayFactor: 1,
    });
    await say(call(1, 'a'));
    session.close();
    expect(await later(5000)).toEqual(['done']);
  });
});
