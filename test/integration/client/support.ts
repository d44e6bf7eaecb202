import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../../src/base/systemClock.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import { type PoolOptions, ServerPool } from '../../../src/core/client/pool.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../../../src/core/resilience/policy.ts';
import { createStdioWire } from '../../../src/core/transport/stdioWire.ts';
import type { HttpDefinition, ServerDefinition, StdioDefinition } from '../../../src/protocol/definition.ts';
import type { EventBody, NewLogEvent, ServerId, SessionId } from '../../../src/protocol/events.ts';

const root = path.resolve(import.meta.dirname, '../../..');

export const idOf = (name: string) => `settings:${name}` as ServerId;

export function define(name: string, transport: StdioDefinition | HttpDefinition, isTrusted = false): ServerDefinition {
  return { id: idOf(name), name, source: { kind: 'settings' }, transport, isTrusted };
}

/** A Node.js script of the repository as a stdio server. */
function script(file: string, ...args: string[]): StdioDefinition {
  return { type: 'stdio', command: process.execPath, args: [path.join(root, file), ...args], env: {} };
}

export const testServer = (name: string, ...args: string[]) => script(`test/servers/${name}.mjs`, ...args);

export const npmServer = (name: string, ...args: string[]) =>
  script(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args);

export const http = (url: string): HttpDefinition => ({ type: 'http', url, headers: {} });

export const emptyFolder = () => mkdtempSync(path.join(os.tmpdir(), 'faultline-'));

export interface Real {
  readonly pool: ServerPool;
  readonly events: NewLogEvent[];
  bodies<K extends EventBody['kind']>(kind: K): Extract<EventBody, { kind: K }>[];
}

/** A pool over real servers and the real judge. Waits between attempts are short. */
export function createReal(
  definitions: readonly ServerDefinition[],
  settings: Partial<RetrySettings> = {},
  more: Partial<PoolOptions> = {},
): Real {
  const events: NewLogEvent[] = [];
  const pool = new ServerPool({
    clock: systemClock,
    random: () => 0,
    judge,
    sink: { append: (event) => events.push(event) },
    session: 'test' as SessionId,
    wires: {
      stdio: createStdioWire,
      http: async (options) => (await import('../../../src/core/transport/httpWire.ts')).createHttpWire(options),
    },
    loadEngine: () => import('../../../src/core/client/sdkEngine.ts'),
    settings: () => ({ ...DEFAULT_RETRY_SETTINGS, baseMs: 5, ...settings }),
    toolPolicy: () => undefined,
    ...more,
  });
  pool.setDefinitions(definitions);
  return {
    pool,
    events,
    bodies: (kind) =>
      events
        .map(({ body }) => body)
        .filter((body): body is Extract<EventBody, { kind: typeof kind }> => body.kind === kind),
  };
}

export const attemptsOf = (real: Real) =>
  real.bodies('attempt').map(({ number, decision, reason }) => `${number} ${decision} ${reason}`);
