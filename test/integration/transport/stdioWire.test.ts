import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StdioWireOptions } from '../../../src/core/transport/stdioWire.ts';
import { MemorySink, until } from '../../unit/core/transport/wireProbe.ts';
import { call, create, open, servers } from './stdioScene.ts';

describe('messages', () => {
  it('pass in both directions, recorded before they are told', async () => {
    const { wire, sink, probe } = await open('wellBehaved');
    const recordedBy: number[] = [];
    wire.onDidReceive(() => recordedBy.push(sink.bodies('message').length));
    expect(await wire.send(call(0))).toBeUndefined();
    await until(() => probe.received.length === 1);

    const answer = '{"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":"done"}]}}';
    expect(sink.bodies('message')).toEqual([
      {
        kind: 'message',
        direction: 'sent',
        raw: call(0),
        bytes: call(0).length,
        envelope: { kind: 'request', id: 0, method: 'tools/call' },
      },
      {
        kind: 'message',
        direction: 'received',
        raw: answer,
        bytes: answer.length,
        envelope: { kind: 'result', id: 0 },
      },
    ]);
    expect(probe.sent.map(({ raw }) => raw)).toEqual([call(0)]);
    expect(probe.received[0]).toMatchObject({
      raw: answer,
      message: JSON.parse(answer),
      envelope: { kind: 'result', id: 0 },
    });
    expect(recordedBy).toEqual([2]);
  });

  it.each<[server: string, args: string[], envelopes: unknown[]]>([
    ['stringId', [], [{ kind: 'result', id: '5' }]],
    [
      'duplicateAnswer',
      [],
      [
        { kind: 'result', id: 5 },
        { kind: 'result', id: 5 },
      ],
    ],
    [
      'unknownId',
      [],
      [
        { kind: 'result', id: 'nobody' },
        { kind: 'result', id: 5 },
      ],
    ],
    ['nullIdError', [], [{ kind: 'error', id: null, code: -32700 }]],
    ['nullIdError', ['absent'], [{ kind: 'error', id: null, code: -32700 }]],
    [
      'batchAnswer',
      ['empty'],
      [
        { kind: 'invalid', problem: 'empty-batch' },
        { kind: 'batch', size: 2 },
      ],
    ],
    ['missingJsonrpc', [], [{ kind: 'invalid', id: 5, problem: 'missing-jsonrpc' }]],
    ['resultAndError', [], [{ kind: 'invalid', id: 5, problem: 'result-and-error' }]],
  ])('of %s %j are told with their shape', async (server, args, envelopes) => {
    const { wire, sink, probe } = await open(server, args);
    await wire.send(call(5));
    await until(() => probe.received.length === envelopes.length);
    expect(probe.received.map(({ envelope }) => envelope)).toEqual(envelopes);
    expect(sink.bodies('noise')).toEqual([]);
  });

  it('keep their characters, and their bytes where these are no characters', async () => {
    const split = await open('splitCharacter');
    const invalid = await open('invalidUtf8');
    await split.wire.send(call(1));
    await invalid.wire.send(call(1));
    await until(() => split.probe.received.length === 1 && invalid.probe.received.length === 1);
    expect(split.probe.received[0]?.raw).toContain('"é\u2028ü"');
    const [, body] = invalid.sink.bodies('message');
    expect(body?.raw).toContain('"a\ufffdb"');
    expect(body?.rawBytes?.includes(0xff)).toBe(true);
    expect(body?.rawBytes?.length).toBe(body?.bytes);
  });

  it('of 12 MiB arrive whole', async () => {
    const { wire, probe } = await open('hugeLine', ['12']);
    await wire.send(call(1));
    await until(() => probe.received.length === 1);
    expect(probe.received[0]?.raw.length).toBeGreaterThan(12 * 1024 * 1024);
    expect(probe.received[0]?.envelope).toEqual({ kind: 'result', id: 1 });
  });

  it('over the cap are named, and those after them still arrive', async () => {
    const { wire, sink, probe } = await open('hugeLine', ['65']);
    await wire.send(call(1));
    await until(() => sink.bodies('noise').length === 1);
    await wire.send(call(2));
    await until(() => probe.received.length === 1);
    expect(sink.bodies('noise')).toMatchObject([{ problem: 'frame-too-large', bytes: 64 * 1024 * 1024 }]);
    expect(sink.bodies('noise')[0]?.raw).toHaveLength(64 * 1024);
    expect(probe.received[0]?.envelope).toEqual({ kind: 'result', id: 2 });
  });

  it('right before the exit are not lost', async () => {
    const { wire, sink, probe } = await open('answersThenExits');
    await wire.send(call(1));
    await until(() => probe.closed.length === 1);
    expect(probe.received.map(({ envelope }) => envelope)).toEqual([{ kind: 'result', id: 1 }]);
    expect(sink.events.map(({ body }) => body.kind).slice(-2)).toEqual(['message', 'lifecycle']);
  });
});

