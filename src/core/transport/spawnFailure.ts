import { existsSync, statSync } from 'node:fs';
import { messageOf } from '../../base/messageOf.ts';
import type { TransportFailure } from '../../protocol/events.ts';

/** What was to be started: enough to say why it could not be. */
export interface SpawnAttempt {
  readonly command: string;
  /** The `PATH` that the system searched. */
  readonly searchPath: string;
}

/** Why a working directory cannot be used; the system would blame the command instead (`spawn … ENOENT`). */
export function explainCwd(cwd: string | undefined): TransportFailure | undefined {
  if (cwd === undefined) {
    return undefined;
  }
  const stats = statSync(cwd, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    return undefined;
  }
  return stats === undefined
    ? failure('ENOENT', `The working directory ${cwd} does not exist.`)
    : failure('ENOTDIR', `The working directory ${cwd} is not a directory.`);
}

/** Turns the error of a spawn into a failure that names the command and where it was looked for. */
export function explainSpawn(error: unknown, { command, searchPath }: SpawnAttempt): TransportFailure {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const isPath = command.includes('/') || command.includes('\\');
  switch (code) {
    case 'ENOENT':
      if (!isPath) {
        return failure(code, `The command ${command} was not found. PATH searched: ${searchPath || '(empty)'}`);
      }
      return existsSync(command)
        ? failure(code, `The command ${command} exists, but the interpreter that its first line names was not found.`)
        : failure(code, `The command ${command} does not exist.`);
    case 'EACCES':
      return failure(code, `The command ${command} may not be executed: permission denied.`);
    default:
      return failure(code, `The command ${command} could not be started: ${messageOf(error)}`);
  }
}

function failure(code: string | undefined, message: string): TransportFailure {
  return { reason: 'spawn-failed', message, ...(code === undefined ? {} : { code }) };
}
