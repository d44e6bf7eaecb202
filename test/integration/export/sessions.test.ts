import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import type { SessionId } from '../../../src/protocol/events.ts';
import { call, ok, received, recorded, sent } from '../../unit/core/classify/support.ts';
import { runCli } from '../cli/runCli.ts';

let folder: string;
let log: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-list-'));
  log = path.join(folder, 'log.sqlite');
  const open = openEventLog({ path: log, clock: systemClock });
  for (const [index, session] of ['monday', 'tuesday'].entries()) {
    for (const event of recorded([sent(call(1, `tool_${session}`)), received(ok(1))], { from: 1 + index * 2 })) {
      open.append({ ...event, session: session as SessionId, connection: `c-${session}` as never });
    }
  }
  open.dispose();
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const cli = (...args: readonly string[]) => runCli([...args, '--log', log]);
const list = async () => {
  const { stdout } = await cli('sessions', '--format', 'json');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('faultline sessions', () => {
  it('lists what is recorded, oldest first', async () => {
    expect(await list()).toEqual([
      { id: 'monday', pinned: false, firstSeq: 1, firstUs: 1000, lastUs: 2000, events: 2, bytes: expect.any(Number) },
      { id: 'tuesday', pinned: false, firstSeq: 3, firstUs: 3000, lastUs: 4000, events: 2, bytes: expect.any(Number) },
    ]);
    const { stdout } = await cli('sessions');
    expect(stdout).toMatch(/^monday {2}1970-01-01T00:00:00Z to 1970-01-01T00:00:00Z, 2 events, \d+ bytes\ntuesday/);
  });

  it('names, pins and unpins one, by its id, a beginning of it, or its name', async () => {
    expect((await cli('sessions', 'name', 'mon', 'the bad day')).code).toBe(0);
    expect((await cli('sessions', 'pin', 'the bad day')).code).toBe(0);
    expect((await list())[0]).toMatchObject({ id: 'monday', name: 'the bad day', pinned: true });
    expect((await cli('sessions', 'unpin', 'monday')).code).toBe(0);
    expect((await cli('sessions', 'name', 'monday', '')).code).toBe(0);
    const [monday] = await list();
    expect(monday).toMatchObject({ pinned: false });
    expect(monday).not.toHaveProperty('name');
  });

  it('deletes one, and leaves the other', async () => {
    expect((await cli('sessions', 'delete', 'monday')).code).toBe(0);
    expect((await list()).map(({ id }) => id)).toEqual(['tuesday']);
    const { stdout } = await cli('show');
    expect(stdout).toContain('tool_tuesday');
    expect(stdout).not.toContain('tool_monday');
  });

  it('keeps names and pins in what is exported', async () => {
    await cli('sessions', 'name', 'monday', 'the bad day');
    await cli('sessions', 'pin', 'monday');
    const file = path.join(folder, 'monday.faultline.jsonl');
    await cli('export', 'monday', '-o', file);
    const { stdout } = await runCli(['sessions', '--log', file, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'monday', name: 'the bad day', pinned: true, events: 2 });
  });

  it('changes no session file, and nothing that is not there', async () => {
    const file = path.join(folder, 'monday.faultline.jsonl');
    await cli('export', 'monday', '-o', file);
    const refused = await runCli(['sessions', 'delete', 'monday', '--log', file]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('a session file is not changed') });
    expect(await cli('sessions', 'delete', 'friday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no session friday'),
    });
  });
});
