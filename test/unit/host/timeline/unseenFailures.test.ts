import { describe, expect, it } from 'vitest';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import { UnseenFailures } from '../../../../src/host/timeline/unseenFailures.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { exchange, verdict } from '../../core/timeline/support.ts';
import { FakeClock } from '../../support/fakeClock.ts';

function scene(kept?: number) {
  const clock = new FakeClock();
  const timeline = new Timeline();
  const counts: number[] = [];
  const memory = { seq: kept };
  let lastSeq = 0;
  const unseen = new UnseenFailures({
    timeline,
    lastSeq: () => lastSeq,
    clock,
    memory: {
      get: () => memory.seq,
      set: (seq) => {
        memory.seq = seq;
      },
    },
    onDidCount: (count) => counts.push(count),
  });
  return {
    clock,
    timeline,
    counts,
    memory,
    unseen,
    async record(key: number, outcome: OutcomeKind) {
      lastSeq = key + 1;
      timeline.apply([exchange(key, { verdict: verdict(outcome), endSeq: key + 1 })]);
      await clock.advance(500);
    },
    empty() {
      lastSeq = 0;
      timeline.clear();
    },
  };
}

describe('UnseenFailures', () => {
  it('counts what fails while the timeline is not shown, and nothing while it is', async () => {
    const { unseen, record, counts, memory } = scene();
    unseen.settle();
    await record(1, 'tool_error');
    await record(3, 'success');
    await record(5, 'silent_error');
    expect(counts).toEqual([1, 2]);
    unseen.setShown(true);
    await record(7, 'timeout');
    expect(counts).toEqual([1, 2, 0]);
    unseen.setShown(false);
    expect(memory.seq).toBe(8);
    await record(9, 'partial');
    expect(counts).toEqual([1, 2, 0, 1]);
  });

  it('takes what was recorded before the first run for seen', async () => {
    const { unseen, record, counts } = scene();
    await record(1, 'tool_error');
    unseen.settle();
    await record(3, 'tool_error');
    expect(counts).toEqual([1]);
  });

  it('goes on where the last session ended', async () => {
    const { unseen, record, counts } = scene(2);
    await record(1, 'tool_error');
    await record(3, 'tool_error');
    unseen.settle();
    expect(counts).toEqual([1]);
  });

  it('begins anew with a log that was emptied', async () => {
    const { unseen, record, counts, empty } = scene(100);
    unseen.settle();
    await record(99, 'tool_error');
    empty();
    await record(1, 'tool_error');
    await record(3, 'tool_error');
    expect(counts.at(-1)).toBe(1);
  });
});
