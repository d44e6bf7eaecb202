import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { endsWithUs } from '../endsWithUs.ts';

/** What a program keeps of output, characters: more than any input here is long. */
const MAX_CHARS = 100 * 1024 * 1024;

export interface Running {
  readonly child: ChildProcess;
  /** All that it has said until now, on stdout and stderr. */
  said(): string;
  stop(): void;
}

/** Starts a program with a process group of its own. `env` is added to this process's own. */
export function running(command: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const parts: string[] = [];
  let length = 0;
  const hear = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MAX_CHARS) {
      parts.push(chunk.toString('utf8'));
    }
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  // It may end before it has read all.
  child.stdin.on('error', () => undefined);
  return { child, said: () => parts.join(''), stop: endsWithUs(child) };
}

/** Runs a program to its end, or to the limit; what it has said, and after that how it ended. */
export async function output(
  command: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { child, said, stop } = running(command, env);
  child.stdin?.end();
  const timer = setTimeout(stop, limitMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  return `${said()}\n[${code === null ? 'silent until it was ended' : `exit ${code}`}]\n`;
}
