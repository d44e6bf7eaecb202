import { describe, expect, it } from 'vitest';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { EVENTS_AT_ONCE, NEWEST_EVENTS } from '../../../src/host/newestRows.ts';
import { Recording } from '../../../src/host/recording.ts';
import type { ConnectionId, NewLogEvent, SessionId } from '../../../src/protocol/events.ts';
import { call, ok, received, recorded, sent } from '../core/classify/support.ts';
import { FakeClock } from '../support/fakeClock.ts';

const CALLS = EVENTS_AT_ONCE;

/** Calls that are each answered by the second message after them, so that the cut goes through one. */
function traffic(calls: number, firstId = 1): NewLogEvent[] {
  const messages = Array.from({ length: calls }, (_, index) => {
    const id = firstId + index;
    return [sent(call(id, `tool-${id % 3}`)), ...(id > firstId ? [received(ok(id - 1, 'done'))] : [])];
  }).flat();
  return recorded(messages).map(({ seq: _, ...event }) => event);
}

function recordingOf(events: readonly NewLogEvent[]) {
  const clock = new FakeClock();
  const log = openEventLog({ path: undefined, clock });
  const append = (more: readonly NewLogEvent[]) => {
    for (const event of more) {
      log.append(event);
    }
    log.flush();
  };
  append(events);
  return { log, append, recording: new Recording(log) };
}

const keys = ({ timeline }: Recording) => timeline.rows(0, timeline.total).map(({ key }) => key);

/** What is shown, as far as it does not hang on what came before. */
const shown = ({ timeline }: Recording) =>
  timeline.rows(0, timeline.total).map(({ key, target, outcome }) => ({ key, target, outcome }));

describe('a long log', () => {
  it('shows its newest rows at once, says how far it has come, and ends like one that was read from the beginning', async () => {
    const events = traffic(CALLS);
    const { recording, log } = recordingOf(events);
    await recording.loadNewest();
    const newest = shown(recording);
    expect(recording.reading).toEqual({ done: 0, of: log.count });
    expect(newest.length).toBeGreaterThan(NEWEST_EVENTS / 3);
    expect(newest.length).toBeLessThan(NEWEST_EVENTS);

    const told: unknown[] = [];
    recording.onDidRead(() => told.push(recording.reading));
    await recording.load();
    expect(recording.reading).toBeUndefined();
    expect(told.at(-1)).toBeUndefined();
    const all = shown(recording);
    expect(all).toHaveLength(CALLS);
    // The answer to the first of the newest came from before the cut.
    expect(all.slice(-newest.length)).toEqual(newest);

    const short = recordingOf([]);
    await short.recording.load();
    short.append(events);
    expect(all).toEqual(shown(short.recording));
    expect(recording.timeline.counts()).toEqual(short.recording.timeline.counts());
    recording.dispose();
    short.recording.dispose();
  });

  it('shows what comes while it is read, and no answer to what it has not read yet', async () => {
    const { recording, append } = recordingOf(traffic(CALLS));
    await recording.loadNewest();
    const before = recording.timeline.total;
    append(recorded([sent(call(9001, 'late')), received(ok(2, 'again'))]).map(({ seq: _, ...event }) => event));
    expect(recording.timeline.total).toBe(before + 1);
    expect(recording.timeline.rows(before, 1)[0]?.target).toBe('late');
    await recording.load();
    // One that is a stray indeed has its row when everything is known.
    expect(recording.timeline.rows(CALLS, 9).map(({ outcome }) => outcome)).toEqual(['pending', 'invalid_response']);
    append(recorded([received(ok(9001, 'done'))]).map(({ seq: _, ...event }) => event));
    expect(recording.timeline.rows(CALLS, 1)[0]).toMatchObject({ target: 'late', outcome: 'success' });
    recording.dispose();
  });

  it('is read anew when sessions are deleted while it is read', async () => {
    const { recording, log, append } = recordingOf(traffic(CALLS));
    const other = { session: 'other' as SessionId, connection: 'connection-other' as ConnectionId };
    append(traffic(3).map((event) => ({ ...event, ...other })));
    await recording.loadNewest();
    expect(log.deleteSession(traffic(1)[0]?.session as SessionId)).toBe(true);
    await recording.load();
    expect(keys(recording)).toHaveLength(3);
    expect(recording.reading).toBeUndefined();
    recording.dispose();
  });
});

describe('clearing', () => {
  it('leaves pinned sessions, and the rows of those', async () => {
    const { recording, log, append } = recordingOf(traffic(2));
    const other = { session: 'other' as SessionId, connection: 'connection-other' as ConnectionId };
    append(traffic(3).map((event) => ({ ...event, ...other })));
    log.pinSession('other' as SessionId, true);
    await recording.load();
    expect(recording.timeline.total).toBe(5);
    recording.clear();
    await recording.load();
    expect(recording.timeline.total).toBe(3);
    append(traffic(1));
    expect(recording.timeline.total).toBe(4);
    recording.dispose();
  });
});
