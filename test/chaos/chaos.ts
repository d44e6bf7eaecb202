import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../src/base/systemClock.ts';
import { judge } from '../../src/core/classify/judge.ts';
import { ServerPool } from '../../src/core/client/pool.ts';
import { openEventLog } from '../../src/core/log/eventLog.ts';
import { createFaultSource, type FaultSource } from '../../src/core/passthrough/faults/faultSource.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../../src/core/resilience/policy.ts';
import { createHttpWire } from '../../src/core/transport/httpWire.ts';
import { createStdioWire } from '../../src/core/transport/stdioWire.ts';
import type { NewLogEvent, ServerId, SessionId } from '../../src/protocol/events.ts';
import { seededRandom } from '../unit/support/seededRandom.ts';
import { launchFleet, type Ship } from './fleet.ts';
import { type MadeCall, type Violation, violationsOf } from './invariants.ts';
import { type Ledger, readLedger } from './ledger.ts';
import { randomFaults } from './randomFaults.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** How long calls are made; with `calls`, whichever is reached first. */
  readonly durationMs: number;
  /** Calls of each worker at most. */
  readonly calls?: number;
  /** Of the ten, the first so many. */
  readonly servers: number;
  /** Calls at once to each server. */
  readonly workers: number;
  readonly onProgress?: (text: string) => void;
}

export interface ChaosResult {
  readonly calls: readonly MadeCall[];
  readonly ledger: Ledger;
  readonly violations: readonly Violation[];
  readonly slowestMs: number;
  readonly limitMs: number;
}

const SETTINGS: RetrySettings = {
  ...DEFAULT_RETRY_SETTINGS,
  baseMs: 20,
  capMs: 200,
  retryAfterCapMs: 1500,
  retriesPerMinute: 10_000,
  timeoutMs: 500,
  totalTimeoutMs: 2000,
  connectTimeoutMs: 10_000,
  discoverTimeoutMs: 2000,
  breakerOpenMs: 300,
  loopLimit: 0,
};
/** A healthy server on a busy machine may be slow; it must not fail. */
const CONTROL_TIMEOUT_MS = 60_000;
/** The wire is asked for its own word on an end for so long (`requestTable.ts`). */
const EVIDENCE_MS = 1000;
/** For a busy machine, on which a timer fires when there is time for it. */
const SLACK_MS = 5000;
/** How long processes may take to be gone: two graces of 2 s, and what is left of their output. */
const GONE_MS = 8000;

/**
 * No call may take longer: of each attempt, the wait before it, connecting, reading the lists that say whether it may be repeated,
 * and the limit of the answer.
 */
const LIMIT_MS =
  SETTINGS.maxAttempts *
    (Math.max(SETTINGS.capMs, SETTINGS.retryAfterCapMs) +
      SETTINGS.connectTimeoutMs +
      2 * SETTINGS.totalTimeoutMs +
      2 * EVIDENCE_MS) +
  SLACK_MS;

