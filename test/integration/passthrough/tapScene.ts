import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import { inOrder, project } from '../../../src/core/export/bugReportBundle.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import type { LogEvent } from '../../../src/protocol/events.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { startCli } from '../cli/runCli.ts';

export const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'faultline-tap-'));
const running = new Set<ChildProcessWithoutNullStreams>();
let logs = 0;

afterEach(() => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
  running.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A path of a log of its own. */
export function freshLog(): string {
  logs += 1;
  return path.join(folder, `${logs}.sqlite`);
}

const script = (file: string, ...args: readonly string[]) => [
  process.execPath,
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  path.join(root, file),
  ...args,
];
export const testServer = (name: string, ...args: readonly string[]) => script(`test/servers/${name}.mjs`, ...args);
export const npmServer = (name: string, ...args: readonly string[]) =>
  script(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args);
/** A server of a few lines, which need not speak MCP. */
export const inline = (code: string) => [process.execPath, '-e', code];

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Tap {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** What it has said so far. */
  readonly out: () => Buffer;
  readonly err: () => string;
}

/** Starts `faultline tap` from source. */
export function startTap(
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly readsStderr?: boolean } = {},
): Tap {
  const child = startCli(['tap', ...args], { env: options.env ?? {} });
  running.add(child);
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const out = collect(child.stdout);
  const err = options.readsStderr === false ? () => Buffer.alloc(0) : collect(child.stderr);
  return { child, ended, out, err: () => err().toString('utf8') };
}

export const tapStdio = (log: string, server: readonly string[], ...options: readonly string[]) =>
  startTap(['--log', log, ...options, '--', ...server]);

function collect(stream: Readable): () => Buffer {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks);
}

/** Waits until what is looked for is there. */
export function until(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

export interface HttpTapping extends Tap {
  readonly url: string;
}

/** Starts `faultline tap --http` and waits until it listens. */
export async function tapHttp(log: string, url: string, ...options: readonly string[]): Promise<HttpTapping> {
  const tap = startTap(['--log', log, '--http', url, '--listen', '127.0.0.1:0', ...options]);
  await until(() => expect(tap.err()).toMatch(/listening on \S+/));
  return { ...tap, url: /listening on (\S+)/.exec(tap.err())?.[1] ?? '' };
}

/** All that is recorded. */
export function eventsOf(file: string): readonly LogEvent[] {
  const log = openEventLog({ path: file, clock: systemClock });
  try {
    expect(log.status.kind).toBe('file');
    return log.read({ limit: 1_000_000 });
  } finally {
    log.dispose();
  }
}

/** What it projects to. */
export async function exchangesOf(file: string): Promise<readonly Exchange[]> {
  async function* all() {
    yield* eventsOf(file);
  }
  return inOrder([...(await project(all(), new Correlator(judge))).values()]);
}

/** Requests with what became of them, for comparison. */
export async function outcomesOf(file: string): Promise<readonly string[]> {
  return (await exchangesOf(file))
    .filter(({ kind }) => kind === 'request')
    .map(
      ({ method, target, origin, server, verdict }) =>
        `${origin} ${server} ${[method, target].filter(Boolean).join(' ')}: ${verdict?.outcome}`,
    );
}

export const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/** The messages of a client's start. */
export const handshake = (name = 'test') =>
  line({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
  }) + line({ method: 'notifications/initialized' });
