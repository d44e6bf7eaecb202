import type { ChildProcess } from 'node:child_process';
import process from 'node:process';

/**
 * Ends a process that leads a group of its own (`detached`), with all that it has started, when this process exits; what is
 * returned does so at once. A group of its own does not hear of Ctrl+C.
 */
export function endsWithUs(child: ChildProcess): () => void {
  const stop = () => {
    process.off('exit', stop);
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    }
  };
  process.on('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  return stop;
}
