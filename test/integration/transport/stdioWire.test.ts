import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { createStdioWire, type StdioWireOptions } from '../../../src/core/transport/stdioWire.ts';
import type { StdioWire } from '../../../src/core/transport/wire.ts';
import { MemorySink, testContext, until, WireProbe } from '../../unit/core/transport/wireProbe.ts';

const servers = path.resolve(import.meta.dirname, '../../servers');
const opened: StdioWire[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((wire) => wire.close()));
});

interface Opened {
  readonly wire: StdioWire;
  readonly sink: MemorySink;
  readonly probe: WireProbe;
}

/** A wire to `<server>.mjs <args>`, or to another definition, not started. */
function create(server: string, args: readonly string[] = [], options: Partial<StdioWireOptions> = {}): Opened {
  const sink = new MemorySink();
  const wire = createStdioWire({
    definition: { command: process.execPath, args: [path.join(servers, `${server}.mjs`), ...args], env: {} },
    context: testContext,
    sink,
    clock: systemClock,
    stdinGraceMs: 2000,
    termGraceMs: 2000,
    ...options,
  });
  opened.push(wire);
  return { wire, sink, probe: new WireProbe(wire) };
}

async function open(...args: Parameters<typeof create>): Promise<Opened> {
  const result = create(...args);
  expect(await result.wire.start()).toBeUndefined();
  return result;
}

const call = (id: number | string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'work', arguments: {} } });

/** A zombie, which only waits for its parent to notice, does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}

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

describe('an exit', () => {
  it.each<[string, string[], object]>([
    ['exitMidCall', ['3'], { exitCode: 3, exitSignal: null, stderrTail: ['fatal: lost the database'] }],
    ['exitMidCall', ['SIGKILL'], { exitCode: null, exitSignal: 'SIGKILL', stderrTail: ['fatal: lost the database'] }],
    ['exitsAtOnce', [], { exitCode: 1, exitSignal: null, stderrTail: ['Error: API_TOKEN is not set'] }],
    [
      'stderrFlood',
      ['100'],
      { exitCode: 1, stderrTail: Array.from({ length: 20 }, (_, index) => `line ${index + 81}`) },
    ],
  ])('of %s %j is told once with its cause', async (server, args, expected) => {
    const { wire, sink, probe } = await open(server, args);
    await wire.send(call(1));
    await until(() => probe.closed.length === 1);
    expect(await wire.send(call(2))).toMatchObject({ reason: 'exited' });
    await wire.close();
    expect(probe.closed).toMatchObject([{ reason: 'exited', ...expected }]);
    expect(probe.closed).toHaveLength(1);
    expect(sink.steps()).toEqual(['spawn', 'started', 'exited']);
    expect(sink.bodies('lifecycle').at(-1)?.detail).toMatchObject({ expected: false });
    expect(wire.pid).toBeUndefined();
  });

  it('settles a send that the server never read', async () => {
    const { wire, probe } = await open('neverReads');
    const sending = wire.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(4 * 1024 * 1024) }));
    // biome-ignore lint/style/noNonNullAssertion: it has just been started.
    process.kill(wire.pid!, 'SIGKILL');
    await sending;
    await until(() => probe.closed.length === 1);
  });

  it('takes with it what the server left behind', async () => {
    const { wire, probe } = await open('spawnsGrandchild', ['exit']);
    await wire.send(call(1));
    const pid = Number(await until(() => textOf(probe)));
    await until(() => probe.closed.length === 1);
    expect(probe.closed).toMatchObject([{ reason: 'exited', exitCode: 0 }]);
    await until(() => !isRunning(pid));
  });
});

describe('close', () => {
  it.each<[string, number, string[]]>([
    ['wellBehaved', 2000, []],
    ['ignoresStdinEnd', 20, ['sigterm']],
    ['ignoresSigterm', 20, ['sigterm', 'sigkill']],
  ])('ends %s by steps', async (server, graceMs, steps) => {
    const { wire, sink, probe } = await open(server, [], {
      stdinGraceMs: graceMs,
      termGraceMs: Math.max(graceMs, 500),
    });
    await wire.send(call(1));
    await until(() => probe.received.length === 1);
    const pid = wire.pid ?? 0;
    await wire.close();
    expect(isRunning(pid)).toBe(false);
    expect(sink.steps()).toEqual([
      'spawn',
      'started',
      'shutdown stdin-closed',
      ...steps.map((step) => `shutdown ${step}`),
      'exited',
      'shutdown closed',
    ]);
    expect(probe.closed).toMatchObject([{ reason: 'closed' }]);
    expect(sink.bodies('lifecycle').find(({ detail }) => detail.step === 'exited')?.detail).toMatchObject({
      expected: true,
    });
  });

  it('leaves no orphan', async () => {
    const { wire, probe } = await open('spawnsGrandchild', [], { stdinGraceMs: 20, termGraceMs: 2000 });
    await wire.send(call(1));
    const pid = Number(await until(() => textOf(probe)));
    expect(isRunning(pid)).toBe(true);
    await wire.close();
    expect(isRunning(pid)).toBe(false);
  });

  it('hurries when called again', async () => {
    const { wire, sink } = await open('ignoresSigterm', [], { stdinGraceMs: 600_000, termGraceMs: 600_000 });
    const closing = wire.close();
    await Promise.all([closing, wire.close()]);
    expect(sink.steps()).toEqual([
      'spawn',
      'started',
      'shutdown stdin-closed',
      'shutdown sigkill',
      'exited',
      'shutdown closed',
    ]);
  });

  it('may come before, during and after everything else', async () => {
    const never = create('wellBehaved');
    await never.wire.close();
    expect(await never.wire.start()).toMatchObject({ reason: 'closed' });

    const early = create('wellBehaved');
    const [started] = await Promise.all([early.wire.start(), early.wire.close()]);
    expect(started).toBeUndefined();
    expect(early.probe.closed).toMatchObject([{ reason: 'closed' }]);
    await early.wire.close();
    expect(await early.wire.send(call(1))).toMatchObject({ reason: 'closed' });
    expect(early.probe.closed).toHaveLength(1);
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

/** The text of the first tool result that arrived. */
function textOf(probe: WireProbe): string | undefined {
  return /"text":"([^"]*)"/.exec(probe.received[0]?.raw ?? '')?.[1];
}
