// Chaos: `npm run chaos [-- --minutes 10] [--seed N] [--servers 10] [--workers 3]`. See docs/soak.md, also for what it is not.
import os from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type ChaosResult, runChaos } from './chaos.ts';
import { KINDS } from './randomFaults.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.trunc(Date.now() / 1000)) },
    servers: { type: 'string', default: '10' },
    workers: { type: 'string', default: '3' },
  },
});
const seed = Number(values.seed);
const say = (text: string) => process.stdout.write(`${text}\n`);

say(
  `seed ${seed}, ${values.minutes} minutes, ${values.servers} servers, ${values.workers} calls at once to each; ` +
    `Node.js ${process.version}, ${os.availableParallelism()} cores, ${new Date().toISOString()}`,
);
const result = await runChaos({
  seed,
  durationMs: Number(values.minutes) * 60_000,
  servers: Number(values.servers),
  workers: Number(values.workers),
  onProgress: say,
});
tell(result);
const [first] = result.violations;
if (first === undefined) {
  say('\nevery invariant held');
} else {
  const byInvariant = new Map<string, number>();
  for (const { invariant } of result.violations) {
    byInvariant.set(invariant, (byInvariant.get(invariant) ?? 0) + 1);
  }
  say(`\n${result.violations.length} violations, seed ${seed}`);
  for (const [invariant, count] of byInvariant) {
    const example = result.violations.find((violation) => violation.invariant === invariant);
    say(`${String(count).padStart(6)} ${invariant}: ${example?.detail ?? ''}`);
  }
  say(`first violated: ${first.invariant}: ${first.detail}`);
}
process.exitCode = first === undefined ? 0 : 1;

function tell({ calls, ledger, slowestMs, limitMs }: ChaosResult): void {
  say(
    `${calls.length} calls, ${ledger.requests.size} requests on the wire, ${ledger.exchanges.size} rows, ${ledger.events} events ` +
      `on the log (${ledger.lost} missing), ${ledger.pids.length} processes; slowest call ${Math.round(slowestMs)} ms, limit ${limitMs} ms`,
  );
  const servers = [...new Set(calls.map(({ server }) => server))];
  for (const server of servers) {
    const own = calls.filter((call) => call.server === server);
    const counts = new Map<string, number>();
    for (const { outcome } of own) {
      counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
    }
    const retried = own.filter(({ outcome }) => outcome.attempts.length > 1).length;
    const kinds = [...counts].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${kind} ${count}`);
    say(`  ${server.padEnd(24)} ${String(own.length).padStart(6)} calls, ${retried} repeated: ${kinds.join(', ')}`);
  }
  say(`  injected: ${KINDS.map((kind) => `${kind} ${ledger.injected.get(kind) ?? 0}`).join(', ')}`);
}
