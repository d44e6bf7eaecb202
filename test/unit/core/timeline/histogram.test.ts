import { describe, expect, it } from 'vitest';
import { LatencyHistogram } from '../../../../src/core/timeline/histogram.ts';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import { attempt, exchange, randomOf, verdict } from './support.ts';

function histogramOf(durations: readonly number[], failures: readonly number[] = []): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const us of durations) {
    histogram.add(us, false);
  }
  for (const us of failures) {
    histogram.add(us, true);
  }
  return histogram;
}

describe('the latency histogram', () => {
  it('has nothing to say of nothing', () => {
    expect(new LatencyHistogram().result()).toEqual({ count: 0, percentiles: undefined, bins: [] });
  });

  it('puts durations into bars of 1, 2 and 5, from the first used to the last', () => {
    expect(histogramOf([999, 1000, 1999, 9_999], [5_000, 20_000]).result().bins).toEqual([
      { fromUs: 0, toUs: 1000, passed: 1, failed: 0 },
      { fromUs: 1000, toUs: 2000, passed: 2, failed: 0 },
      { fromUs: 2000, toUs: 5000, passed: 0, failed: 0 },
      { fromUs: 5000, toUs: 10_000, passed: 1, failed: 1 },
      { fromUs: 10_000, toUs: 20_000, passed: 0, failed: 0 },
      { fromUs: 20_000, toUs: 50_000, passed: 0, failed: 1 },
    ]);
  });

  it('has a last bar without an end', () => {
    expect(histogramOf([1e12]).result().bins).toEqual([{ fromUs: 5e8, passed: 1, failed: 0 }]);
  });

  it.each([
    ['nothing but moments', Array.from({ length: 10 }, () => 0)],
    ['one value', [1234]],
    ['few values', [1, 10, 100, 1000]],
    ['very long ones', [1e11, 2e11]],
  ])('reads percentiles of %s within 2 %%', (_name, values) => {
    expectPercentiles(values);
  });

  it('reads percentiles of any durations within 2 %', () => {
    const random = randomOf(1);
    for (let round = 0; round < 30; round += 1) {
      expectPercentiles(Array.from({ length: 1 + Math.floor(random() * 500) }, () => Math.floor(10 ** (random() * 9))));
    }
  });

  it('counts the shown requests that have ended, chains with their waits', () => {
    const timeline = new Timeline();
    const times = { startUs: 1000, endUs: 3000 };
    timeline.apply([
      exchange(1, { ...times, verdict: verdict('success') }),
      exchange(2, { startUs: 1000 }),
      exchange(3, { ...times, kind: 'connection' }),
      exchange(4, { ...times, verdict: verdict('protocol_error'), marks: ['era_probe'] }),
      exchange(10, { ...times, verdict: verdict('timeout') }),
      attempt(11, 10, 2, { startUs: 100_000, endUs: 101_000, verdict: verdict('tool_error') }),
      exchange(20, { startUs: 0, endUs: 9e9, verdict: verdict('cancelled') }),
    ]);
    timeline.setFilter({ hiddenOutcomes: ['cancelled'], text: '' });
    const scan = timeline.latency();
    while (!scan.step(2)) {
      // On to the end.
    }
    const used = scan.result().bins.filter(({ passed, failed }) => passed + failed > 0);
    expect({ count: scan.result().count, used }).toEqual({
      count: 3,
      used: [
        { fromUs: 2000, toUs: 5000, passed: 2, failed: 0 },
        { fromUs: 100_000, toUs: 200_000, passed: 0, failed: 1 },
      ],
    });
  });
});

function expectPercentiles(values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const { percentiles } = histogramOf(values).result();
  const shares = { p50Us: 0.5, p95Us: 0.95, p99Us: 0.99 };
  for (const [name, share] of Object.entries(shares)) {
    const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? 0;
    const found = percentiles?.[name as keyof typeof shares] ?? Number.NaN;
    expect(Math.abs(found - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.02));
  }
}
