import { describe, expect, it } from 'vitest';
import { createBooks } from '../../soak/books.ts';
import { findingsOf } from '../../soak/limits.ts';
import type { Sample, SoakResult } from '../../soak/soak.ts';
import { growthOfLastHalf, slopeOf } from '../../soak/trend.ts';
import { message } from '../core/log/support.ts';

const MB = 1024 * 1024;
const OPTIONS = { events: 1_000_000, maxSizeMb: 64, maxAgeDays: 30, seed: 1, samples: 40 };
const GOOD: SoakResult = {
  samples: [],
  offered: 1,
  told: 1,
  lost: 0,
  missed: 0,
  kept: 1,
  evicted: 0,
  lastSeq: 1,
  rows: 1000,
  rowsAnew: 1000,
  shown: 1,
  broken: [],
  seconds: 1,
};

/** Forty samples of a run that is full after its first quarter, and of which the heap saws by 6 MB. */
function run(leak: Partial<Record<keyof Sample, number>>): SoakResult {
  const samples = Array.from({ length: 40 }, (_, index): Sample => {
    const events = 25_000 * (index + 1);
    const of = (name: keyof Sample, base: number) => base + events * (leak[name] ?? 0);
    const full = Math.min(1, events / 250_000);
    return {
      events,
      rss: of('rss', 250 * MB),
      heapUsed: of('heapUsed', 60 * MB * full - (index % 3) * 3 * MB),
      external: of('external', 12 * MB),
      resources: of('resources', 2),
      descriptors: of('descriptors', 40),
      timers: of('timers', 11),
      database: of('database', 64 * MB * full),
      disk: of('disk', 80 * MB * full),
      kept: 100_000,
      rows: 50_000,
    };
  });
  return { ...GOOD, samples };
}

const failed = (result: SoakResult) =>
  findingsOf(result, OPTIONS)
    .filter(({ isOk }) => !isOk)
    .map(({ name }) => name);

describe('what a soak is held to', () => {
  it.each<[string, SoakResult, readonly string[]]>([
    ['a level run', run({}), []],
    ['an entry of a map a call', run({ heapUsed: 20 }), ['heap and external memory gained in the last half']],
    ['buffers', run({ external: 30 }), ['heap and external memory gained in the last half']],
    ['a resident set that goes on growing', run({ rss: 100 }), ['resident set gained in the last half']],
    ['a descriptor in 100,000 events', run({ descriptors: 1e-5 }), ['file descriptors gained in the last half']],
    ['a handle in 100,000 events', run({ resources: 1e-5 }), ['active resources gained in the last half']],
    ['a timer in 100,000 events', run({ timers: 1e-5 }), ['timers gained in the last half']],
    ['a log that goes on growing', run({ database: 20 }), ['largest database']],
    ['rows of what is gone', { ...run({}), rows: 1200 }, ['rows that follow, over rows read anew']],
    ['rows that are missing', { ...run({}), rowsAnew: 1100 }, ['rows read anew, over rows that follow']],
    ['a broken account', { ...run({}), broken: ['x'] }, ['broken accounts']],
  ])('%s', (_, result, expected) => {
    expect(failed(result)).toEqual(expected);
  });

  it('is the line through the last half', () => {
    const points = [0, 50, 90, 100, 102, 104].map((value, index) => ({ events: index * 10, value }));
    expect([slopeOf(points.slice(3)), growthOfLastHalf(points)]).toEqual([0.2, 4]);
    expect([slopeOf([]), growthOfLastHalf([{ events: 1, value: 1 }])]).toEqual([0, 0]);
  });
});

describe('the books of a soak', () => {
  const event = (seq: number) => ({ ...message(seq), seq });
  const gap = (seq: number, events: number) => ({
    ...message(seq),
    seq,
    body: { kind: 'note', note: { type: 'gap', events, bytes: 1, reason: 'log.gap.locked' } } as const,
  });
  const sums = { kept: 3, evicted: 0, lastSeq: 3 };

  it.each<[string, Parameters<ReturnType<typeof createBooks>['told']>[0], number, number]>([
    ['all there', [event(1), event(2), event(3)], 3, 0],
    ['what is lost declared', [event(1), gap(2, 5), event(3)], 7, 0],
    ['lost in silence', [event(1), event(2), event(3)], 4, 1],
    ['told twice', [event(1), event(2), event(2), event(3)], 3, 2],
    ['never told', [event(1), event(3)], 2, 1],
  ])('%s', (_, events, offered, problems) => {
    const books = createBooks();
    books.told(events);
    expect(books.problems({ ...sums, offered })).toHaveLength(problems);
  });

  it('close when what was never told is declared as gone', () => {
    const books = createBooks();
    books.told([event(1), event(3)]);
    expect(books.problems({ offered: 3, kept: 2, evicted: 1, lastSeq: 3 })).toEqual([]);
  });

  it('do not close when what is kept and declared is not everything', () => {
    const books = createBooks();
    books.told([event(1), event(2), event(3)]);
    expect(books.problems({ offered: 3, kept: 2, evicted: 0, lastSeq: 3 })).toHaveLength(1);
  });
});
