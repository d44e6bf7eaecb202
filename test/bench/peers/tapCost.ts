import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { freePort } from '../../tools/lib/freePort.mjs';
import { median, progress } from '../bench.ts';
import { bridges, start } from '../tap/bridges.ts';
import { openHttpClient } from '../tap/httpClient.ts';
import type { Caller } from '../tap/measures.ts';
import { openStdioClient } from '../tap/stdioClient.ts';
import { builtTap, echoServer, here } from '../tap/subjects.ts';
import { cpuMsOf } from './processes.ts';
import { OURS, type PeerRow } from './row.ts';

const SIZES = [
  { name: '200 B', bytes: 200, calls: 400, window: 8 },
  { name: '64 KB', bytes: 64 * 1024, calls: 40, window: 4 },
] as const;
/** Processor time is told in steps of 10 ms: so much of it, and a step is 3 % at most. */
const ENOUGH_MS = 300;
/** Of one that answers, but for ever. */
const MAX_CALLS = 40_000;

interface Middle {
  readonly name: string;
  /** What it does, which differs from program to program. */
  readonly note: string;
  readonly pid: number;
  readonly client: Caller;
  /** Resolves when nothing is left to be done for so many messages. */
  settled(messages: number): Promise<void>;
  stop(): void | Promise<void>;
}

/**
 * What a message costs in the process between client and server, µs of its processor time: what it forwards, and what it
 * records. Each in turn, `rounds` times, the median told.
 */
export async function tapCost(rounds: number): Promise<readonly PeerRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-bench-peers-'));
  try {
    const overStdio = await rowsOf('stdio', await stdioMiddles(path.join(folder, 'stdio.sqlite')), rounds);
    return [...overStdio, ...(await rowsOf('HTTP', await httpMiddles(path.join(folder, 'http.sqlite')), rounds))];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function rowsOf(transport: string, middles: readonly Middle[], rounds: number): Promise<readonly PeerRow[]> {
  const rows: PeerRow[] = [];
  try {
    for (const size of SIZES) {
      const costs = new Map(middles.map(({ name }) => [name, [] as number[]]));
      for (let round = 0; round < rounds; round += 1) {
        for (const middle of middles) {
          progress(`tap cost: ${transport}, ${size.name}, ${middle.name}, round ${round + 1} of ${rounds}`);
          costs.get(middle.name)?.push(await microsecondsAMessage(middle, size));
        }
      }
      rows.push(
        ...middles.map(({ name, note }) => ({
          measure: `CPU a message, client over ${transport}, ${size.name}`,
          subject: name,
          value: median(costs.get(name) ?? []),
          unit: 'µs',
          note,
        })),
      );
    }
  } finally {
    for (const middle of middles) {
      await middle.stop();
    }
  }
  return rows;
}

async function microsecondsAMessage(middle: Middle, size: (typeof SIZES)[number]): Promise<number> {
  const batch = async () => {
    await middle.client.call(size.calls, size.window, size.bytes);
    await middle.settled(2 * size.calls);
  };
  // What the compiler does at first is of no interest.
  await batch();
  const before = cpuMsOf(middle.pid);
  let calls = 0;
  while (cpuMsOf(middle.pid) - before < ENOUGH_MS && calls < MAX_CALLS) {
    await batch();
    calls += size.calls;
  }
  return ((cpuMsOf(middle.pid) - before) * 1000) / (2 * calls);
}

const nothingLeft = async () => undefined;

async function stdioMiddles(log: string): Promise<readonly Middle[]> {
  const tap = await builtTap(log);
  const bare = await openStdioClient([process.execPath, here('bareStdio.mjs'), ...echoServer]);
  const ours = await openStdioClient([...tap.command, '--', ...echoServer]);
  await tap.recorded(3);
  const middles: Middle[] = [
    {
      name: OURS,
      note: 'forwards and records',
      pid: ours.pid,
      client: ours,
      settled: tap.recorded,
      stop: ours.close,
    },
    {
      name: 'bare forwarder',
      note: 'forwards only',
      pid: bare.pid,
      client: bare,
      settled: nothingLeft,
      stop: bare.close,
    },
  ];
  for (const { name, stdio } of await bridges()) {
    if (stdio === undefined) {
      continue;
    }
    const { command, env, stop } = await stdio();
    const client = await openStdioClient(command, env);
    middles.push({
      name,
      note: 'forwards to HTTP, records nothing',
      pid: client.pid,
      client,
      settled: nothingLeft,
      stop: async () => {
        await client.close();
        stop();
      },
    });
  }
  return middles;
}

async function httpMiddles(log: string): Promise<readonly Middle[]> {
  const tap = await builtTap(log);
  const serverPort = await freePort();
  const server = await start([...echoServer, '--http'], serverPort, { PORT: String(serverPort) });
  const url = `http://127.0.0.1:${serverPort}/mcp`;
  const bare = await listening([process.execPath, here('bareHttp.mjs'), new URL(url).origin], /^(\d+)/);
  const ours = await listening([...tap.command, '--http', url, '--listen', '127.0.0.1:0'], /listening on \S+:(\d+)/);
  const opened = (port: string) => openHttpClient(`http://127.0.0.1:${port}/mcp`);
  const [bareClient, ourClient] = [await opened(bare.found), await opened(ours.found)];
  await tap.recorded(3);
  const middles: Middle[] = [
    {
      name: OURS,
      note: 'forwards and records',
      pid: ours.pid,
      client: ourClient,
      settled: tap.recorded,
      stop: () => {
        ourClient.close();
        ours.stop();
        server.stop();
      },
    },
    {
      name: 'bare forwarder',
      note: 'forwards only (`httpxy`)',
      pid: bare.pid,
      client: bareClient,
      settled: nothingLeft,
      stop: () => {
        bareClient.close();
        bare.stop();
      },
    },
  ];
  for (const { name, http } of await bridges()) {
    if (http === undefined) {
      continue;
    }
    const { url: there, pid, stop } = await http();
    const client = await openHttpClient(there);
    middles.push({
      name,
      note: 'forwards to stdio, records nothing',
      pid,
      client,
      settled: nothingLeft,
      stop: () => {
        client.close();
        stop();
      },
    });
  }
  return middles;
}

interface Listening {
  readonly pid: number;
  /** What the pattern found in what it says. */
  readonly found: string;
  stop(): void;
}

function listening([file = '', ...args]: readonly string[], pattern: RegExp): Promise<Listening> {
  const child: ChildProcess = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    const ended = () => reject(new Error(`${file} ended: ${said}`));
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const found = pattern.exec(said)?.[1];
      if (found !== undefined) {
        child.off('close', ended);
        resolve({ pid: child.pid ?? 0, found, stop: () => void child.kill('SIGKILL') });
      }
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('close', ended);
    child.once('error', reject);
  });
}
