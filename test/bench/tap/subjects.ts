import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../../src/base/systemClock.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { productionBuild } from '../production.ts';

export const here = (file: string) => path.join(import.meta.dirname, file);
/** Starts the server behind whatever is measured. */
export const echoServer: readonly string[] = [process.execPath, here('echoServer.mjs')];

/** A tap of the production build, with a log of its own. */
export interface BuiltTap {
  /** `faultline tap --log …`, to be followed by what is tapped. */
  readonly command: readonly string[];
  /**
   * Resolves when `messages` more than before have been recorded: what a tap still has to record would slow down whoever is
   * measured next. Throws when something is missing on record.
   */
  recorded(messages: number): Promise<void>;
  remove(): void;
}

export async function builtTap(log: string): Promise<BuiltTap> {
  const cli = path.join(await productionBuild(), 'dist', 'cli.js');
  let seen = 0;
  let last = 0;
  return {
    command: [process.execPath, cli, 'tap', '--log', log],
    async recorded(messages) {
      const wanted = seen + messages;
      const reader = openEventLog({ path: log, clock: systemClock });
      let found = seen;
      try {
        for (let tries = 0; found < wanted; tries += 1) {
          for (const { seq, body } of reader.read({ from: last + 1, limit: 1000 })) {
            last = seq;
            if (body.kind === 'note') {
              throw new Error(`the tap has recorded a gap: ${JSON.stringify(body)}`);
            }
            found += body.kind === 'message' ? 1 : 0;
          }
          if (tries > 1200) {
            throw new Error(`the tap has recorded ${found} of ${wanted} messages`);
          }
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        seen = found;
      } finally {
        reader.dispose();
      }
    },
    remove() {
      for (const end of ['', '-wal', '-shm']) {
        rmSync(log + end, { force: true });
      }
    },
  };
}

/** Bytes that a process occupies; only where the system tells (Linux). */
export function residentBytes(pid: number): number {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN);
}

/** The time below which 99 of 100 lie. */
export function p99(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
}
