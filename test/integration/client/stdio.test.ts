import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import { attemptsOf, createReal, define, emptyFolder, idOf, npmServer, type Real, testServer } from './support.ts';

let open: Real | undefined;
function using(real: Real): Real {
  open = real;
  return real;
}
afterEach(async () => {
  await open?.pool.dispose();
  open = undefined;
});

const call = (real: Real, server: string, name = 'work', args = {}, options = {}): Promise<CallOutcome> =>
  real.pool.call(
    { server: idOf(server), method: 'tools/call', params: { name, arguments: args }, origin: 'client' },
    options,
  );

describe('servers from npm', () => {
  it('are connected, listed and called side by side', async () => {
    const folder = emptyFolder();
    writeFileSync(path.join(folder, 'a.txt'), 'hello');
    const real = using(
      createReal([
        define('everything', npmServer('everything')),
        define('filesystem', npmServer('filesystem', folder)),
        define('memory', npmServer('memory')),
      ]),
    );
    await real.pool.connectAll();
    expect([...real.pool.connections.values()].map(({ state }) => state.kind)).toEqual([
      'running',
      'running',
      'running',
    ]);
    const outcomes = await Promise.all([
      call(real, 'everything', 'echo', { message: 'hi' }),
      call(real, 'filesystem', 'read_text_file', { path: path.join(folder, 'a.txt') }),
      call(real, 'filesystem', 'read_text_file', { path: path.join(folder, 'missing.txt') }),
      call(real, 'filesystem', 'read_multiple_files', {
        paths: [path.join(folder, 'a.txt'), path.join(folder, 'missing.txt')],
      }),
      call(real, 'everything', 'get-annotated-message', { messageType: 'error' }),
      call(real, 'memory', 'add_observations', { observations: [{ entityName: 'x', contents: ['y'] }] }),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'success',
      'success',
      'tool_error',
      'partial',
      'silent_error',
      'tool_error',
    ]);
    await expect.poll(() => real.pool.tools(idOf('filesystem')).length).toBeGreaterThan(10);
    expect(real.pool.tools(idOf('filesystem')).find(({ name }) => name === 'read_text_file')?.hints.readOnlyHint).toBe(
      true,
    );
  });

  it('report progress to the call that asked', async () => {
    const real = using(createReal([define('everything', npmServer('everything'))]));
    const seen: number[] = [];
    const outcome = await call(
      real,
      'everything',
      'trigger-long-running-operation',
      { duration: 0.3, steps: 3 },
      {
        onProgress: ({ progress }: { progress: number }) => seen.push(progress),
      },
    );
    expect(outcome.kind).toBe('success');
    expect(seen).toEqual([1, 2, 3]);
  });

  it('stop working on a call that is cancelled', async () => {
    const real = using(createReal([define('everything', npmServer('everything'))]));
    const controller = new AbortController();
    const outcome = await call(
      real,
      'everything',
      'trigger-long-running-operation',
      { duration: 30, steps: 300 },
      {
        signal: controller.signal,
        onProgress: () => controller.abort(),
      },
    );
    expect(outcome.kind).toBe('cancelled');
    const cancelled = real
      .bodies('message')
      .find(({ envelope }) => envelope.kind === 'notification' && envelope.method === 'notifications/cancelled');
    expect(cancelled?.direction).toBe('sent');
  });
});

