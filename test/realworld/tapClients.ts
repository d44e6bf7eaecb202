/**
 * `npm run test:tap-clients`: calls server-everything by the MCP Inspector's command line, of the npm registry and installed
 * outside of the project, with and without a tap between them, over every transport. Ends with 1 when the tap makes a
 * difference, or when its record does not name the client and what became of the calls.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { installPeers, peerProgram } from '../bench/peers/install.ts';
import { freePort } from '../tools/lib/freePort.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-tap-clients-'));
const node = process.execPath;
const flag = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const cli = [flag, path.join(root, 'src/cli/main.ts')];
const everything = path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const children: ChildProcess[] = [];
const say = (text: string) => process.stderr.write(`${text}\n`);

const CALLS: readonly (readonly string[])[] = [
  ['--method', 'tools/list'],
  ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello'],
  ['--method', 'tools/call', '--tool-name', 'get-sum', '--tool-arg', 'a=1', 'b=2'],
  ['--method', 'resources/list'],
];

interface Told {
  readonly status: number | null;
  readonly stdout: string;
}

function inspect(target: readonly string[], call: readonly string[]): Told {
  const { status, stdout, stderr } = spawnSync(node, [peerProgram('mcp-inspector'), '--cli', ...target, ...call], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, HOME: folder },
  });
  if (status !== 0) {
    say(stderr);
  }
  return { status, stdout };
}

/** A configuration of one server over stdio. */
function configured(name: string, command: readonly string[]): readonly string[] {
  const file = path.join(folder, `${name}.json`);
  const [first, ...args] = command;
  writeFileSync(file, JSON.stringify({ mcpServers: { [name]: { command: first, args } } }));
  return ['--config', file, '--server', name];
}

async function startUntil(args: readonly string[], pattern: RegExp, env: Record<string, string>): Promise<void> {
  const child = spawn(node, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      if (pattern.test(said)) {
        resolve();
      }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', () => reject(new Error(said)));
  });
}

/** The same server, reached directly and through a tap that writes `log`. */
async function reach(transport: string, log: string): Promise<readonly [readonly string[], readonly string[]]> {
  if (transport === 'stdio') {
    const server = [node, everything, 'stdio'];
    const tapped = [node, ...cli, 'tap', '--log', log, '--', ...server];
    return [configured('direct', server), configured('tapped', tapped)];
  }
  const [port, tapPort] = [await freePort(), await freePort()];
  await startUntil([everything, transport], /listening|running|started/i, { PORT: String(port) });
  const where = transport === 'sse' ? '/sse' : '/mcp';
  const url = `http://localhost:${port}${where}`;
  const listen = ['tap', '--log', log, '--http', url, '--listen', `127.0.0.1:${tapPort}`];
  await startUntil([...cli, ...listen], /listening on/, {});
  return [
    ['--server-url', url],
    ['--server-url', `http://127.0.0.1:${tapPort}${where}`],
  ];
}

let isGood = true;
try {
  if (!installPeers()) {
    throw new Error('npm could not install the Inspector');
  }
  for (const transport of ['stdio', 'streamableHttp', 'sse']) {
    const log = path.join(folder, `${transport}.sqlite`);
    const [direct, tapped] = await reach(transport, log);
    for (const call of CALLS) {
      const [wanted, got] = [inspect(direct, call), inspect(tapped, call)];
      const isSame = wanted.status === 0 && wanted.status === got.status && wanted.stdout === got.stdout;
      isGood &&= isSame;
      say(`${isSame ? 'same' : 'DIFFERENT'}  ${transport}  ${call.join(' ')}`);
    }
    // What is held back for the sake of names is on record two seconds later at most.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const shown = spawnSync(node, [...cli, 'show', '--log', log], { encoding: 'utf8' }).stdout;
    const calls = shown.split('\n').filter((line) => / (?:tools|resources)\//.test(line) && line.includes(' request '));
    const isRecorded =
      calls.length >= CALLS.length &&
      calls.every((line) => /^#\d+ tap:mcp-servers\/everything .*\(tap:(?!unknown).*success/.test(line));
    isGood &&= isRecorded;
    say(
      `${isRecorded ? 'recorded' : `NOT AS IT SHOULD BE:\n${shown}`}  ${transport}  ${/\(tap:([^)]*)\)/.exec(shown)?.[1]}`,
    );
  }
} finally {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isGood ? 0 : 1;