describe('what is no message', () => {
  it('on stdout is recorded as noise, and traffic goes on', async () => {
    const { wire, sink, probe } = await open('stdoutBanner');
    await wire.send(call(1));
    await until(() => probe.received.length === 1);
    expect(sink.bodies('noise').map(({ raw, problem, bytes }) => [raw, problem, bytes])).toEqual([
      ['Server listening on 3000', 'not-json', 24],
      ['', 'not-json', 0],
      ['{"level":"info","id":1,"msg":"ready"}', 'not-jsonrpc', 37],
      ['Executing work', 'not-json', 14],
    ]);
  });

  it('is named when the server frames as LSP does', async () => {
    const { wire, sink } = await open('lspFraming');
    await wire.send(call(1));
    await until(() => sink.bodies('noise').length === 2);
    await wire.send(call(2));
    await until(() => sink.bodies('noise').length === 4);
    await wire.close();
    expect(sink.bodies('noise').map(({ raw, problem }) => [raw, problem])).toEqual([
      ['Content-Length: 36', 'lsp-framing'],
      ['', 'lsp-framing'],
      ['{"jsonrpc":"2.0","id":1,"result":{}}Content-Length: 36', 'lsp-framing'],
      ['', 'lsp-framing'],
      ['{"jsonrpc":"2.0","id":1,"result":{}}', 'lsp-framing'],
    ]);
  });

  it('is named when the stream ends in the middle of a line', async () => {
    const { wire, sink, probe } = await open('unterminatedLine');
    await wire.send(call(1));
    await until(() => probe.closed.length === 1);
    expect(sink.bodies('noise')).toMatchObject([{ raw: '{"jsonrpc":"2.0","id":1,"resu', problem: 'unterminated' }]);
  });
});

describe('start', () => {
  it.each<[string, Partial<StdioWireOptions>, object]>([
    [
      'a command that is nowhere on PATH',
      {
        definition: { command: 'no-such-command-here', args: [], env: { PATH: '/nowhere:/neither' } },
      },
      { code: 'ENOENT', message: expect.stringMatching(/no-such-command-here.*\/nowhere:\/neither/) },
    ],
    [
      'a path that does not exist',
      { definition: { command: '/no/such/file', args: [], env: {} } },
      { code: 'ENOENT', message: expect.stringContaining('/no/such/file does not exist') },
    ],
    [
      'a file that may not be executed',
      { definition: { command: path.join(servers, 'wellBehaved.mjs'), args: [], env: {} } },
      { code: 'EACCES', message: expect.stringContaining('permission denied') },
    ],
    [
      'a script whose interpreter is missing',
      { definition: { command: path.join(servers, 'missingInterpreter.sh'), args: [], env: {} } },
      { code: 'ENOENT', message: expect.stringContaining('interpreter') },
    ],
    [
      'a working directory that does not exist',
      { definition: { command: process.execPath, args: [], env: {}, cwd: '/no/such/folder' } },
      { code: 'ENOENT', message: expect.stringContaining('working directory /no/such/folder does not exist') },
    ],
    [
      'a working directory that is a file',
      { definition: { command: process.execPath, args: [], env: {}, cwd: process.execPath } },
      { code: 'ENOTDIR', message: expect.stringContaining('is not a directory') },
    ],
    [
      'an argument that no process can have',
      { definition: { command: process.execPath, args: ['\0'], env: {} } },
      { code: 'ERR_INVALID_ARG_VALUE' },
    ],
  ])('says why not with %s', async (_name, options, expected) => {
    const { wire, sink, probe } = create('wellBehaved', [], options);
    const failure = await wire.start();
    expect(failure).toMatchObject({ reason: 'spawn-failed', ...expected });
    expect(await wire.start()).toEqual(failure);
    expect(await wire.send(call(1))).toEqual(failure);
    await wire.close();
    expect(sink.bodies('lifecycle').map(({ detail }) => detail)).toMatchObject([
      { step: 'spawn' },
      { step: 'failed', failure },
    ]);
    expect(probe.closed).toEqual([]);
  });

  it('gives the server the inherited environment under its own', async () => {
    const { wire, sink } = await open('wellBehaved', [], {
      definition: {
        command: process.execPath,
        args: ['-e', 'console.error(process.env.A, process.env.B, process.env.C); process.stdin.resume()'],
        env: { B: 'own' },
      },
      inheritedEnv: { A: 'inherited', B: 'inherited' },
    });
    await until(() => sink.bodies('stderr').length === 1);
    expect(sink.bodies('stderr')).toEqual([{ kind: 'stderr', line: 'inherited own undefined', level: 'unknown' }]);
    await wire.close();
  });
});

it('goes on when a listener or the sink throws', async () => {
  const errors: unknown[] = [];
  const sink = new MemorySink();
  let isFailing = true;
  const { wire, probe } = await open('wellBehaved', [], {
    sink: {
      append: (event) => {
        if (isFailing) {
          throw new Error('disk full');
        }
        sink.append(event);
      },
    },
    onListenerError: (error) => errors.push(error),
  });
  wire.onDidReceive(() => {
    throw new Error('listener');
  });
  await wire.send(call(1));
  await until(() => probe.received.length === 1);
  isFailing = false;
  await wire.send(call(2));
  await until(() => probe.received.length === 2);
  expect(errors).toHaveLength(2);
  expect(sink.bodies('note')).toMatchObject([{ note: { type: 'gap', events: 4 } }]);
});
