import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../../src/protocol/events.ts';
import { call, finalStates, ok, received, recorded, sent } from './support.ts';

const HOUR_US = 3_600_000_000;

/** A call that is answered so long afterwards on either clock, µs. */
function answered(wallUs: number, monoUs: number, more: Partial<LogEvent> = {}): readonly LogEvent[] {
  const [request, answer] = recorded([sent(call(1, 'add')), received(ok(1))]);
  if (request === undefined || answer === undefined) {
    throw new Error('two events make a call');
  }
  return [request, { ...answer, wallUs: request.wallUs + wallUs, monoUs: request.monoUs + monoUs, ...more }];
}

describe('how long a call took', () => {
  it.each<[string, readonly LogEvent[], number]>([
    ['as both clocks say', answered(120_000, 120_400), 120_000],
    ['while NTP slews', answered(10_000_000, 9_900_000), 10_000_000],
    ['while the clock was set back an hour', answered(200_000 - HOUR_US, 200_000), 200_000],
    ['while summer time began on a clock in local time', answered(200_000 + HOUR_US, 200_000), 200_000],
    ['while the machine slept and its monotonic clock with it', answered(8 * HOUR_US, 3_000_000), 3_000_000],
    [
      'over two processes, whose monotonic clocks have nothing to do with each other',
      answered(500_000, 9e12, { session: 'other' as LogEvent['session'] }),
      500_000,
    ],
  ])('%s', (_, events, tookUs) => {
    const [exchange] = finalStates(events).filter(({ kind }) => kind === 'request');
    expect((exchange?.endUs ?? Number.NaN) - (exchange?.startUs ?? 0)).toBe(tookUs);
  });
});
