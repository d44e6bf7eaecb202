import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../../..');

export const demoServer = path.join(root, 'src/demo/server.ts');
/** The demo server as a value of `--command`. */
export const demoCommand = `'${process.execPath}' --disable-warning=MODULE_TYPELESS_PACKAGE_JSON '${demoServer}'`;

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Options of Node.js, before the script. */
  readonly nodeArgs?: readonly string[];
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line from source. */
export function startCli(args: readonly string[], options: CliOptions = {}): ChildProcessWithoutNullStreams {
  const nodeArgs = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
  const script = path.join(root, 'src/cli/main.ts');
  const { FORCE_COLOR: _, NO_COLOR: __, ...env } = process.env;
  return spawn(process.execPath, [...nodeArgs, ...(options.nodeArgs ?? []), script, ...args], {
    cwd: options.cwd ?? root,
    env: { ...env, ...options.env },
  });
}

/** Runs the command line from source to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = startCli(args, options);
  child.stdin.end(options.input ?? '');
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
