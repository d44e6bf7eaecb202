import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';

const LF = 0x0a;

/** A client of a server over stdio that does no more than it must: what stands between them is what is measured. */
export interface StdioClient {
  readonly pid: number;
  /** Calls `count` times, `window` of them under way at a time; gives how long each took, ms, in the order of their answers. */
  call(count: number, window: number, bytes: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Starts `command` and shakes hands. `env` is added to this process's own. */
export async function openStdioClient(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StdioClient> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  const { stdin, stdout } = child;
  let onAnswer: () => void = () => undefined;
  stdout.on('data', (chunk: Buffer) => {
    for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, lf + 1)) {
      onAnswer();
    }
  });
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  await new Promise<void>((resolve) => {
    onAnswer = resolve;
    const clientInfo = { name: 'bench', version: '1.0.0' };
    send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  });
  send({ method: 'notifications/initialized' });

  return {
    pid: pidOf(child),
    call(count, window, bytes) {
      // Half of the bytes on their way there, half on their way back.
      const text = 'x'.repeat(Math.max(0, bytes - 120));
      const times: number[] = [];
      const starts: number[] = [];
      let sent = 0;
      const next = () => {
        id += 1;
        sent += 1;
        starts.push(performance.now());
        send({ id, method: 'tools/call', params: { name: 'echo', arguments: { text, length: text.length } } });
      };
      return new Promise((resolve) => {
        onAnswer = () => {
          times.push(performance.now() - (starts[times.length] ?? 0));
          if (times.length === count) {
            resolve(times);
          } else if (sent < count) {
            next();
          }
        };
        for (let first = 0; first < Math.min(window, count); first += 1) {
          next();
        }
      });
    },
    close: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        stdin.end();
      }),
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) {
    throw new Error(`${child.spawnfile} could not be started by ${process.execPath}`);
  }
  return child.pid;
}
