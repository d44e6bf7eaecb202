import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';

/**
 * Compares a text with the recorded `<name>.expected.<ending>` of a folder. On a difference it is written beside it as
 * `.actual`; `UPDATE_GOLDEN=1` accepts it.
 */
export function expectGolden(actual: string, folder: string, name: string, ending: 'txt' | 'md' = 'txt'): void {
  const expectedFile = path.join(folder, `${name}.expected.${ending}`);
  const actualFile = path.join(folder, `${name}.actual.${ending}`);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(expectedFile, actual);
  }
  const expected = existsSync(expectedFile) ? readFileSync(expectedFile, 'utf8') : '';
  if (actual === expected) {
    rmSync(actualFile, { force: true });
  } else {
    writeFileSync(actualFile, actual);
  }
  expect(actual).toBe(expected);
}
