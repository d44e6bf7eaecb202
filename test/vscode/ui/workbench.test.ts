import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, setTheme } from '../host/gestures.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const folder = path.join(import.meta.dirname, '../api/workspace');

describe('a workbench with the packed extension', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder });
  });

  afterAll(() => workbench?.close());

  it('lists it as installed', async () => {
    await runCommand(workbench, 'Extensions: Show Installed Extensions');
    await workbench.page.locator('.extension-list-item', { hasText: 'Faultline' }).first().waitFor();
    await workbench.screenshot('ui/installed');
  });

  it.each(['Light Modern', 'Dark High Contrast', 'Light High Contrast', 'Dark Modern'] as const)(
    'changes to the theme %s',
    async (theme) => {
      await setTheme(workbench, theme);
      const background = await workbench.page
        .locator('.monaco-workbench .part.editor')
        .evaluate((element) => getComputedStyle(element).backgroundColor);
      const isLight = !/^rgb\((\d|[1-7]\d), /.test(background);
      expect({ theme, isLight }).toEqual({ theme, isLight: theme.startsWith('Light') });
    },
  );

  it('shows no error', () => {
    expect(workbench.errors()).toEqual([]);
  });
});
