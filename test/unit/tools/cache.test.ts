import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cached, withLock } from '../../tools/lib/cache.mjs';

let cache: string;
const silent = () => undefined;

beforeEach(() => {
  cache = mkdtempSync(path.join(tmpdir(), 'faultline-cache-'));
});

afterEach(() => rmSync(cache, { recursive: true, force: true }));

const fillWith = (text: string) => async (folder: string) => writeFileSync(path.join(folder, 'file'), text);

describe('cached', () => {
  it('fills a folder once, however many ask for it at once', async () => {
    let fills = 0;
    const fill = async (folder: string) => {
      fills++;
      await fillWith(`fill ${fills}`)(folder);
    };
    const folders = await Promise.all([1, 2, 3].map(() => cached('thing-1', silent, fill, cache)));
    expect(new Set(folders)).toEqual(new Set([path.join(cache, 'thing-1')]));
    expect(readFileSync(path.join(cache, 'thing-1', 'file'), 'utf8')).toBe('fill 1');
    expect(readdirSync(cache)).toEqual(['thing-1']);
  });

  it('leaves nothing of a fill that failed, and tries again', async () => {
    const failing = async (folder: string) => {
      await fillWith('half')(folder);
      throw new Error('no network');
    };
    await expect(cached('thing-1', silent, failing, cache)).rejects.toThrow('no network');
    expect(readdirSync(cache)).toEqual([]);
    await cached('thing-1', silent, fillWith('whole'), cache);
    expect(readFileSync(path.join(cache, 'thing-1', 'file'), 'utf8')).toBe('whole');
  });

  it('takes neither a folder without its stamp nor the rest of a killed run for whole', async () => {
    for (const name of ['thing-1', 'thing-1.tmp-abc', 'other-1.tmp-abc']) {
      mkdirSync(path.join(cache, name));
      writeFileSync(path.join(cache, name, 'file'), 'half');
    }
    await cached('thing-1', silent, fillWith('whole'), cache);
    expect(readFileSync(path.join(cache, 'thing-1', 'file'), 'utf8')).toBe('whole');
    expect(readdirSync(cache).sort()).toEqual(['other-1.tmp-abc', 'thing-1']);
  });
});

describe('withLock', () => {
  const lock = () => path.join(cache, 'work.lock');
  const nobody = 2 ** 22 + 1;

  it.each([
    ['a process that is gone', () => writeFileSync(lock(), JSON.stringify({ pid: nobody, host: hostname() }))],
    [
      'a holder elsewhere that has not been heard of',
      () => {
        writeFileSync(lock(), JSON.stringify({ pid: 1, host: 'elsewhere' }));
        utimesSync(lock(), new Date(0), new Date(0));
      },
    ],
  ])('takes over from %s', async (_name, leave) => {
    leave();
    expect(await withLock('work', silent, async () => 'done', cache)).toBe('done');
    expect(existsSync(lock())).toBe(false);
  });

  it('waits for a holder that lives, and says so', async () => {
    writeFileSync(lock(), JSON.stringify({ pid: process.pid, host: hostname() }));
    const notes: string[] = [];
    const letGo = (text: string) => {
      notes.push(text);
      rmSync(lock());
    };
    const waited = withLock('work', letGo, async () => 'done', cache);
    expect(await waited).toBe('done');
    expect(notes).toEqual(['another run is at work, waiting for it']);
  });
});
