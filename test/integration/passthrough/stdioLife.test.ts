import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../transport/stdioScene.ts';
import {
  eventsOf,
  exchangesOf,
  freshLog,
  handshake,
  inline,
  line,
  outcomesOf,
  root,
  startTap,
  tapStdio,
  testServer,
  until,
} from './tapScene.ts';

/** Says its pid, and then goes on until something ends it. */
const SAYS_PID = `process.stdout.write(process.pid + '\\n'); process.stdin.resume();`;
const lifecycle = (log: string) =>
  eventsOf(log).flatMap(({ body }) => (body.kind === 'lifecycle' ? [body.detail] : []));

async function pidOf(tap: { readonly out: () => Buffer }): Promise<number> {
  await until(() => expect(tap.out().toString()).toMatch(/^\d+\n/));
  return Number.parseInt(tap.out().toString(), 10);
}

describe('the end of a tapped server', () => {
  it.each([0, 1, 42, 255])('gives its exit code %i', async (code) => {
    const log = freshLog();
    const tap = tapStdio(log, inline(`process.exit(${code})`));
    expect(await tap.ended).toEqual({ code, signal: null });
    expect(lifecycle(log).at(-1)).toEqual({ step: 'exited', code, signal: null, expected: false });
  });

  it.each(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGABRT'] as const)(
    'by %s is the end of the tap by it',
    async (signal) => {
      const log = freshLog();
      const tap = tapStdio(log, inline(`${SAYS_PID} setInterval(() => undefined, 1000)`));
      process.kill(await pidOf(tap), signal);
      expect(await tap.ended).toEqual({ code: null, signal });
      expect(lifecycle(log).at(-1)).toEqual({ step: 'exited', code: null, signal, expected: false });
    },
  );

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)(
    'is left to it when the tap is sent %s',
    async (signal) => {
      const log = freshLog();
      const tap = tapStdio(
        log,
        inline(
          `process.on('${signal}', () => { process.stderr.write('got it'); process.exitCode = 7; process.stdin.destroy(); }); ${SAYS_PID}`,
        ),
      );
      await pidOf(tap);
      tap.child.kill(signal);
      expect(await tap.ended).toEqual({ code: 7, signal: null });
      expect(tap.err()).toBe('got it');
    },
  );

  it('comes with what it wrote last, also on stderr and without a line end', async () => {
    const log = freshLog();
    const tap = tapStdio(
      log,
      inline(
        `process.stdin.on('end', () => { process.stdout.write('x'.repeat(300000) + 'last'); process.stderr.write('words'); process.exitCode = 3; }).resume()`,
      ),
    );
    tap.child.stdin.end('half a line');
    expect(await tap.ended).toEqual({ code: 3, signal: null });
    expect([tap.out().length, tap.out().subarray(-4).toString(), tap.err()]).toEqual([300_004, 'last', 'words']);
    const kinds = eventsOf(log).map(({ body }) =>
      body.kind === 'lifecycle' ? body.detail.step : body.kind === 'message' ? body.raw : body.kind,
    );
    // Two streams end in any order.
    expect([...kinds.slice(0, 4), ...kinds.slice(4, 6).sort(), ...kinds.slice(6)]).toEqual([
      'spawn',
      'started',
      'half a line',
      'shutdown',
      'noise',
      'stderr',
      'exited',
    ]);
  });

  it('does not wait for ever for a client that never reads stderr', async () => {
    const tap = startTap(
      ['--log', freshLog(), '--', ...inline(`process.stderr.write('x'.repeat(150000), () => process.exit(4))`)],
      { readsStderr: false },
    );
    const exited = await new Promise((resolve) => tap.child.once('exit', resolve));
    expect(exited).toBe(4);
  });

  it('is not waited for when what it left behind keeps its output open', async () => {
    const log = freshLog();
    const grandchild = `require('child_process').spawn(process.execPath, ['-e', 'process.stdout.write(process.pid + "\\\\n"); setTimeout(() => 0, 60000)'], { stdio: 'inherit', detached: true }).unref()`;
    const tap = tapStdio(log, inline(`${grandchild}; setTimeout(() => process.exit(5), 300)`));
    const left = await pidOf(tap);
    expect(await tap.ended).toEqual({ code: 5, signal: null });
    process.kill(left, 'SIGKILL');
  });
});

describe('half-closed streams of a tapped server', () => {
  it('a client that has nothing more to say still hears all', async () => {
    const tap = tapStdio(
      freshLog(),
      inline(
        `let n = 0; process.stdin.on('end', () => { const t = setInterval(() => { console.log(++n); if (n === 3) clearInterval(t); }, 20); }).resume()`,
      ),
    );
    tap.child.stdin.end();
    await tap.ended;
    expect(tap.out().toString()).toBe('1\n2\n3\n');
  });

  it('a server that has nothing more to say still hears all', async () => {
    const tap = tapStdio(
      freshLog(),
      inline(
        `require('fs').writeSync(1, 'bye'); require('fs').closeSync(1); let n = 0; process.stdin.on('data', (d) => { n += d.length; }).on('end', () => process.exit(n))`,
      ),
    );
    await once(tap.child.stdout, 'end');
    expect(tap.child.exitCode).toBeNull();
    tap.child.stdin.end('12345');
    expect(await tap.ended).toEqual({ code: 5, signal: null });
    expect(tap.out().toString()).toBe('bye');
  });

  it('a server that does not listen any more is known to the client', async () => {
    const tap = tapStdio(
      freshLog(),
      inline(
        `process.stdin.destroy(); require('fs').closeSync(0); setInterval(() => undefined, 1000); ${`process.stdout.write(process.pid + '\\n')`}`,
      ),
    );
    const pid = await pidOf(tap);
    const failed = once(tap.child.stdin, 'error');
    const write = () => tap.child.stdin.write('hello\n', () => tap.child.stdin.destroyed || setTimeout(write, 10));
    write();
    const [error] = (await failed) as [NodeJS.ErrnoException];
    expect(error.code).toBe('EPIPE');
    process.kill(pid, 'SIGKILL');
    await tap.ended;
  });

  it('a client that does not read any more is known to the server', async () => {
    const tap = tapStdio(
      freshLog(),
      inline(
        `process.stdout.on('error', (e) => { process.stderr.write(e.code); process.exit(9); }); setInterval(() => process.stdout.write('x\\n'), 5)`,
      ),
    );
    await until(() => expect(tap.out().length).toBeGreaterThan(0));
    tap.child.stdout.destroy();
    expect((await tap.ended).code).toBe(9);
    expect(tap.err()).toBe('EPIPE');
  });
});

