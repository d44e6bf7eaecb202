import { describe, expect, it } from 'vitest';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import { ToolStats } from '../../../../src/host/servers/toolStats.ts';
import { exchange, verdict } from '../../core/timeline/support.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('ToolStats', () => {
  it('tells of changed counts at most once a second, and not of other rows', async () => {
    const clock = new FakeClock();
    const timeline = new Timeline();
    const stats = new ToolStats(timeline, clock);
    const told: number[] = [];
    stats.onDidChange(() => told.push(stats.all()[0]?.calls ?? 0));
    for (let key = 1; key <= 5; key++) {
      timeline.apply([exchange(key, { target: 'search', verdict: verdict('success') })]);
      await clock.advance(300);
    }
    await clock.advance(1000);
    expect(told).toEqual([4, 5]);
    timeline.apply([exchange(9, { method: 'tools/list', verdict: verdict('success') })]);
    await clock.advance(5000);
    expect(told).toEqual([4, 5]);
  });

  it('sets no timer after it was disposed', () => {
    const clock = new FakeClock();
    const timeline = new Timeline();
    const stats = new ToolStats(timeline, clock);
    timeline.apply([exchange(1, { target: 'search' })]);
    stats.dispose();
    timeline.apply([exchange(2, { target: 'search' })]);
    expect(clock.pendingMs()).toEqual([]);
  });
});
