import os from 'node:os';
import process from 'node:process';
import { assertNever } from '../../base/assertNever.ts';
import type { StdioTapEnd } from './stdioTap.ts';

/** How long a signal that this process sends itself may take, ms. */
const SIGNAL_MS = 500;

/** The exit code that says how the server ended, to whoever cannot be told by a signal: as a shell says it. */
export function exitCodeOf(end: StdioTapEnd): number {
  switch (end.kind) {
    case 'exited':
      return end.code;
    case 'signalled':
      return 128 + os.constants.signals[end.signal];
    case 'not-started':
      // POSIX, "Exit Status for Commands": not found, or found and not to be executed.
      return end.failure.code === 'ENOENT' ? 127 : 126;
    default:
      return assertNever(end);
  }
}

/** Ends this process as the server ended: by its exit code, or by its signal where there are signals. */
export function endAlike(end: StdioTapEnd): void {
  const code = exitCodeOf(end);
  // Node.js ignores SIGPIPE, and a process that ignores a signal does not die of it.
  if (end.kind !== 'signalled' || end.signal === 'SIGPIPE' || process.platform === 'win32') {
    process.exit(code);
  }
  setTimeout(() => process.exit(code), SIGNAL_MS);
  process.kill(process.pid, end.signal);
}