describe('kill -9', () => {
  it('of the tap ends the input of the server, whose calls so far are on record', async () => {
    const log = freshLog();
    const tap = tapStdio(log, inline(`${SAYS_PID} process.stdin.on('end', () => process.exit())`));
    const pid = await pidOf(tap);
    tap.child.stdin.write(handshake());
    await until(() => expect(eventsOf(log).length).toBeGreaterThan(2));
    tap.child.kill('SIGKILL');
    expect(await tap.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await until(() => expect(isRunning(pid)).toBe(false));
  });

  it('of the client ends the server, and then the tap', async () => {
    const log = freshLog();
    const main = path.join(root, 'src/cli/main.ts');
    const tapCommand = [process.execPath, main, 'tap', '--log', log, '--', ...testServer('wellBehaved')];
    const client = spawn(process.execPath, [
      '-e',
      `
      const tap = require('child_process').spawn(${JSON.stringify(tapCommand[0])}, ${JSON.stringify(tapCommand.slice(1))}, { stdio: ['pipe', 'pipe', 'ignore'] });
      tap.stdin.write(${JSON.stringify(handshake('doomed'))});
      tap.stdout.once('data', () => console.log(tap.pid));
    `,
    ]);
    const [said] = (await once(client.stdout, 'data')) as [Buffer];
    const tapPid = Number(said.toString());
    client.kill('SIGKILL');
    await until(() => expect(isRunning(tapPid)).toBe(false));
    expect(lifecycle(log).slice(-2)).toEqual([
      { step: 'shutdown', action: 'stdin-closed' },
      { step: 'exited', code: 0, signal: null, expected: true },
    ]);
    expect(await outcomesOf(log)).toEqual([expect.stringMatching(/^tap:doomed tap:\S+ initialize: success$/)]);
  });

  it('of the server ends what waits for it as lost', async () => {
    const log = freshLog();
    const tap = tapStdio(log, testServer('neverAnswers'));
    tap.child.stdin.write(handshake());
    await until(() => expect(tap.out().toString()).toContain('protocolVersion'));
    tap.child.stdin.write(line({ id: 1, method: 'tools/call', params: { name: 'work' } }));
    await until(() =>
      expect(eventsOf(log).some(({ body }) => body.kind === 'message' && body.raw.includes('tools/call'))).toBe(true),
    );
    const started = lifecycle(log).find((detail) => detail.step === 'started');
    process.kill(started?.pid ?? 0, 'SIGKILL');
    expect(await tap.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const [call] = (await exchangesOf(log)).filter(({ target }) => target === 'work');
    expect(call?.verdict?.outcome).toBe('transport_error');
  });
});

describe('a tap that cannot', () => {
  it.each([
    ['no-such-command-at-all', 127],
    ['/etc/passwd', 126],
  ])('start %s says so as a shell does', async (command, code) => {
    const log = freshLog();
    const tap = tapStdio(log, [command]);
    expect(await tap.ended).toEqual({ code, signal: null });
    expect(tap.err()).toContain(command);
    expect(lifecycle(log).map(({ step }) => step)).toEqual(['spawn', 'failed']);
  });

  it('record forwards all the same, and says so', async () => {
    const folder = `${freshLog()}.d`;
    mkdirSync(folder);
    const tap = tapStdio(folder, testServer('wellBehaved'));
    tap.child.stdin.write(handshake());
    await until(() => expect(tap.err()).toContain('Nothing is recorded until the log file can be opened'));
    tap.child.stdin.end(line({ id: 1, method: 'tools/call', params: { name: 'work', arguments: {} } }));
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    expect(
      tap
        .out()
        .toString()
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text).id),
    ).toEqual([0, 1]);
  });

  it.each([
    [['--log', 'x'], 'name the server'],
    [['--http', 'ftp://x', '--listen', '127.0.0.1:0'], 'no http or https URL'],
    [['--http', 'http://x', '--listen', '0.0.0.0:0'], 'say --allow-remote'],
    [['--http', 'http://x', '--listen', '0.0.0.0:0', '--allow-remote'], 'needs a --token'],
    [['--nonsense', '--', 'x'], '--nonsense'],
  ])('understand %s says what is wrong', async (args, text) => {
    const tap = startTap(args);
    expect((await tap.ended).code).toBe(2);
    expect(tap.err()).toContain(text);
  });
});
