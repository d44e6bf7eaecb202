import { describe, expect, it } from 'vitest';
import { createProcessGroup, type ProcessSystem } from '../../../../src/core/transport/processGroup.ts';
import { shutDown } from '../../../../src/core/transport/shutdown.ts';
import { FakeClock } from '../../support/fakeClock.ts';

/** A group of which the leader and the others go when told to by `rules`; `log` keeps what was done to it. */
function scene(rules: {
  readonly leaderGoesOn: string;
  readonly restGoesOn: string;
  readonly platform?: NodeJS.Platform;
}) {
  const clock = new FakeClock();
  const log: string[] = [];
  let exit: () => void = () => undefined;
  const exited = new Promise<void>((resolve) => {
    exit = resolve;
  });
  let isLeaderGone = false;
  let isRestGone = false;
  const happen = (what: string) => {
    if (what === rules.leaderGoesOn) {
      isLeaderGone = true;
      exit();
    }
    isRestGone ||= what === rules.restGoesOn;
  };
  const system: ProcessSystem = {
    platform: rules.platform ?? 'linux',
    kill: (pid, signal) => {
      if (isLeaderGone && isRestGone) {
        throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
      }
      if (signal !== 0) {
        log.push(`${pid} ${signal}`);
        happen(signal);
      }
    },
    run: (command, args) => {
      log.push([command, ...args].join(' '));
      happen(command);
    },
  };
  const hurry = new AbortController();
  const done = shutDown({
    group: createProcessGroup(7, system),
    leader: { hasExited: () => isLeaderGone, exited },
    clock,
    stdinGraceMs: 100,
    termGraceMs: 1000,
    hurry: hurry.signal,
    onStep: (action) => log.push(action),
  }).then(() => log.push(`done after ${clock.monoUs() / 1000}`));
  return { clock, log, happen, hurry, done };
}

describe('shutDown', () => {
  it.each([
    ['a server that goes by itself', { leaderGoesOn: 'stdin', restGoesOn: 'stdin' }, ['done after 0']],
    [
      'a server that goes on SIGTERM',
      { leaderGoesOn: 'SIGTERM', restGoesOn: 'SIGTERM' },
      ['-7 SIGTERM', 'sigterm', 'done after 100'],
    ],
    [
      'a server that leaves something behind',
      { leaderGoesOn: 'stdin', restGoesOn: 'SIGKILL' },
      ['-7 SIGTERM', 'sigterm', '-7 SIGKILL', 'sigkill', 'done after 1100'],
    ],
    [
      'a server that survives everything',
      { leaderGoesOn: 'never', restGoesOn: 'never' },
      ['-7 SIGTERM', 'sigterm', '-7 SIGKILL', 'sigkill', 'done after 2100'],
    ],
    [
      'a server on Windows',
      { leaderGoesOn: 'taskkill', restGoesOn: 'taskkill', platform: 'win32' as const },
      ['taskkill /T /F /PID 7', 'sigkill', 'done after 100'],
    ],
  ])('ends %s', async (_name, rules, expected) => {
    const { clock, log, happen, done } = scene(rules);
    happen('stdin');
    await clock.advance(5000);
    await done;
    expect(log).toEqual(expected);
    expect(clock.pendingMs()).toEqual([]);
  });

  it('goes straight to killing when hurried', async () => {
    const { clock, log, hurry, done } = scene({ leaderGoesOn: 'SIGKILL', restGoesOn: 'SIGKILL' });
    await clock.advance(50);
    hurry.abort();
    await done;
    expect(log).toEqual(['-7 SIGKILL', 'sigkill', 'done after 50']);
    expect(clock.pendingMs()).toEqual([]);
  });
});

describe('createProcessGroup', () => {
  it.each([
    ['EPERM', true],
    ['ESRCH', false],
  ])('takes %s for alive: %s', (code, expected) => {
    const kill = () => {
      throw Object.assign(new Error(code), { code });
    };
    const group = createProcessGroup(7, { platform: 'linux', kill, run: () => undefined });
    expect(group.isAlive()).toBe(expected);
    expect(group.terminate()).toBe(true);
  });
});
