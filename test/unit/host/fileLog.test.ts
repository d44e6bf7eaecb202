import { describe, expect, it } from 'vitest';
import { Recording } from '../../../src/host/recording.ts';
import { createFileLog } from '../../../src/host/sessions/fileLog.ts';
import type { ConnectionId } from '../../../src/protocol/events.ts';
import { call, ok, received, recorded, sent } from '../core/classify/support.ts';

/** As a file may hold them: numbers that begin anywhere and have gaps. */
const events = [
  ...recorded([sent(call(1, 'a')), received(ok(1, 'Error: no such thing'))], { from: 100 }),
  ...recorded([sent(call(1, 'b'))], { from: 200, connection: 'c2' }),
];
const log = createFileLog('/a/file.faultline.jsonl', events);

describe('the log of a session file', () => {
  it('finds events by the numbers that they have in the file', () => {
    expect([99, 100, 101, 102, 200, 201].map((seq) => log.get(seq)?.seq)).toEqual([
      undefined,
      100,
      101,
      undefined,
      200,
      undefined,
    ]);
  });

  it.each([
    ['all', { limit: 10 }, [100, 101, 200]],
    ['up to a number of them', { limit: 2 }, [100, 101]],
    ['from within a gap', { from: 102, limit: 10 }, [200]],
    ['up to a number', { to: 199, limit: 10 }, [100, 101]],
    ['of a connection', { connection: 'c2' as ConnectionId, limit: 10 }, [200]],
    ['beyond the end', { from: 201, limit: 10 }, []],
  ])('reads %s', (_, range, expected) => {
    expect(log.read(range).map(({ seq }) => seq)).toEqual(expected);
  });

  it.each([
    ['ERROR', 9, [101]],
    ['"name":"', 9, [200, 100]],
    ['"name":"', 1, [200]],
    ['nowhere', 9, []],
    ['', 9, []],
  ])('is searched for %s, at most %i events, the newest first', async (text, limit, expected) => {
    expect(await log.search(text, { limit })).toEqual(expected);
  });

  it('is projected like what is recorded', async () => {
    const recording = new Recording(createFileLog('/a/file.faultline.jsonl', events));
    await recording.load();
    expect(recording.timeline.rows(0, 10).map(({ key, target, outcome }) => ({ key, target, outcome }))).toEqual([
      { key: 100, target: 'a', outcome: 'silent_error' },
      { key: 200, target: 'b', outcome: 'pending' },
    ]);
    expect(recording.exchange(100)?.verdict?.outcome).toBe('silent_error');
    recording.dispose();
  });

  it('is not changed', () => {
    expect(log.clear()).toBe(false);
    expect(log.count).toBe(3);
  });
});
