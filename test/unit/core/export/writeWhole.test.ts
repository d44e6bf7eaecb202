import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeWhole } from '../../../../src/core/export/writeWhole.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-write-'));
  file = path.join(folder, 'out.jsonl');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('writes all pieces, for this user alone', async () => {
  await writeWhole(['a', 'ä', '\n'], file);
  expect(readFileSync(file, 'utf8')).toBe('aä\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('leaves what was there, and nothing else, when it fails', async () => {
  writeFileSync(file, 'before');
  function* failing() {
    yield 'half';
    throw new Error('gone');
  }
  await expect(writeWhole(failing(), file)).rejects.toThrow('gone');
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['out.jsonl']);
});

it.each([
  // A file that is always full, where the system has one; elsewhere, and as well, a place that takes no file.
  ...(existsSync('/dev/full') ? [['ENOSPC', () => symlinkSync('/dev/full', `${file}.part`)] as const] : []),
  ['EISDIR', () => mkdirSync(`${file}.part`)] as const,
])('says %s, and leaves what was there', async (code, spoil) => {
  writeFileSync(file, 'before');
  spoil();
  await expect(writeWhole(['x'.repeat(100_000)], file)).rejects.toMatchObject({ code });
  expect(readFileSync(file, 'utf8')).toBe('before');
});

it('stops when it is told to', async () => {
  const controller = new AbortController();
  function* endless() {
    for (let count = 0; ; count++) {
      if (count === 3) {
        controller.abort();
      }
      yield 'x';
    }
  }
  await expect(writeWhole(endless(), file, controller.signal)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});
