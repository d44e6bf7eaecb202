import { spawn } from 'node:child_process';

/** The few things that differ between operating systems, given from outside so that either path can be tested on any. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  /** `process.kill`: a negative pid names a group, signal 0 only asks. Throws as that does. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /** Starts a program without waiting for it or reading it. Never throws. */
  run(command: string, args: readonly string[]): void;
}

export const thisSystem: ProcessSystem = {
  platform: process.platform,
  kill: (pid, signal) => {
    process.kill(pid, signal);
  },
  run: (command, args) => {
    spawn(command, args, { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
  },
};

/** A process with all that it started, as far as they stayed in its group. */
export interface ProcessGroup {
  /** Whether any of them still runs. On Windows, where that cannot be asked, always false: the leader decides. */
  isAlive(): boolean;
  /** Asks all of them to end, or returns false where the system has no such request. */
  terminate(): boolean;
  /** Ends all of them. */
  kill(): void;
}

/**
 * The group led by `pid`, which must have been spawned `detached` on POSIX. Signals to processes that are gone already
 * are ignored. On Windows `taskkill /T` walks the tree of child processes instead.
 */
export function createProcessGroup(pid: number, system: ProcessSystem): ProcessGroup {
  if (system.platform === 'win32') {
    return {
      isAlive: () => false,
      terminate: () => false,
      kill: () => system.run('taskkill', ['/T', '/F', '/PID', String(pid)]),
    };
  }
  return {
    isAlive: () => signal(system, pid, 0),
    terminate: () => {
      signal(system, pid, 'SIGTERM');
      return true;
    },
    kill: () => {
      signal(system, pid, 'SIGKILL');
    },
  };
}

/** Whether there was anyone to signal. */
function signal(system: ProcessSystem, pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    system.kill(-pid, name);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