describe('servers that misbehave', () => {
  it.each([
    ['wellBehaved', [], 'success'],
    ['stringId', [], 'success'],
    ['batchAnswer', [], 'success'],
    ['duplicateAnswer', [], 'success'],
    ['unknownId', [], 'success'],
    ['stdoutBanner', [], 'success'],
    ['answersThenExits', [], 'success'],
    ['missingJsonrpc', [], 'invalid_response'],
    ['resultAndError', [], 'invalid_response'],
    ['exitMidCall', ['3'], 'transport_error'],
  ])('%s ends at once as it must', async (name, args, kind) => {
    const real = using(createReal([define('a', testServer(name, ...args))]));
    expect((await call(real, 'a')).kind).toBe(kind);
  });

  it.each(['neverAnswers', 'nullIdError'])('%s ends by our limit', async (name) => {
    const real = using(createReal([define('a', testServer(name))], { timeoutMs: 200 }));
    expect((await call(real, 'a')).detail.end).toMatchObject({ kind: 'timeout', limit: 'idle', progressSeen: false });
  });

  it('tell a server of the timeout, and record the answer that comes too late', async () => {
    const real = using(createReal([define('a', testServer('lateAnswer'))], { timeoutMs: 200 }));
    const outcome = await call(real, 'a');
    expect(outcome.kind).toBe('timeout');
    const [end] = real.bodies('local-end');
    const late = () =>
      real.bodies('message').filter(({ envelope }) => envelope.kind === 'result' && envelope.id === end?.id);
    await expect.poll(() => late().length).toBe(1);
  });

  it('take the total limit for one that only reports progress', async () => {
    const real = using(
      createReal([define('a', testServer('progressForever'))], { timeoutMs: 500, totalTimeoutMs: 700 }),
    );
    expect((await call(real, 'a')).detail.end).toMatchObject({ kind: 'timeout', limit: 'total', progressSeen: true });
  });

  it('give the exit code and the last words of one that exits in mid-call, to both calls', async () => {
    const real = using(
      createReal([define('a', testServer('neverAnswers')), define('b', testServer('exitMidCall', '3'))]),
    );
    const ends = await Promise.all([call(real, 'b'), call(real, 'b')]);
    for (const { detail } of ends) {
      expect(detail.end).toMatchObject({
        kind: 'transport',
        failure: { reason: 'exited', exitCode: 3, stderrTail: expect.arrayContaining(['fatal: lost the database']) },
      });
    }
    expect(real.pool.connections.get(idOf('b'))?.state).toMatchObject({
      kind: 'failed',
      failure: { code: 'connection.exited' },
    });
  });

  it('repeat an idempotent call over a new process each time', async () => {
    const real = using(
      createReal([define('a', testServer('exitMidCall'))], {}, { toolPolicy: () => ({ isIdempotent: true }) }),
    );
    expect(await call(real, 'a')).toMatchObject({ kind: 'transport_error', stopped: 'retry.attemptsUsed' });
    expect(attemptsOf(real)).toEqual([
      '1 send retry.first',
      '2 wait retry.lost',
      '2 send retry.lost',
      '3 wait retry.lost',
      '3 send retry.lost',
      '3 give-up retry.attemptsUsed',
    ]);
    expect(
      new Set(real.bodies('lifecycle').flatMap(({ detail }) => (detail.step === 'started' ? [detail.pid] : []))).size,
    ).toBe(3);
  });

  it('say why a server did not come up', async () => {
    const missing = { type: 'stdio', command: 'no-such-command-here', args: [], env: {} } as const;
    const real = using(
      createReal([define('missing', missing), define('exits', testServer('exitsAtOnce'))], {
        connectTimeoutMs: 5_000,
      }),
    );
    const [a, b] = await Promise.all([real.pool.connect(idOf('missing')), real.pool.connect(idOf('exits'))]);
    expect(a).toMatchObject({ kind: 'failed', failure: { code: 'connection.notFound' } });
    expect(b).toMatchObject({
      kind: 'failed',
      failure: { code: 'connection.exited', args: { exit: 1, stderr: 'Error: API_TOKEN is not set' } },
    });
    expect(real.bodies('lifecycle').filter(({ detail }) => detail.step === 'failed').length).toBe(2);
  });

  it('do not hold up the others', async () => {
    const real = using(
      createReal([
        define('stuck', testServer('neverAnswers')),
        define('stubborn', testServer('ignoresStdinEnd')),
        define('well', testServer('wellBehaved')),
      ]),
    );
    const stuck = call(real, 'stuck');
    expect((await call(real, 'well')).kind).toBe('success');
    await call(real, 'stubborn');
    await real.pool.dispose();
    expect((await stuck).kind).toBe('cancelled');
  });
});
