import type { SoakOptions, SoakResult } from './soak.ts';
import { growthOfLastHalf } from './trend.ts';

const MB = 1024 * 1024;

export interface Finding {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly isOk: boolean;
}

/**
 * What a run is held to, with why it is that much.
 *
 * Memory: over the last half the log is full, and as much goes as comes, so that the fitted line should be level. A leak of the
 * smallest kind, one entry of an array or map a call, is 8 to 40 bytes an event; 4 bytes an event are less than that. What the
 * full log swings by, since a tenth goes at once, and what the collector leaves are a few megabytes whatever the run's length:
 * 8 MiB are allowed for both. The resident set holds what the allocator keeps of it, twice to four times as much.
 *
 * Disk: the database may hold its limit and the twentieth of free pages that stays for what comes (decision 17); what a tap writes
 * between two steps of the eviction comes on top, 1 MiB. The write-ahead log is emptied in the next pause after 8 MiB and at the
 * latest at 64 MiB (`checkpointer.ts`); with two writers each counts for itself.
 */
export function findingsOf(result: SoakResult, options: SoakOptions): readonly Finding[] {
  const { samples } = result;
  const half = (samples.at(-1)?.events ?? 0) / 2;
  const growth = (of: (sample: (typeof samples)[number]) => number) =>
    growthOfLastHalf(samples.map((sample) => ({ events: sample.events, value: of(sample) })));
  const largest = (of: (sample: (typeof samples)[number]) => number) => Math.max(0, ...samples.map(of));
  const maxBytes = options.maxSizeMb * MB;
  const found = (name: string, value: number, limit: number, unit: string): Finding => ({
    name,
    value,
    limit,
    unit,
    isOk: value <= limit,
  });
  return [
    found(
      'heap and external memory gained in the last half',
      growth(({ heapUsed, external }) => heapUsed + external) / MB,
      Math.max(8 * MB, 4 * half) / MB,
      'MiB',
    ),
    found(
      'resident set gained in the last half',
      growth(({ rss }) => rss) / MB,
      Math.max(32 * MB, 8 * half) / MB,
      'MiB',
    ),
    found(
      'file descriptors gained in the last half',
      growth(({ descriptors }) => descriptors),
      1,
      '',
    ),
    found(
      'active resources gained in the last half',
      growth(({ resources }) => resources),
      1,
      '',
    ),
    found(
      'timers gained in the last half',
      growth(({ timers }) => timers),
      2,
      '',
    ),
    found('largest database', largest(({ database }) => database) / MB, (maxBytes * 1.06 + MB) / MB, 'MiB'),
    found(
      'largest database with its write-ahead log',
      largest(({ disk }) => disk) / MB,
      (maxBytes * 1.06 + 129 * MB) / MB,
      'MiB',
    ),
    found('rows that follow, over rows read anew', result.rows / Math.max(1, result.rowsAnew), 1.1, ''),
    found('rows read anew, over rows that follow', result.rowsAnew / Math.max(1, result.rows), 1.02, ''),
    found('broken accounts', result.broken.length, 0, ''),
  ];
}
