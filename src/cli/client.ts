import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../base/systemClock.ts';
import { judge } from '../core/classify/judge.ts';
import { type PoolOptions, ServerPool } from '../core/client/pool.ts';
import { openEventLog } from '../core/log/eventLog.ts';
import type { FaultSource } from '../core/passthrough/faults/faultSource.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../core/resilience/policy.ts';
import { createStdioWire } from '../core/transport/stdioWire.ts';
import type { ServerDefinition } from '../protocol/definition.ts';
import type { ConnectionId, LogEvent, SessionId } from '../protocol/events.ts';
import { VERSION } from '../protocol/version.ts';
import { sentence } from './formats/verdictText.ts';
import type { Terminal } from './terminal.ts';

export interface ClientOptions {
  readonly definitions: readonly ServerDefinition[];
  /** In place of the defaults; a function is asked at every call. */
  readonly settings?: Partial<RetrySettings> | (() => RetrySettings);
  /** File that every event is recorded in; memory when absent. */
  readonly log: string | undefined;
  readonly authorizer?: PoolOptions['authorizer'];
  /** Faults that are injected on purpose. */
  readonly faults?: FaultSource | undefined;
}

/** Events of a connection that are looked at to say why it failed. */
const EVENTS_OF_CONNECTION = 1000;

export interface Client {
  readonly pool: ServerPool;
  readonly settings: RetrySettings;
  /** What was recorded of a connection, oldest first. */
  events(connection: ConnectionId): readonly LogEvent[];
  /** Ends every server and writes what is recorded. */
  close(): Promise<void>;
}

/** The product's own client with its log, as the editor has it. Starts nothing by itself. */
export function openClient(
  { definitions, settings: changes, log: file, authorizer, faults }: ClientOptions,
  terminal: Terminal,
): Client {
  const log = openEventLog({
    path: file === undefined ? undefined : path.resolve(terminal.cwd, file),
    clock: systemClock,
  });
  if (file !== undefined && log.status.kind === 'memory') {
    terminal.err(`faultline: ${sentence(`log.memory.${log.status.reason}`, { detail: log.status.detail })}\n`);
  }
  const settingsNow = typeof changes === 'function' ? changes : () => settings;
  const settings = { ...DEFAULT_RETRY_SETTINGS, ...(typeof changes === 'function' ? changes() : changes) };
  const pool = new ServerPool({
    clock: systemClock,
    random: Math.random,
    judge,
    sink: log,
    session: randomUUID() as SessionId,
    wires: {
      stdio: (wire) => createStdioWire({ ...wire, faults: faults?.stdio(wire.context.server) }),
      // Bundles of their own, which a command that calls nothing never loads.
      http: async (wire) =>
        (await import('../core/transport/httpWire.ts')).createHttpWire({
          ...wire,
          faults: faults?.http(wire.context.server),
        }),
    },
    loadEngine: () => import('../core/client/sdkEngine.ts'),
    settings: settingsNow,
    toolPolicy: () => undefined,
    clientInfo: { name: 'faultline-cli', version: VERSION },
    authorizer,
  });
  pool.setDefinitions(definitions);
  return {
    pool,
    settings,
    events: (connection) => log.read({ connection, limit: EVENTS_OF_CONNECTION }),
    close: async () => {
      await pool.dispose();
      log.dispose();
    },
  };
}
