import os from 'node:os';
import process from 'node:process';
import { assertNever } from '../../base/assertNever.ts';
import type { StdioTapEnd } from './stdioTap.ts';

/** How long a signal that this process sends itself may take, ms. */
const SIGNAL_MS = 500;

/**
 * Ends this process as the server ended: by its exit code, by its signal, or as a shell does for a command that could not be
 * started (POSIX, "Exit Status for Commands": 127 not found, 126 not executable).
 */
export function endAlike(end: StdioTapEnd): void {
  switch (end.kind) {
    case 'exited':
      return process.exit(end.code);
    case 'not-started':
      return process.exit(end.failure.code === 'ENOENT' ? 127 : 126);
    case 'signalled': {
      const code = 128 + os.constants.signals[end.signal];
      // Node.js ignores SIGPIPE, and a process that ignores a signal does not die of it.
      if (process.platform === 'win32' || end.signal === 'SIGPIPE') {
        process.exit(code);
      }
      setTimeout(() => process.exit(code), SIGNAL_MS);
      process.kill(process.pid, end.signal);
      return;
    }
    default:
      assertNever(end);
  }
}