/** Calls a fleet of servers, at once and for a while, while every kind of fault is injected by chance; then looks at what must hold. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-chaos-'));
  const unhandled: string[] = [];
  const onUnhandled = (error: unknown) => unhandled.push(String(error instanceof Error ? error.stack : error));
  process.on('unhandledRejection', onUnhandled);
  process.on('uncaughtException', onUnhandled);
  try {
    return await chaosIn(folder, options, unhandled);
  } finally {
    process.off('unhandledRejection', onUnhandled);
    process.off('uncaughtException', onUnhandled);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function chaosIn(folder: string, options: ChaosOptions, unhandled: readonly string[]): Promise<ChaosResult> {
  const { seed, onProgress } = options;
  // Those are the test runner's.
  const children = new Set(childrenOf(process.pid));
  const fleet = await launchFleet(options.servers);
  const log = openEventLog({ path: path.join(folder, 'log.sqlite'), clock: systemClock, redaction: {} });
  let offered = 0;
  const sink = {
    append: (event: NewLogEvent) => {
      offered += 1;
      log.append(event);
    },
  };
  const faulted = fleet.ships.filter(({ role }) => role === 'faulted');
  const sources = new Map<ServerId, FaultSource>(
    faulted.map(({ definition }, index) => [
      definition.id,
      createFaultSource({ plan: randomFaults(seededRandom(seed * 1000 + index)), seed, clock: systemClock }),
    ]),
  );
  const byId = new Map(fleet.ships.map((ship) => [ship.definition.id, ship]));
  const pool = new ServerPool({
    clock: systemClock,
    random: seededRandom(seed),
    judge,
    sink,
    session: 'chaos' as SessionId,
    wires: {
      stdio: (wire) => {
        const faults = sources.get(wire.context.server)?.stdio(wire.context.server);
        return createStdioWire({ ...wire, ...(faults === undefined ? {} : { faults }) });
      },
      http: async (wire) => {
        const faults = sources.get(wire.context.server)?.http(wire.context.server);
        return createHttpWire({ ...wire, ...(faults === undefined ? {} : { faults }) });
      },
    },
    loadEngine: () => import('../../src/core/client/sdkEngine.ts'),
    settings: () => SETTINGS,
    toolPolicy: (server, tool) => {
      const ship = byId.get(server);
      const isIdempotent = ship?.reads.includes(tool) === true;
      return ship?.role === 'control' ? { isIdempotent, timeoutMs: CONTROL_TIMEOUT_MS } : { isIdempotent };
    },
  });
  pool.setDefinitions(fleet.ships.map(({ definition }) => definition));
  // The control server's start is not what is tried.
  await pool.connectAll();

  const calls: MadeCall[] = [];
  const startMs = performance.now();
  const untilMs = startMs + options.durationMs;
  let saidMs = startMs;
  const work = async (ship: Ship, worker: number): Promise<void> => {
    const random = seededRandom(seed + 7919 * (worker + 1) + fleet.ships.indexOf(ship) * 104_729);
    for (let made = 0; made < (options.calls ?? Number.POSITIVE_INFINITY) && performance.now() < untilMs; made += 1) {
      calls.push(await callOnce(pool, ship, random, startMs));
      if (ship.role === 'faulted' && random() < 0.003) {
        // A person restarts it while others are being answered.
        await pool.restart(ship.definition.id);
      }
      await systemClock.sleep(random() * 30 + (ship.role === 'dead' ? 100 : 0));
      if (performance.now() - saidMs > 30_000) {
        saidMs = performance.now();
        onProgress?.(`${Math.round((saidMs - startMs) / 1000)} s, ${calls.length} calls`);
      }
    }
  };
  await Promise.all(
    fleet.ships.flatMap((ship) => Array.from({ length: options.workers }, (_, worker) => work(ship, worker))),
  );
  await pool.dispose();
  await fleet.close();
  log.flush();
  const ledger = readLedger(log);
  log.dispose();

  const left = await orphansOf(ledger.pids, children);
  const onNoRecord = (invariant: string, detail: string): Violation => ({
    invariant,
    at: Number.MAX_SAFE_INTEGER,
    detail,
  });
  return {
    calls,
    ledger,
    slowestMs: calls
      .filter(({ role }) => role !== 'control')
      .reduce((slowest, { tookMs }) => Math.max(slowest, tookMs), 0),
    limitMs: LIMIT_MS,
    violations: [
      ...violationsOf(ledger, calls, {
        offered,
        limitMsOf: ({ role }) => LIMIT_MS + (role === 'control' ? CONTROL_TIMEOUT_MS : 0),
      }),
      ...unhandled.map((detail) => onNoRecord('no unhandled rejection', detail)),
      ...left.map((pid) => onNoRecord('no orphan', `process ${pid} is still there`)),
    ],
  };
}

async function callOnce(pool: ServerPool, ship: Ship, random: () => number, startMs: number): Promise<MadeCall> {
  const { definition, role, reads, writes } = ship;
  const draw = random();
  // Only a tool can have a limit of its own, which the control server needs on a busy machine.
  const method = role === 'control' || draw >= 0.08 ? 'tools/call' : draw < 0.04 ? 'ping' : 'tools/list';
  const isRead = random() < 0.6;
  const names = isRead ? reads : writes;
  const tool = method === 'tools/call' ? names[Math.floor(random() * names.length)] : undefined;
  const params =
    tool === undefined ? {} : { params: { name: tool, arguments: { query: 'sea', id: 'b1', nonce: random() } } };
  const isCancelled = role !== 'control' && random() < 0.02;
  const cancel = new AbortController();
  const timer = isCancelled ? systemClock.setTimer(random() * 50, () => cancel.abort()) : undefined;
  const begunMs = performance.now();
  const outcome = await pool.call(
    { server: definition.id, method, origin: 'client', ...params },
    isCancelled ? { signal: cancel.signal } : {},
  );
  timer?.dispose();
  return {
    server: definition.id,
    role,
    method,
    tool,
    isSafe: tool === undefined || isRead,
    wasCancelled: cancel.signal.aborted,
    startedMs: begunMs - startMs,
    tookMs: performance.now() - begunMs,
    outcome,
  };
}

/** Processes that were started and are still there after a while, and children of ours that nobody told of. */
async function orphansOf(pids: readonly number[], before: ReadonlySet<number>): Promise<readonly number[]> {
  const untilMs = performance.now() + GONE_MS;
  for (;;) {
    const children = childrenOf(process.pid).filter((pid) => !before.has(pid));
    const left = [...new Set([...pids.filter(isAlive), ...children])];
    if (left.length === 0 || performance.now() > untilMs) {
      return left;
    }
    await systemClock.sleep(50);
  }
}

/** A process that has ended and was not waited for yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return statOf(pid)?.state !== 'Z';
}

/** Where the system has /proc. */
function childrenOf(parent: number): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        const stat = statOf(pid);
        return stat?.parent === parent && stat.state !== 'Z';
      });
  } catch {
    return [];
  }
}

function statOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const [state = '', parent = '0'] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
