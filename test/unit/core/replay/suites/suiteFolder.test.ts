import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeSuiteFolder } from '../../../../../src/core/replay/suites/suiteFolder.ts';

it('is made for a suite that names it, under its resolved path, and goes with all that is in it', async () => {
  const folder = await makeSuiteFolder(['workspaceFolder', 'tempFolder']);
  const made = 'variables' in folder ? (folder.variables['tempFolder'] ?? '') : '';
  expect(realpathSync(made)).toBe(made);
  writeFileSync(path.join(made, 'left.txt'), '');
  await ('letGo' in folder ? folder.letGo() : undefined);
  expect(existsSync(made)).toBe(false);
});

it('is not made for a suite that does not', async () => {
  expect(await makeSuiteFolder(['workspaceFolder'])).toMatchObject({ variables: {} });
});
