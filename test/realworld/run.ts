/**
 * `npm run test:realworld [-- NAME…]`: connects, lists and calls real servers of the npm registry, which are installed outside of
 * the project (`.vscode-test/realworld`), and writes the table in `docs/real-servers.md`. Ends with 1 when a server did not do
 * what is known of it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { HttpDefinition, StdioDefinition } from '../../src/protocol/definition.ts';
import type { OutcomeKind } from '../../src/protocol/outcome.ts';
import { createReal, define, idOf } from '../integration/client/support.ts';
import { freePort } from '../tools/lib/freePort.mjs';
import { REAL_SERVERS } from './servers.mjs';

type RealServer = import('./servers.mjs').RealServer;

const root = path.resolve(import.meta.dirname, '../..');
const installed = path.join(root, '.vscode-test', 'realworld');
const say = (text: string) => process.stderr.write(`${text}\n`);

interface Row {
  readonly server: RealServer;
  readonly revision: string;
  readonly lists: string;
  readonly outcomes: readonly string[];
  readonly noise: number;
  readonly problems: readonly string[];
}

function install(servers: readonly RealServer[]): void {
  const dependencies = Object.fromEntries(
    servers.map(({ spec }) => [spec.slice(0, spec.lastIndexOf('@')), spec.slice(spec.lastIndexOf('@') + 1)]),
  );
  const manifest = JSON.stringify({ private: true, dependencies }, undefined, 1);
  const file = path.join(installed, 'package.json');
  if (existsSync(path.join(installed, 'node_modules')) && existsSync(file) && readFileSync(file, 'utf8') === manifest) {
    return;
  }
  mkdirSync(installed, { recursive: true });
  writeFileSync(file, manifest);
  say('installing the servers');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const { status } = spawnSync('npm', ['install', ...flags], { cwd: installed, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    throw new Error('npm could not install the servers');
  }
}

const mainOf = (main: string) => path.join(installed, 'node_modules', main);

async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.unref();
      setTimeout(() => socket.destroy(), 500).unref();
    });
    if (isOpen) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`nothing listens on ${port}`);
}

/** Starts what must be running before, and says how to reach the server. */
async function reach(
  server: RealServer,
  folder: string,
): Promise<{ readonly transport: StdioDefinition | HttpDefinition; stop(): void }> {
  const args = [...(server.args ?? []), ...(server.needsFolder === true ? [folder] : [])];
  const env = { MEMORY_FILE_PATH: path.join(folder, 'memory.json'), HOME: folder, ...server.env };
  if (server.url === undefined) {
    const transport: StdioDefinition = {
      type: 'stdio',
      command: process.execPath,
      args: [mainOf(server.main), ...args],
      env,
      cwd: folder,
    };
    return { transport, stop: () => undefined };
  }
  const port = await freePort();
  const isGateway = server.main.startsWith('supergateway');
  const behind = `${process.execPath} ${mainOf('@modelcontextprotocol/server-everything/dist/index.js')}`;
  const more = isGateway ? ['--stdio', behind, '--port', String(port)] : [];
  const child = spawn(process.execPath, [mainOf(server.main), ...args, ...more], {
    cwd: folder,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  });
  await listens(port);
  return {
    transport: { type: 'http', url: `http://127.0.0.1:${port}${server.url}`, headers: {} },
    stop: () => {
      if (child.pid !== undefined) {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      }
    },
  };
}

async function tryOut(server: RealServer): Promise<Row> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-real-'));
  const { transport, stop } = await reach(server, folder);
  const id = idOf('real');
  const real = createReal([define('real', transport)], { timeoutMs: 30_000, connectTimeoutMs: 60_000 });
  const problems: string[] = [];
  const expectThat = (isTrue: boolean, problem: string) => {
    if (!isTrue) {
      problems.push(problem);
    }
  };
  try {
    const state = await real.pool.connect(id);
    const revision = state.kind === 'running' ? state.revision : `${state.kind}`;
    const why = state.kind === 'failed' ? `: ${state.failure.failure.message}` : '';
    expectThat(server.revisions.includes(revision), `revision ${revision}${why}`);
    const isRead = () => {
      const { tools, resources, resourceTemplates, prompts } = real.pool.catalogue(id) ?? {};
      return [tools, resources, resourceTemplates, prompts].every(
        (list) => list !== undefined && (list.isComplete || list.problems.length > 0),
      );
    };
    for (let tries = 0; state.kind === 'running' && !isRead() && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const lists = real.pool.catalogue(id);
    const counts = [lists?.tools, lists?.resources, lists?.resourceTemplates, lists?.prompts].map(
      (list) => `${list?.items.length ?? 0}${list?.isComplete === true ? '' : '?'}`,
    );
    expectThat((lists?.tools.items.length ?? 0) >= server.minTools, `${counts[0]} tools`);
    const outcomes: string[] = [];
    for (const { tool, args, outcomes: known } of server.trials) {
      const outcome = await real.pool.call(
        { server: id, method: 'tools/call', params: { name: tool, arguments: args as never }, origin: 'client' },
        {},
      );
      outcomes.push(`${tool}: ${outcome.kind}`);
      expectThat(known.includes(outcome.kind satisfies OutcomeKind), `${tool} ended as ${outcome.kind}`);
    }
    return { server, revision, lists: counts.join(' / '), outcomes, noise: real.bodies('noise').length, problems };
  } finally {
    await real.pool.dispose();
    stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function table(rows: readonly Row[]): string {
  const line = ({ server, revision, lists, outcomes, noise, problems }: Row) =>
    `| ${server.name} | ${server.spec} | ${revision} | ${lists} | ${outcomes.join('<br>')} | ${noise} | ${
      problems.length === 0 ? 'yes' : problems.join('; ')
    } |`;
  return `# Real servers

Written by \`npm run test:realworld\`, which installs these servers of the npm registry outside of the project and connects,
lists and calls each. Lists are tools / resources / resource templates / prompts; \`?\` marks one that could not be read to its
end. Noise is what a server wrote to its stdout in the place of messages.

| server | package | revision | lists | calls | noise | as known |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map(line).join('\n')}
`;
}

const wanted = process.argv.slice(2);
const servers = (REAL_SERVERS as readonly RealServer[]).filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
install(REAL_SERVERS as readonly RealServer[]);
const rows: Row[] = [];
for (const server of servers) {
  try {
    rows.push(await tryOut(server));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    rows.push({ server, revision: '', lists: '', outcomes: [], noise: 0, problems: [problem] });
  }
  const row = rows.at(-1);
  say(
    `${row?.problems.length === 0 ? 'ok    ' : 'FAILED'} ${server.name}: ${row?.revision} ${row?.lists} ${row?.outcomes.join(', ')} ${row?.problems.join('; ')}`,
  );
}
if (wanted.length === 0) {
  writeFileSync(path.join(root, 'docs', 'real-servers.md'), table(rows));
}
process.exit(rows.every(({ problems }) => problems.length === 0) ? 0 : 1);
