import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../../src/base/systemClock.ts';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import { SESSION_FORMAT, writeSession } from '../../../src/core/export/sessionFile.ts';
import { demoEnv, demoHttpArgs, listeningUrl, runDemoScript } from '../../../src/demo/script.ts';
import type { DemoServer } from '../../../src/demo/steps.ts';
import type { HttpDefinition, ServerDefinition, StdioDefinition } from '../../../src/protocol/definition.ts';
import type { LogEvent, NewLogEvent, ServerId } from '../../../src/protocol/events.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { demoServer } from '../cli/runCli.ts';
import { createReal } from '../client/support.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const cli = [quiet, '--disable-warning=ExperimentalWarning', path.join(root, 'src/cli/main.ts')];

export const folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-mock-'));

/** The events as a log would give them, and as a session file. */
export async function recorded(events: readonly NewLogEvent[], name: string): Promise<string> {
  const numbered: readonly LogEvent[] = events.map((event, index) => ({ ...event, seq: index + 1 }));
  const header = {
    faultlineSession: SESSION_FORMAT,
    exportedAt: '',
    faultline: '0',
    sessions: [],
    redacted: false,
    leftOut: [],
  } as const;
  let text = '';
  for await (const piece of writeSession(header, numbered)) {
    text += piece;
  }
  const file = path.join(folder, `${name}.faultline.jsonl`);
  writeFileSync(file, text);
  return file;
}

/** The command line that serves a recording over stdio. */
export const mockCommand = (file: string, ...args: string[]): StdioDefinition => ({
  type: 'stdio',
  command: process.execPath,
  args: [...cli, 'mock', file, ...args],
  env: {},
});

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a process that says its URL on stderr. */
async function served(args: readonly string[], end: 'stdin' | 'SIGTERM'): Promise<Served> {
  const child = spawn(process.execPath, [...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, ...demoEnv },
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const said: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      const found = listeningUrl(line);
      if (found !== undefined) {
        resolve(found);
      }
    });
    child.once('close', () => reject(new Error(said.join('\n'))));
  });
  return {
    url,
    close: async () => {
      if (end === 'stdin') {
        child.stdin.end();
      } else {
        child.kill('SIGTERM');
      }
      await closed;
    },
  };
}

/** Serves a recording over HTTP. */
export const serveMock = (file: string, ...args: string[]) =>
  served([...cli, 'mock', file, '--listen', '127.0.0.1:0', ...args], 'SIGTERM');

const idOf = (server: DemoServer) => `demo:${server}` as ServerId;

const definition = (server: DemoServer, transport: StdioDefinition | HttpDefinition): ServerDefinition => ({
  id: idOf(server),
  name: server,
  source: { kind: 'demo' },
  transport,
  isTrusted: true,
});

/** Plays the demo's agent against these two servers; gives what was recorded. */
export async function playDemo(stdio: StdioDefinition, url: string): Promise<readonly NewLogEvent[]> {
  const real = createReal(
    [definition('bookshop', stdio), definition('bookshop-http', { type: 'http', url, headers: {} })],
    { maxAttempts: 3 },
  );
  await runDemoScript(
    {
      call: (server, tool, args, { timeoutMs, signal }) =>
        real.pool.call(
          { server: idOf(server), method: 'tools/call', params: { name: tool, arguments: args }, origin: 'client' },
          {
            signal,
            policy: {
              maxAttempts: 3,
              baseMs: 5,
              factor: 2,
              capMs: 2000,
              jitter: 0,
              timeoutMs: timeoutMs ?? 60_000,
              retryOn: ['transport_error', 'timeout', 'protocol_error'],
            },
          },
        ),
    },
    { clock: systemClock },
  );
  // The lists are read beside the calls; what is not awaited would be cut off at one time or another.
  await Promise.all([real.pool.listed(idOf('bookshop')), real.pool.listed(idOf('bookshop-http'))]);
  await real.pool.dispose();
  return real.events;
}

export const demoStdio: StdioDefinition = {
  type: 'stdio',
  command: process.execPath,
  args: [quiet, demoServer],
  env: {},
};

export const serveDemo = () => served([quiet, ...demoHttpArgs(demoServer)], 'stdin');

/** What events project to, one line an exchange, without what differs from run to run. */
export function projection(events: readonly NewLogEvent[]): readonly string[] {
  const correlator = new Correlator(judge);
  const last = new Map<number, Exchange>();
  for (const [index, event] of events.entries()) {
    for (const exchange of correlator.push({ ...event, seq: index + 1 })) {
      last.set(exchange.key, exchange);
    }
  }
  return [...last.values()]
    .filter(({ kind }) => kind !== 'connection')
    .map(({ server, kind, method, target, initiator, verdict, marks, anomalies = [], chain, related }) =>
      [
        server,
        kind,
        method,
        target ?? '',
        initiator,
        verdict?.outcome ?? '',
        verdict?.signals.map(({ code, pointer }) => `${code}@${pointer ?? ''}`).join(',') ?? '',
        marks.join(','),
        anomalies.map(({ code }) => code).join(','),
        chain === undefined ? '' : `${chain.attempt}/${chain.maxAttempts} ${chain.reason}`,
        `${related.length} related`,
      ].join(' | '),
    );
}
