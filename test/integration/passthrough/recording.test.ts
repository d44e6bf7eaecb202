import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import type { ConnectionId, ServerId, SessionId } from '../../../src/protocol/events.ts';
import {
  eventsOf,
  freshLog,
  handshake,
  line,
  root,
  startTap,
  type Tap,
  tapStdio,
  testServer,
  until,
} from './tapScene.ts';

const CALLS = 100;
const calls = (from: number, text = '') =>
  Array.from({ length: CALLS }, (_, index) =>
    line({ id: from + index, method: 'tools/call', params: { name: 'work', arguments: { text } } }),
  ).join('');
const answersOf = (tap: Tap) =>
  tap
    .out()
    .toString()
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text).id);
const ids = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a log that several write at once', () => {
  it('has all of two taps and of another writer', async () => {
    const log = freshLog();
    const editor = openEventLog({ path: log, clock: systemClock, patienceMs: 500 });
    const seen: number[] = [];
    editor.onDidAppend((events) => seen.push(...events.map(({ seq }) => seq)));
    const taps = ['one', 'two'].map((name) => {
      const tap = tapStdio(log, testServer('wellBehaved'), '--session', name, '--server', name);
      tap.child.stdin.write(handshake(name));
      return tap;
    });
    for (let index = 0; index < CALLS; index += 1) {
      editor.append({
        session: 'editor' as SessionId,
        server: 'settings:x' as ServerId,
        connection: randomUUID() as ConnectionId,
        wallUs: systemClock.wallUs(),
        monoUs: systemClock.monoUs(),
        origin: 'client',
        body: { kind: 'stderr', line: `line ${index}`, level: 'info' },
      });
      for (const tap of taps) {
        tap.child.stdin.write(line({ id: index + 1, method: 'tools/call', params: { name: 'work', arguments: {} } }));
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const tap of taps) {
      tap.child.stdin.end();
      expect(await tap.ended).toEqual({ code: 0, signal: null });
      expect(answersOf(tap)).toEqual(ids(CALLS + 1));
    }
    editor.flush();
    editor.poll();
    editor.dispose();
    const events = eventsOf(log);
    expect(events.filter(({ body }) => body.kind === 'note')).toEqual([]);
    const count = (session: string, kind: string) =>
      events.filter((event) => event.session === session && event.body.kind === kind).length;
    expect([count('editor', 'stderr'), count('one', 'message'), count('two', 'message')]).toEqual([
      CALLS,
      2 * CALLS + 3,
      2 * CALLS + 3,
    ]);
    // The extension learns of every one of them, once and in order.
    expect(seen).toEqual(events.map(({ seq }) => seq));
  });
});

describe('a log that cannot be written', () => {
  it.each([
    ['is read-only', (log: string) => chmodSync(log, 0o444)],
    ['is another file', (log: string) => writeFileSync(log, 'something else entirely, and not a database at all')],
  ])('because it %s leaves traffic unharmed', async (_, spoil) => {
    const log = freshLog();
    closeSync(openSync(log, 'w'));
    spoil(log);
    const tap = tapStdio(log, testServer('wellBehaved'));
    tap.child.stdin.end(handshake() + calls(1));
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    expect(answersOf(tap)).toEqual(ids(CALLS + 1));
  });

  it.runIf(process.platform === 'linux')('any further leaves traffic unharmed', async () => {
    const log = freshLog();
    // The system refuses what goes beyond so many blocks, as on a full disk.
    const main = path.join(root, 'src/cli/main.ts');
    const command = [
      process.execPath,
      '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      main,
      'tap',
      '--log',
      log,
      '--',
      ...testServer('wellBehaved'),
    ];
    const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 4096; exec "$@"`, 'sh', ...command];
    const outer = tapStdio(freshLog(), limited);
    outer.child.stdin.write(handshake());
    await until(() => expect(existsSync(log) && eventsOf(log).length).toBeGreaterThan(0));
    for (let round = 0; round < 10; round += 1) {
      outer.child.stdin.write(calls(1 + round * CALLS, `${round}`.repeat(6000)));
    }
    outer.child.stdin.end();
    expect((await outer.ended).code).toBe(0);
    expect(answersOf(outer)).toEqual(ids(10 * CALLS + 1));
    const recorded = eventsOf(log).filter(({ body }) => body.kind === 'message').length;
    expect(recorded).toBeGreaterThan(0);
    expect(recorded).toBeLessThan(20 * CALLS);
  });

  it('yet is opened as soon as it can be, with a gap for what passed before', async () => {
    const log = path.join(freshLog(), 'later.sqlite');
    // A file in the place of the folder.
    closeSync(openSync(path.dirname(log), 'w'));
    const tap = tapStdio(log, testServer('wellBehaved'), '--server', 'late');
    tap.child.stdin.write(handshake());
    await until(() => expect(tap.err()).toContain('Nothing is recorded until'));
    rmSync(path.dirname(log));
    await until(() => expect(existsSync(log)).toBe(true));
    tap.child.stdin.end(calls(1));
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    const events = eventsOf(log);
    expect(events[0]?.body).toMatchObject({ kind: 'note', note: { type: 'gap', reason: 'log.gap.tap-closed' } });
    expect(events.filter(({ body }) => body.kind === 'message')).toHaveLength(2 * CALLS);
  });
});

describe('what is kept of it', () => {
  it('has no secrets', async () => {
    const log = freshLog();
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const tap = startTap(['--log', log, '--', ...testServer('wellBehaved'), '--token', secret]);
    tap.child.stdin.end(
      handshake() + line({ id: 1, method: 'tools/call', params: { name: 'work', arguments: { token: secret } } }),
    );
    await tap.ended;
    expect(JSON.stringify(eventsOf(log))).not.toContain(secret);
    expect(eventsOf(log).length).toBeGreaterThan(5);
  });
});
