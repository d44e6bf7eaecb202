import { watch } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../base/disposable.ts';

/**
 * Calls `onDidWrite` whenever the database `file`, or what SQLite keeps beside it, is written by whomever; often, and without
 * saying what. `undefined` where the system does not tell of writes as they happen: only Linux does (inotify). Windows and
 * macOS tell of a file that stays open when it is closed, or never. Never throws; keeps no process alive.
 */
export function watchFile(
  file: string,
  onDidWrite: () => void,
  onDidFail: () => void,
  platform: NodeJS.Platform = process.platform,
): Disposable | undefined {
  if (platform !== 'linux') {
    return undefined;
  }
  const name = path.basename(file);
  try {
    // The folder, since the write-ahead log comes and goes with whoever writes.
    const watcher = watch(path.dirname(file), { persistent: false }, (_, changed) => {
      if (changed === null || changed.startsWith(name)) {
        onDidWrite();
      }
    });
    watcher.on('error', () => {
      watcher.close();
      onDidFail();
    });
    return { dispose: () => watcher.close() };
  } catch {
    return undefined;
  }
}
