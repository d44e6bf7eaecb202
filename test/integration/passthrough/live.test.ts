import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { Recording, workspaceLog } from '../../../src/host/recording.ts';
import { TappedServers } from '../../../src/host/taps/tappedServers.ts';
import type { ConnectionId, LogEvent, ServerId, SessionId } from '../../../src/protocol/events.ts';
import { freshLog, handshake, line, type Tap, tapStdio, testServer, until } from './tapScene.ts';

/** A window on the workspace whose storage this is. */
function openWindow(folder: string) {
  const log = workspaceLog(folder, systemClock, () => undefined);
  const recording = new Recording(log);
  const seen = new TappedServers(recording.onWillProject);
  const seqs: number[] = [];
  recording.onWillProject(({ seq }: LogEvent) => seqs.push(seq));
  const rows = () =>
    recording.timeline
      .rows(0, recording.timeline.total)
      .filter(({ kind }) => kind === 'request')
      .map(({ key, server, method, outcome }) => `${recording.exchange(key)?.origin} ${server} ${method} ${outcome}`);
  const taps = () =>
    seen
      .all(new Set(log.sessions().map(({ id }) => id)))
      .map(({ client, server, open }) => `${client} ${server} ${open}`)
      .sort();
  return { log, recording, rows, taps, seqs, close: () => recording.dispose() };
}

const call = (tap: Tap, id: number) =>
  tap.child.stdin.write(line({ id, method: 'tools/call', params: { name: 'work', arguments: {} } }));
const storage = () => path.dirname(path.join(freshLog(), 'faultline.sqlite'));
const logIn = (folder: string) => path.join(folder, 'faultline.sqlite');

describe('a window on a workspace whose servers are tapped', () => {
  it('shows what each tap sees as it happens, by client and server, beside what it records itself', async () => {
    const folder = storage();
    const window = openWindow(folder);
    await window.recording.load();
    const taps = ['claude', 'cursor'].map((client, index) => {
      const tap = tapStdio(logIn(folder), testServer('wellBehaved'), '--server', `server-${index}`);
      tap.child.stdin.write(handshake(client));
      return tap;
    });
    for (let id = 1; id <= 50; id += 1) {
      for (const tap of taps) {
        call(tap, id);
      }
      window.log.append({
        session: 'window' as SessionId,
        server: 'settings:own' as ServerId,
        connection: randomUUID() as ConnectionId,
        wallUs: systemClock.wallUs(),
        monoUs: systemClock.monoUs(),
        origin: 'client',
        body: { kind: 'stderr', line: `${id}`, level: 'info' },
      });
    }
    const expected = ['tap:claude tap:server-0', 'tap:cursor tap:server-1'].flatMap((who) => [
      `${who} initialize success`,
      ...Array.from({ length: 50 }, () => `${who} tools/call success`),
    ]);
    await until(() => expect(window.rows().sort()).toEqual(expected));
    expect(window.taps()).toEqual(['claude tap:server-0 1', 'cursor tap:server-1 1']);
    for (const tap of taps) {
      tap.child.stdin.end();
      await tap.ended;
    }
    await until(() => expect(window.taps()).toEqual(['claude tap:server-0 0', 'cursor tap:server-1 0']));
    // Its own wait while others hold the file.
    const own = () => window.log.read({ limit: 9999 }).filter(({ origin }) => origin === 'client');
    await until(() => expect(own()).toHaveLength(50));
    // Each event once and in the order of the log, with ours among them.
    await until(() => expect(window.seqs).toEqual(window.log.read({ limit: 9999 }).map(({ seq }) => seq)));
    expect(window.seqs.length).toBeGreaterThan(250);
    window.close();
  });

  it('shows when it opens what was recorded while it was closed, and goes on from there', async () => {
    const folder = storage();
    const before = openWindow(folder);
    await before.recording.load();
    before.close();
    const tap = tapStdio(logIn(folder), testServer('wellBehaved'), '--server', 'books');
    tap.child.stdin.write(handshake('zed'));
    call(tap, 1);
    await until(() => expect(tap.out().toString()).toContain('"id":1'));

    const after = openWindow(folder);
    await after.recording.load();
    await until(() => expect(after.rows()).toHaveLength(2));
    expect(after.taps()).toEqual(['zed tap:books 1']);
    call(tap, 2);
    await until(() => expect(after.rows()).toHaveLength(3));
    tap.child.kill('SIGKILL');
    await tap.ended;
    // Nobody has written that it ended; its server, which has lost its client, is gone.
    await until(() => expect(after.taps()).toEqual(['zed tap:books 0']));
    after.close();
  });
});
