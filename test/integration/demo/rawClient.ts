import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const serverPath = path.resolve(import.meta.dirname, '../../../src/demo/server.ts');

export const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw-client', version: '1.0.0' },
};

/** Lines of a stream that tests wait on by condition. */
class Lines {
  readonly all: string[] = [];
  private waiters: (() => void)[] = [];

  constructor(stream: NodeJS.ReadableStream | null) {
    if (stream !== null) {
      createInterface({ input: stream }).on('line', (line) => {
        this.all.push(line);
        for (const wake of this.waiters.splice(0)) {
          wake();
        }
      });
    }
  }

  /** Resolves with all lines, once they satisfy `isEnough`. */
  async until(isEnough: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    while (!isEnough(this.all)) {
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
    return this.all;
  }
}

export interface DemoProcess {
  readonly child: ChildProcess;
  readonly stdout: Lines;
  readonly stderr: Lines;
  readonly exited: Promise<{ readonly code: number | null }>;
  send(message: object): void;
}

/** Starts the demo server from source. */
export function startDemo(...args: readonly string[]): DemoProcess {
  const child = spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', serverPath, ...args]);
  return {
    child,
    stdout: new Lines(child.stdout),
    stderr: new Lines(child.stderr),
    exited: new Promise((resolve) => {
      child.once('close', (code) => resolve({ code }));
    }),
    send: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
  };
}
