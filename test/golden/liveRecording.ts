import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/base/systemClock.ts';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import { ServerPool } from '../../src/core/client/pool.ts';
import { projectionLine } from '../../src/core/export/projectionText.ts';
import { type EventLog, openEventLog } from '../../src/core/log/eventLog.ts';
import { DEFAULT_REPLAY_POLICY, DEFAULT_RETRY_SETTINGS } from '../../src/core/resilience/policy.ts';
import { createHttpWire } from '../../src/core/transport/httpWire.ts';
import { createStdioWire } from '../../src/core/transport/stdioWire.ts';
import {
  demoDefinitions,
  demoHttpArgs,
  demoHttpDefinition,
  listeningUrl,
  runDemoScript,
} from '../../src/demo/script.ts';
import type { CallOutcome } from '../../src/protocol/call.ts';
import type { ServerDefinition } from '../../src/protocol/definition.ts';
import type { ServerId, SessionId } from '../../src/protocol/events.ts';
import type { Exchange } from '../../src/protocol/exchange.ts';
import type { JsonObject } from '../../src/protocol/jsonrpc.ts';

export const root = path.resolve(import.meta.dirname, '../..');

/** A folder with one file, which the servers are given to work on. */
export function sampleFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-golden-'));
  writeFileSync(path.join(folder, 'a.txt'), 'hello');
  return folder;
}

/** A pool on real servers whose events go into a log file, with the projection that a window would show meanwhile. */
export interface LiveRecording {
  readonly log: EventLog;
  call(server: string, tool: string, args: JsonObject, more?: CallMore): Promise<CallOutcome>;
  request(server: string, method: string, params: JsonObject): Promise<CallOutcome>;
  readonly pool: ServerPool;
  /** The projection taken from the events as they were committed, as text; whole after `end`. */
  liveText(): string;
  /** Ends the servers and writes what is waiting; the log stays open. */
  end(): Promise<void>;
}

export interface CallMore {
  readonly signal?: AbortSignal;
  readonly onProgress?: () => void;
  readonly timeoutMs?: number;
}

export function startRecording(
  logFile: string,
  definitions: readonly ServerDefinition[],
  session = 's1' as SessionId,
): LiveRecording {
  const log = openEventLog({ path: logFile, clock: systemClock });
  const correlator = new Correlator(judge);
  const live = new Map<number, Exchange>();
  log.onDidAppend((events) => {
    for (const exchange of events.flatMap((event) => correlator.push(event))) {
      live.set(exchange.key, exchange);
    }
  });
  let ids = 0;
  const settings = { ...DEFAULT_RETRY_SETTINGS, baseMs: 5 };
  const pool = new ServerPool({
    clock: systemClock,
    random: () => 0,
    newId: () => `id-${++ids}`,
    judge,
    sink: log,
    session,
    wires: { stdio: createStdioWire, http: async (options) => createHttpWire(options) },
    loadEngine: () => import('../../src/core/client/sdkEngine.ts'),
    settings: () => settings,
    toolPolicy: () => undefined,
    clientInfo: { name: 'faultline', version: '0.1.0' },
  });
  pool.setDefinitions(definitions);
  const idOf = (name: string) => definitions.find((definition) => definition.name === name)?.id ?? ('?' as ServerId);
  const request = (server: string, method: string, params: JsonObject, more: CallMore = {}) => {
    const { timeoutMs, ...options } = more;
    const policy = timeoutMs === undefined ? {} : { policy: { ...DEFAULT_REPLAY_POLICY, retryOn: [], timeoutMs } };
    return pool.call({ server: idOf(server), method, params, origin: 'client' }, { ...options, ...policy });
  };
  return {
    log,
    pool,
    request,
    call: (server, tool, args, more) => request(server, 'tools/call', { name: tool, arguments: args }, more),
    liveText: () =>
      [...live.values()]
        .sort((a, b) => a.key - b.key)
        .map((exchange) => `${projectionLine(exchange)}\n`)
        .join(''),
    end: async () => {
      await pool.dispose();
      log.flush();
    },
  };
}

/** A reference server from npm. */
function npmServer(name: string, ...args: readonly string[]): ServerDefinition {
  const file = path.join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  return {
    id: `settings:${name}` as ServerId,
    name,
    source: { kind: 'settings' },
    transport: { type: 'stdio', command: process.execPath, args: [file, ...args], env: {} },
    isTrusted: false,
  };
}

