import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import type { TransportFailure } from '../../protocol/events.ts';
import { type Environment, searchPathOf } from './environment.ts';
import { explainCwd, explainSpawn } from './spawnFailure.ts';

export interface LaunchOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** Called before anything of its output. */
  readonly onSpawn: (pid: number) => void;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
}

/** How a process ended. `error` is set where the system found out only afterwards that it could not be started. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: TransportFailure;
}

export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process itself has ended; its last output may still be on the way. */
  readonly exited: Promise<Exit>;
  /** Resolves when it has ended and its output has been read to the end. */
  readonly drained: Promise<Exit>;
  /**
   * Writes to stdin and resolves when the system has taken the bytes, or with the error (`EPIPE`) when it would not.
   * Waits while the process does not read, until it ends.
   */
  write(text: string): Promise<Error | undefined>;
  endStdin(): void;
  /** Gives up on output that another process keeps open, so that `drained` resolves. */
  abandonOutput(): void;
}

export type Launch =
  | { readonly kind: 'launched'; readonly process: ServerProcess }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

/**
 * Starts a process without a shell, as the leader of its own group on POSIX. Resolves when the system has started it or
 * refused to; never rejects. `cross-spawn` makes `npx` and other `.cmd` files work on Windows.
 */
export function launch(options: LaunchOptions): Promise<Launch> {
  const { command, args, cwd, env, platform } = options;
  const explain = (error: unknown): TransportFailure => explainSpawn(error, { command, searchPath: searchPathOf(env) });
  const cwdFailure = explainCwd(cwd);
  if (cwdFailure !== undefined) {
    return Promise.resolve({ kind: 'failed', failure: cwdFailure });
  }
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      cwd,
      env: { ...env },
      stdio: 'pipe',
      shell: false,
      windowsHide: true,
      detached: platform !== 'win32',
    });
  } catch (error) {
    return Promise.resolve({ kind: 'failed', failure: explain(error) });
  }
  return new Promise((resolve) => {
    let lateError: TransportFailure | undefined;
    child.on('error', (error) => {
      lateError ??= explain(error);
      resolve({ kind: 'failed', failure: lateError });
    });
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined || stdin === null || stdout === null || stderr === null) {
      return; // The error event follows.
    }
    const ended = endOf(child, () => lateError);
    ignoreErrors(stdin, stdout, stderr);
    child.once('spawn', () => {
      options.onSpawn(pid);
      stdout.on('data', options.onStdout);
      stderr.on('data', options.onStderr);
      resolve({
        kind: 'launched',
        process: {
          pid,
          ...ended,
          write: (text) => new Promise((done) => stdin.write(text, (error) => done(error ?? undefined))),
          endStdin: () => {
            stdin.end();
          },
          abandonOutput: () => {
            stdout.destroy();
            stderr.destroy();
          },
        },
      });
    });
  });
}

function endOf(
  child: ChildProcess,
  error: () => TransportFailure | undefined,
): Pick<ServerProcess, 'exited' | 'drained'> {
  const exit = (code: number | null, signal: string | null): Exit => {
    const failure = error();
    return { code, signal, ...(failure === undefined ? {} : { error: failure }) };
  };
  const drained = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve(exit(code, signal)));
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve(exit(code, signal)));
  });
  // On Windows cross-spawn replaces the exit of a command that was not found by an error; then only `close` comes.
  return { drained, exited: Promise.race([exited, drained]) };
}

/** A stream without a listener for its errors would take this whole process down with it. */
function ignoreErrors(...streams: readonly (Readable | Writable)[]): void {
  for (const stream of streams) {
    stream.on('error', () => undefined);
  }
}
