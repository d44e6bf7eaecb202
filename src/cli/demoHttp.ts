import { spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { demoEnv, demoHttpArgs, listeningUrl } from '../demo/script.ts';

export interface DemoHttp {
  readonly url: string;
  /** Ends the server. */
  stop(): void;
}

/** Starts the demo server over HTTP; resolves when it listens, or with its last words when it ended instead. */
export function startDemoHttp(serverPath: string): Promise<DemoHttp | { readonly problem: string }> {
  // It ends with its stdin, so it cannot outlive this process however that ends.
  const child = spawn(process.execPath, demoHttpArgs(serverPath), {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, ...demoEnv },
  });
  return new Promise((resolve) => {
    let lastLine = '';
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLine = line;
      const url = listeningUrl(line);
      if (url !== undefined) {
        resolve({ url, stop: () => child.stdin.end() });
      }
    });
    child.once('error', (error) => resolve({ problem: error.message }));
    child.once('close', (code) => resolve({ problem: `the demo server exited with ${code}: ${lastLine}` }));
  });
}