/** What is recorded of each server: a session by name. */
export interface Scenario {
  readonly definitions: (folder: string) => Promise<readonly ServerDefinition[]>;
  readonly play: (recording: LiveRecording, folder: string) => Promise<unknown>;
  readonly stop?: () => void;
}

export const scenarios: Readonly<Record<string, () => Scenario>> = {
  everything: () => ({
    definitions: async () => [npmServer('everything')],
    play: async ({ call, request }) => {
      await call('everything', 'echo', { message: 'hi' });
      await call('everything', 'get-sum', { a: 1, b: 2 });
      await call('everything', 'get-sum', { a: 'one' });
      await call('everything', 'no-such-tool', {});
      await call('everything', 'get-annotated-message', { messageType: 'error' });
      await call('everything', 'get-structured-content', { location: 'New York' });
      await call('everything', 'trigger-long-running-operation', { duration: 0.3, steps: 3 }, { onProgress: noop });
      const patience = new AbortController();
      const slow = { duration: 30, steps: 300 };
      const cancel = { signal: patience.signal, onProgress: () => patience.abort() };
      await call('everything', 'trigger-long-running-operation', slow, cancel);
      await call('everything', 'trigger-long-running-operation', { duration: 2, steps: 1 }, { timeoutMs: 100 });
      await request('everything', 'resources/read', { uri: 'demo://nothing' });
      await request('everything', 'prompts/get', { name: 'no-such-prompt' });
    },
  }),
  filesystem: () => ({
    definitions: async (folder) => [npmServer('filesystem', folder)],
    play: async ({ call }, folder) => {
      const [there, missing] = [path.join(folder, 'a.txt'), path.join(folder, 'missing.txt')];
      await call('filesystem', 'read_text_file', { path: there });
      await call('filesystem', 'read_text_file', { path: missing });
      await call('filesystem', 'read_multiple_files', { paths: [there, missing] });
      await call('filesystem', 'list_directory', { path: folder });
      await call('filesystem', 'search_files', { path: folder, pattern: '*.md' });
      await call('filesystem', 'read_text_file', { path: '/etc/passwd' });
      await call('filesystem', 'edit_file', { path: there, edits: [{ oldText: 'absent', newText: 'x' }] });
      await call('filesystem', 'write_file', { path: there });
    },
  }),
  memory: () => ({
    definitions: async () => [npmServer('memory')],
    play: async ({ call }) => {
      const entity = { name: 'Ubik', entityType: 'book', observations: ['by Philip K. Dick'] };
      await call('memory', 'search_nodes', { query: 'nothing of the sort' });
      await call('memory', 'add_observations', { observations: [{ entityName: 'absent', contents: ['x'] }] });
      await call('memory', 'create_entities', { entities: [{ ...entity, name: 7 }] });
      await call('memory', 'open_nodes', { names: ['absent'] });
      await call('memory', 'delete_entities', { entityNames: ['absent'] });
    },
  }),
  demo: () => {
    let http: ChildProcess | undefined;
    const serverPath = path.join(root, 'src/demo/server.ts');
    return {
      definitions: async () => {
        const child = spawn(process.execPath, [...demoHttpArgs(serverPath)], { stdio: ['pipe', 'ignore', 'pipe'] });
        http = child;
        const url = await new Promise<string>((resolve, reject) => {
          child.once('exit', () => reject(new Error('the demo server ended')));
          createInterface({ input: child.stderr }).on('line', (line) => {
            const found = listeningUrl(line);
            if (found !== undefined) {
              resolve(found);
            }
          });
        });
        return [...demoDefinitions({ serverPath, execPath: process.execPath }), demoHttpDefinition(url)];
      },
      play: ({ pool }) =>
        runDemoScript(
          {
            call: (server, tool, args, { timeoutMs, signal }) =>
              pool.call(
                {
                  server: `demo:${server}` as ServerId,
                  method: 'tools/call',
                  params: { name: tool, arguments: args },
                  origin: 'client',
                },
                {
                  signal,
                  policy: { ...DEFAULT_REPLAY_POLICY, baseMs: 5, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
                },
              ),
          },
          { clock: systemClock },
        ),
      stop: () => http?.stdin?.end(),
    };
  },
};

function noop(): void {
  // Asking for progress is what counts.
}
