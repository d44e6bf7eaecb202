import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { progress } from '../bench.ts';
import { echoServer } from './subjects.ts';

const SPECS = { 'mcp-proxy': '6.7.19', supergateway: '4.0.0' };
const installed = path.join(os.tmpdir(), 'faultline-bench-bridges');

/** A program of others that stands between clients and servers. */
export interface Bridge {
  readonly name: string;
  /** The command that a client over stdio starts; behind it, over HTTP, is the echo server. */
  readonly stdio?: () => Promise<{ readonly command: readonly string[]; stop(): void }>;
  /** The URL for a client over HTTP; behind it, over stdio, is the echo server. */
  readonly http: () => Promise<{ readonly url: string; stop(): void }>;
}

/** Those of the npm registry, installed outside of the project; none where they cannot be. */
export async function bridges(): Promise<readonly Bridge[]> {
  if (!install()) {
    return [];
  }
  const bin = (name: keyof typeof SPECS) => path.join(installed, 'node_modules', '.bin', name);
  return [
    {
      name: 'mcp-proxy',
      http: async () => {
        const port = await freePort();
        const stop = await start([bin('mcp-proxy'), '--port', String(port), '--stateless', '--', ...echoServer], port);
        return { url: `http://127.0.0.1:${port}/mcp`, stop };
      },
    },
    {
      name: 'supergateway',
      stdio: async () => {
        const port = await freePort();
        const stop = await start([...echoServer, '--http'], port, { PORT: String(port) });
        const command = [bin('supergateway'), '--streamableHttp', `http://127.0.0.1:${port}/mcp`, '--logLevel', 'none'];
        return { command, stop };
      },
      http: async () => {
        const port = await freePort();
        const server = echoServer.map((word) => `'${word}'`).join(' ');
        const args = ['--stdio', server, '--outputTransport', 'streamableHttp', '--stateful', '--port', String(port)];
        const stop = await start([bin('supergateway'), ...args, '--logLevel', 'none'], port);
        return { url: `http://127.0.0.1:${port}/mcp`, stop };
      },
    },
  ];
}

function install(): boolean {
  const manifest = JSON.stringify({ private: true, dependencies: SPECS });
  const file = path.join(installed, 'package.json');
  if (existsSync(path.join(installed, 'node_modules')) && existsSync(file) && readFileSync(file, 'utf8') === manifest) {
    return true;
  }
  mkdirSync(installed, { recursive: true });
  writeFileSync(file, manifest);
  progress('installing mcp-proxy and supergateway');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const { status } = spawnSync('npm', ['install', ...flags], { cwd: installed, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    progress('they cannot be installed: nothing to stand beside');
  }
  return status === 0;
}

/** Starts what listens on `port`, and waits until it does. Gives what ends it, with all that it has started. */
async function start(command: readonly string[], port: number, env: Record<string, string> = {}): Promise<() => void> {
  const [file = '', ...args] = command;
  const child: ChildProcess = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  });
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    }
  };
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isListening(port)) {
      return stop;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  stop();
  throw new Error(`${file} does not listen`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
