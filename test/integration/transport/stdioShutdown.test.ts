import { describe, expect, it } from 'vitest';
import { until } from '../../unit/core/transport/wireProbe.ts';
import { call, create, isRunning, open, textOf } from './stdioScene.ts';

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
