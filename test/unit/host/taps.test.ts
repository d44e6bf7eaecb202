import { describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../src/base/event.ts';
import { TappedServers } from '../../../src/host/taps/tappedServers.ts';
import type { ConnectionId, EventBody, LogEvent, Origin, ServerId, SessionId } from '../../../src/protocol/events.ts';
import { plainWords, pseudo } from '../../tools/l10n/pseudo.ts';
import { vscodeStub } from '../support/vscodeStub.ts';

vi.mock('vscode', () => vscodeStub(pseudo));
const { tapItem, tapsItem, tapsOf } = await import('../../../src/host/servers/tapItems.ts');
const { isRecent } = await import('../../../src/host/taps/runtimes.ts');

const step = (detail: Extract<EventBody, { kind: 'lifecycle' }>['detail']): EventBody => ({
  kind: 'lifecycle',
  detail,
});
const started = (pid: number) => step({ step: 'started', pid });
const exited = step({ step: 'exited', code: 0, signal: null, expected: true });

function scene(isAlive: (pid: number) => boolean = () => true) {
  const events = new Emitter<LogEvent>();
  const seen = new TappedServers(events.event, isAlive);
  let changes = 0;
  let seq = 0;
  seen.onDidChange(() => {
    changes += 1;
  });
  const take = (connection: string, body: EventBody, origin: Origin = 'tap:cursor', server = 'tap:books') => {
    seq += 1;
    events.fire({
      seq,
      session: `session-${connection}` as SessionId,
      server: server as ServerId,
      connection: connection as ConnectionId,
      wallUs: seq * 1_000_000,
      monoUs: seq,
      origin,
      body,
    });
  };
  const all = (...sessions: string[]) =>
    seen
      .all(new Set(sessions.map((session) => `session-${session}`)))
      .map(
        ({ client, server, connections, open, lastUs }) => `${client} ${server} ${open}/${connections} ${lastUs / 1e6}`,
      );
  return { seen, take, all, changes: () => changes };
}

const line: EventBody = { kind: 'stderr', line: 'x', level: 'info' };

describe('what taps have seen', () => {
  it('is told by server and client, with what is open first', () => {
    const { take, all } = scene();
    take('a', started(1));
    take('b', started(2), 'tap:claude');
    take('b', line, 'tap:claude');
    take('c', started(3), 'tap:cursor', 'tap:github');
    take('a', exited);
    take('d', started(4));
    take('own', line, 'client', 'settings:books');
    expect(all('a', 'b', 'c', 'd', 'own')).toEqual([
      'cursor tap:books 1/2 6',
      'cursor tap:github 1/1 4',
      'claude tap:books 1/1 3',
    ]);
    expect(all('a')).toEqual(['cursor tap:books 0/1 5']);
    expect(all()).toEqual([]);
  });

  it('takes the name that a client says later, and the end of an HTTP session', () => {
    const { take, all, changes } = scene();
    take('a', step({ step: 'connecting', url: 'http://x' }), 'tap:unknown');
    take('a', line, 'tap:claude');
    expect([all('a'), changes()]).toEqual([['claude tap:books 1/1 2'], 2]);
    take('a', line, 'tap:claude');
    take('a', step({ step: 'shutdown', action: 'stdin-closed' }), 'tap:claude');
    expect([all('a'), changes()]).toEqual([['claude tap:books 1/1 4'], 2]);
    take('a', step({ step: 'shutdown', action: 'session-deleted' }), 'tap:claude');
    expect([all('a'), changes()]).toEqual([['claude tap:books 0/1 5'], 3]);
  });

  it('has ended when the tap was killed and its server is gone', () => {
    const alive = new Set([7]);
    const { seen, take, all } = scene((pid) => alive.has(pid));
    take('a', started(7));
    expect(all('a')).toEqual(['cursor tap:books 1/1 1']);
    alive.clear();
    expect([all('a'), seen.hasOpen]).toEqual([['cursor tap:books 0/1 1'], false]);
  });

  it('forgets the connections that were silent for the longest', () => {
    const { take, all } = scene();
    for (let index = 0; index < 600; index += 1) {
      take('s', line, 'tap:x', 'tap:y');
      take(`${index}`, started(index));
    }
    expect(all(...Array.from({ length: 600 }, (_, index) => `${index}`))).toEqual(['cursor tap:books 499/499 1200']);
  });
});

describe('the group of the Servers tree', () => {
  const clock = { wallUs: () => 5e6 };

  it('is not there without taps, and then no session is asked for', () => {
    const sessions = vi.fn();
    expect(tapsOf({ seen: scene().seen, recording: { log: { sessions } } } as never)).toEqual([]);
    expect(sessions).not.toHaveBeenCalled();
  });

  it('says who uses what in the language of the editor, and is harmless', () => {
    const { seen, take } = scene();
    take('a', started(1), 'tap:1\u202e2', 'tap:3');
    take('b', started(2), 'tap:4', 'tap:3');
    take('b', exited, 'tap:4', 'tap:3');
    const recording = { log: { sessions: () => [{ id: 'session-a' }, { id: 'session-b' }] } };
    const [group] = tapsOf({ seen, recording } as never);
    if (group?.kind !== 'taps') {
      throw new Error('no group');
    }
    const items = [tapsItem(group), ...group.taps.map((tap) => tapItem(tap, clock.wallUs()))];
    expect(items.map(({ contextValue, iconPath }) => [contextValue, (iconPath as { id: string }).id])).toEqual([
      ['taps', 'eye'],
      ['tap', 'pass'],
      ['tap', 'circle-outline'],
    ]);
    const texts = items.flatMap(({ label, description, tooltip, command }) =>
      [label, description, tooltip, command?.title].map((text) => String(text ?? '')),
    );
    expect(texts.join()).not.toContain('\u202e');
    // The time is said by the platform, in the language of the editor.
    expect(texts.flatMap((text) => plainWords(text.replace(/\d+ seconds? ago/, ''), ['']))).toEqual([]);
  });
});

describe('a Node.js for taps', () => {
  it.each([
    ['v22.13.0', true],
    ['v22.12.9', false],
    ['v24.0.0', true],
    ['v20.19.0', false],
    ['', false],
  ])('%s is recent enough: %s', (version, expected) => {
    expect(isRecent(version)).toBe(expected);
  });
});
