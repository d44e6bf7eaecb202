// A soak: `npm run soak [-- --events 10000000] [--max-mb MB] [--max-days N] [--seed N]`. See docs/soak.md, also for what it is not.
import os from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { findingsOf } from './limits.ts';
import { runSoak, type Sample, type SoakOptions } from './soak.ts';

const MB = 1024 * 1024;
/** About what an event takes in the log: a log an eighth as large as the run is full long before its last half. */
const BYTES_AN_EVENT = 480;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    'max-mb': { type: 'string' },
    'max-days': { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    samples: { type: 'string', default: '60' },
  },
});
const events = Number(values.events);
const fitting = Math.round((events * BYTES_AN_EVENT) / 8 / MB);
const options: SoakOptions = {
  events,
  // The setting's default and its least.
  maxSizeMb: Number(values['max-mb'] ?? Math.min(512, Math.max(16, fitting))),
  maxAgeDays: Number(values['max-days']),
  seed: Number(values.seed),
  samples: Number(values.samples),
  collect: () => {
    const { gc } = globalThis;
    gc?.();
    gc?.();
  },
  onSample: (sample) => process.stdout.write(`${line(sample)}\n`),
};

const COLUMNS: readonly (readonly [string, (sample: Sample) => string])[] = [
  ['events', ({ events: count }) => String(count)],
  ['rss MiB', ({ rss }) => mega(rss)],
  ['heap MiB', ({ heapUsed }) => mega(heapUsed)],
  ['ext MiB', ({ external }) => mega(external)],
  ['db MiB', ({ database }) => mega(database)],
  ['disk MiB', ({ disk }) => mega(disk)],
  ['kept', ({ kept }) => String(kept)],
  ['rows', ({ rows }) => String(rows)],
  ['fds', ({ descriptors }) => String(descriptors)],
  ['handles', ({ resources }) => String(resources)],
  ['timers', ({ timers }) => String(timers)],
];

function mega(bytes: number): string {
  return (bytes / MB).toFixed(1);
}

function line(sample: Sample): string {
  return COLUMNS.map(([, of]) => of(sample).padStart(9)).join(' ');
}

process.stdout.write(
  `${events} events, log of ${options.maxSizeMb} MiB and ${options.maxAgeDays} days, seed ${options.seed}; ` +
    `Node.js ${process.version}, ${os.availableParallelism()} cores, ${new Date().toISOString()}\n` +
    `${globalThis.gc === undefined ? 'without --expose-gc: memory holds garbage\n' : ''}` +
    `${COLUMNS.map(([name]) => name.padStart(9)).join(' ')}\n`,
);
const result = await runSoak(options);
const findings = findingsOf(result, options);
process.stdout.write(
  `\n${result.offered} events passed the tap; ${result.told} were told to the window, ${result.lost} declared as lost, ${result.missed} gone before it looked; ` +
    `${result.kept} are kept and ${result.evicted} declared as gone of ${result.lastSeq}; ` +
    `${result.rows} rows (${result.rowsAnew} read anew), ${result.shown} under the last filter; ${result.seconds.toFixed(0)} s\n\n`,
);
for (const { name, value, limit, unit, isOk } of findings) {
  process.stdout.write(
    `${isOk ? 'ok  ' : 'FAIL'} ${name}: ${value.toFixed(2)} ${unit} (at most ${limit.toFixed(2)})\n`,
  );
}
for (const problem of result.broken) {
  process.stdout.write(`FAIL ${problem}\n`);
}
process.stdout.write(
  '\nNot in it: the recording thread and real pipes, VS Code and the page, a busy disk, other windows, real time. See docs/soak.md.\n',
);
process.exitCode = findings.every(({ isOk }) => isOk) ? 0 : 1;
