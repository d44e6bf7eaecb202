import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../../src/base/event.ts';
import type { ConnectionState } from '../../../../../src/core/client/connection.ts';
import { CrashSupervisor } from '../../../../../src/core/client/diagnosis/crashSupervisor.ts';
import { connectionFailure } from '../../../../../src/core/client/failure.ts';
import type {
  ConnectionId,
  NewLogEvent,
  ServerId,
  SessionId,
  TransportFailure,
} from '../../../../../src/protocol/events.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const id = 'settings:a' as ServerId;

const failed = (reason: TransportFailure['reason'] = 'exited'): ConnectionState => ({
  kind: 'failed',
  failure: connectionFailure({ reason, message: '' }),
});
const running: ConnectionState = { kind: 'running', revision: '2025-11-25', serverInfo: undefined, capabilities: {} };
const starting: ConnectionState = { kind: 'starting' };

function setUp({ isWanted = true } = {}) {
  const clock = new FakeClock();
  const emitter = new Emitter<ServerId>();
  const connections = new Map<ServerId, { state: ConnectionState; id: ConnectionId }>();
  const recorded: NewLogEvent[] = [];
  const starts: number[] = [];
  const pool = {
    onDidChange: emitter.event,
    connections,
    connect: async () => {
      starts.push(clock.monoUs() / 1_000_000);
      go(starting);
      return starting;
    },
  };
  const supervisor = new CrashSupervisor({
    clock,
    pool,
    sink: { append: (event) => recorded.push(event) },
    session: 'session' as SessionId,
    isWanted: () => isWanted,
  });
  const verdicts: unknown[] = [];
  supervisor.onDidJudge((server) => verdicts.push(supervisor.loopOf(server)));
  function go(...states: readonly ConnectionState[]) {
    for (const state of states) {
      connections.set(id, { state, id: `connection ${starts.length}` as ConnectionId });
      emitter.fire(id);
    }
  }
  return { clock, supervisor, recorded, starts, verdicts, go, connections, fire: () => emitter.fire(id) };
}

describe('a server that crashes', () => {
  it('is started again, after waits that double, until it is a loop', async () => {
    const world = setUp();
    world.go(starting, running, failed());
    for (let crash = 0; crash < 6; crash += 1) {
      await world.clock.advance(10_000);
      world.go(running, failed());
    }
    // A crash follows at 10 s, 20 s, …: each start is its wait after one.
    expect(world.starts).toEqual([1, 12, 24, 38]);
    expect(world.verdicts).toEqual([{ crashes: 5, withinMs: 180_000 }, ...world.verdicts.slice(1)]);
    expect(world.clock.pendingMs()).toEqual([]);
  });

  it('records each wait and the verdict, with its last end, in the connection that ended', async () => {
    const world = setUp();
    world.go(starting, running, failed());
    for (let crash = 0; crash < 4; crash += 1) {
      await world.clock.advance(10_000);
      world.go(running, failed());
    }
    const details = world.recorded.map(({ connection, body }) => [connection, 'detail' in body ? body.detail : body]);
    expect(details).toEqual([
      ['connection 0', { step: 'backoff', delayMs: 1_000, attempt: 1 }],
      ['connection 1', { step: 'backoff', delayMs: 2_000, attempt: 2 }],
      ['connection 2', { step: 'backoff', delayMs: 4_000, attempt: 3 }],
      ['connection 3', { step: 'backoff', delayMs: 8_000, attempt: 4 }],
      [
        'connection 4',
        { step: 'crash-loop', crashes: 5, withinMs: 180_000, failure: { reason: 'exited', message: '' } },
      ],
    ]);
  });

  it('counts a start of ours that fails, and waits no longer than half a minute', async () => {
    const world = setUp();
    world.go(starting, running, failed());
    await world.clock.advance(1_000);
    world.go(failed());
    await world.clock.advance(2_000);
    expect(world.starts).toEqual([1, 3]);
  });

  it('may crash now and then for ever', async () => {
    const world = setUp();
    for (let crash = 0; crash < 20; crash += 1) {
      world.go(running, failed());
      await world.clock.advance(100_000);
    }
    expect(world.starts.length).toBe(20);
    expect(world.verdicts).toEqual([]);
  });

  it.each<readonly [string, readonly ConnectionState[]]>([
    ['never came up', [starting, failed()]],
    ['was stopped', [running, { kind: 'stopping' }, { kind: 'stopped' }]],
    ['lost its session', [running, failed('session-lost')]],
  ])('is left alone when it %s', async (_name, states) => {
    const world = setUp();
    world.go(...states);
    await world.clock.advance(60_000);
    expect(world.starts).toEqual([]);
  });

  it('is left alone when nobody wants it back, when a call was faster, and when it is gone', async () => {
    const unwanted = setUp({ isWanted: false });
    unwanted.go(running, failed());
    const called = setUp();
    called.go(running, failed(), starting, running);
    const gone = setUp();
    gone.go(running, failed());
    gone.connections.clear();
    gone.fire();
    for (const { clock, starts } of [unwanted, called, gone]) {
      await clock.advance(60_000);
      expect(starts).toEqual([]);
    }
  });

  it('begins anew when a person starts it, and ends with its supervisor', async () => {
    const world = setUp();
    for (let crash = 0; crash < 5; crash += 1) {
      world.go(running, failed());
    }
    expect(world.supervisor.loopOf(id)).toBeDefined();
    world.supervisor.forgive(id);
    expect(world.supervisor.loopOf(id)).toBeUndefined();
    world.go(running, failed());
    expect(world.clock.pendingMs()).toEqual([1_000]);
    world.supervisor.dispose();
    expect(world.clock.pendingMs()).toEqual([]);
  });
});
