import { spawn } from 'node:child_process';
import net from 'node:net';
import process from 'node:process';
import { freePort } from '../../tools/lib/freePort.mjs';
import { endsWithUs } from '../peers/endsWithUs.ts';
import { installPeers, peerProgram, peersHome } from '../peers/install.ts';
import { echoServer } from './subjects.ts';

/** A program of others that stands between clients and servers. */
export interface Bridge {
  readonly name: string;
  /** The command that a client over stdio starts; behind it, over HTTP, is the echo server. */
  readonly stdio?: () => Promise<{
    readonly command: readonly string[];
    readonly env: Record<string, string>;
    stop(): void;
  }>;
  /** The URL for a client over HTTP, and the process that listens there; behind it, over stdio, is the echo server. */
  readonly http?: () => Promise<{ readonly url: string; readonly pid: number; stop(): void }>;
}

/** Those of the npm registry, installed outside of the project; none where they cannot be. */
export async function bridges(): Promise<readonly Bridge[]> {
  if (!installPeers()) {
    return [];
  }
  return [
    {
      name: 'mcp-proxy',
      http: async () => {
        const port = await freePort();
        const command = [peerProgram('mcp-proxy'), '--port', String(port), '--stateless', '--', ...echoServer];
        return { url: urlAt(port), ...(await start(command, port)) };
      },
    },
    {
      name: 'supergateway',
      stdio: async () => {
        const { port, stop } = await startHttpServer();
        const command = [peerProgram('supergateway'), '--streamableHttp', urlAt(port), '--logLevel', 'none'];
        return { command, env: {}, stop };
      },
      http: async () => {
        const port = await freePort();
        const server = echoServer.map((word) => `'${word}'`).join(' ');
        const args = ['--stdio', server, '--outputTransport', 'streamableHttp', '--stateful', '--port', String(port)];
        const command = [peerProgram('supergateway'), ...args, '--logLevel', 'none'];
        return { url: urlAt(port), ...(await start(command, port)) };
      },
    },
    {
      name: 'mcp-remote',
      stdio: async () => {
        const { port, stop } = await startHttpServer();
        const command = [peerProgram('mcp-remote'), urlAt(port), '--transport', 'http-only', '--silent'];
        return { command, env: { MCP_REMOTE_CONFIG_DIR: peersHome }, stop };
      },
    },
  ];
}

const urlAt = (port: number) => `http://127.0.0.1:${port}/mcp`;

async function startHttpServer(): Promise<{ readonly port: number; stop(): void }> {
  const port = await freePort();
  return { port, ...(await start([...echoServer, '--http'], port, { PORT: String(port) })) };
}

/** Starts what listens on `port`, and waits until it does. Gives what ends it, with all that it has started. */
export async function start(
  command: readonly string[],
  port: number,
  env: Record<string, string> = {},
): Promise<{ readonly pid: number; stop(): void }> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  });
  const stop = endsWithUs(child);
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isListening(port)) {
      return { pid: child.pid ?? 0, stop };
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
