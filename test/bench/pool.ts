// Findings (Node.js 22.23, two shared cores, busy): ratio 1.0 to 1.1, of which the two more processes to start are most (1.2 to 1.3 when
// the one that dies of the first question was started anew beside the others); 0 of 10,000 calls unsettled, no unhandled rejection,
// under 100 bytes a call left on the heap.
import process from 'node:process';
import type { ServerDefinition } from '../../src/protocol/definition.ts';
import { createReal, define, idOf, type Real, testServer } from '../integration/client/support.ts';
import { type BenchResult, median, progress, rounded } from './bench.ts';
import { garbageCollector } from './memory.ts';

const SERVERS = 20;
const ROUNDS = 5;
const GOAL = 1.2;

/** Resolves when the server's tools are known. */
function listed({ pool }: Real, name: string): Promise<void> {
  const id = idOf(name);
  const isListed = () => pool.catalogue(id)?.tools.isComplete === true;
  return new Promise((resolve) => {
    const listener = pool.onDidChange(() => {
      if (isListed()) {
        listener.dispose();
        resolve();
      }
    });
    if (isListed()) {
      listener.dispose();
      resolve();
    }
  });
}

/** How long until all `names` of `definitions` are listed, from connecting all at once, ms. */
async function catalogueMs(definitions: readonly ServerDefinition[], names: readonly string[]): Promise<number> {
  const real = createReal(definitions, { connectTimeoutMs: 60_000, discoverTimeoutMs: 60_000 });
  const start = performance.now();
  void real.pool.connectAll();
  await Promise.all(names.map((name) => listed(real, name)));
  const took = performance.now() - start;
  await real.pool.dispose();
  return took;
}

/**
 * `pool.twoSickOfTwenty`: time until the catalogue of eighteen healthy servers is complete, with one beside them that hangs in
 * its handshake and one that crashes again and again; ratio to the same eighteen without those two. Alternating.
 */
export async function twoSickOfTwenty(): Promise<BenchResult[]> {
  const names = Array.from({ length: SERVERS - 2 }, (_, index) => `healthy${index}`);
  const healthy = names.map((name) => define(name, testServer('wellBehaved')));
  const sick = [define('hung', testServer('neverReads')), define('crashing', testServer('exitsAtOnce'))];
  const ratios: number[] = [];
  const times: number[] = [];
  const baselines: number[] = [];
  await catalogueMs(healthy, names);
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`pool.twoSickOfTwenty: round ${round + 1} of ${ROUNDS}`);
    const isSickFirst = round % 2 === 0;
    const first = await catalogueMs(isSickFirst ? [...sick, ...healthy] : healthy, names);
    const second = await catalogueMs(isSickFirst ? healthy : [...sick, ...healthy], names);
    const [withSick, without] = isSickFirst ? [first, second] : [second, first];
    ratios.push(withSick / without);
    times.push(withSick);
    baselines.push(without);
  }
  const ratio = median(ratios);
  return [
    {
      name: 'pool.twoSickOfTwenty',
      value: rounded(median(times)),
      unit: 'ms',
      baseline: rounded(median(baselines)),
      ratio: rounded(ratio),
      goal: `≤ ${GOAL}`,
      ok: ratio <= GOAL,
    },
  ];
}

const CALLS = 10_000;
const POOL = 10;
const AT_ONCE = 20;
/** What a call may leave behind, bytes. */
const FLAT_BYTES = 100;

/**
 * `pool.faults10k`: of 10,000 calls over ten servers, one in twenty of which meets a fault (an exit, silence, an answer that
 * breaks the rules, an error), how many did not settle. An unhandled rejection, or memory that grows with the calls, makes it
 * fail.
 */
export async function faults10k(): Promise<BenchResult[]> {
  let rejections = 0;
  const onRejection = () => {
    rejections += 1;
  };
  process.on('unhandledRejection', onRejection);
  const names = Array.from({ length: POOL }, (_, index) => `s${index}`);
  const real = createReal(
    names.map((name, index) => define(name, testServer('faulty', String(index)))),
    { timeoutMs: 300, capMs: 20, breakerOpenMs: 20, loopLimit: 0 },
    { sink: { append: () => undefined } },
  );
  const outcomes = new Map<string, number>();
  let settled = 0;
  let begun = 0;
  await real.pool.connectAll();
  const heapBytes: number[] = [];
  const work = async () => {
    while (begun < CALLS) {
      const number = begun;
      begun += 1;
      const { kind } = await real.pool.call({
        server: idOf(names[number % POOL] ?? ''),
        method: 'tools/call',
        params: { name: 'work', arguments: { number } },
        origin: 'client',
      });
      settled += 1;
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      if (settled % 1000 === 0) {
        garbageCollector()();
        heapBytes.push(process.memoryUsage().heapUsed);
      }
    }
  };
  progress(`pool.faults10k: ${CALLS} calls over ${POOL} servers`);
  const all = Promise.all(Array.from({ length: AT_ONCE }, work));
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 240_000);
  });
  await Promise.race([all, limit]);
  clearTimeout(timer);
  await real.pool.dispose();
  process.off('unhandledRejection', onRejection);
  progress(`pool.faults10k: ${JSON.stringify(Object.fromEntries(outcomes))}`);

  const grownBytes = (heapBytes.at(-1) ?? 0) - (heapBytes[1] ?? 0);
  const perCall = grownBytes / (CALLS - 2000);
  progress(`pool.faults10k: heap grew by ${Math.round(perCall)} bytes a call, ${rejections} unhandled rejections`);
  const unsettled = CALLS - settled;
  const isFlat = perCall <= FLAT_BYTES;
  return [
    {
      name: 'pool.faults10k',
      value: unsettled,
      unit: 'calls',
      goal: '0',
      ok: unsettled === 0 && rejections === 0 && isFlat,
    },
  ];
}
