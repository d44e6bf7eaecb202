import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFolder } from '../host/demoWorkspace.ts';
import { accept, openFile, runAsking, runCommand, until } from '../host/gestures.ts';
import { playDemo, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const call = (name: string, tool: string, args: object, outcome: string, matches: readonly object[] = []) => ({
  name,
  method: 'tools/call',
  params: { name: tool, arguments: args },
  expect: { outcome, matches },
});

const suite = {
  faultlineSuite: 1,
  name: 'Bookshop',
  server: 'bookshop',
  trustAnnotations: true,
  cases: [
    call('finds Dune', 'search_books', { query: 'dune' }, 'success', [
      { at: '/content/0/text', contains: 'Frank Herbert' },
    ]),
    call('an unknown author is an error', 'get_author', { title: 'Dun' }, 'tool_error'),
    call('says what costs what', 'search_books', { query: 'ubik' }, 'success', [
      { at: '/content/0', equals: { type: 'text', text: 'Ubik by Philip K. Dick, 9.99 EUR' } },
    ]),
  ],
};

describe('suites in VS Code', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder: demoFolder, viewport: { width: 1400, height: 900 } });
    await playDemo(workbench);
    writeFileSync(path.join(workbench.folder, 'bookshop.faultline-suite.json'), JSON.stringify(suite, undefined, 2));
  });

  afterAll(() => workbench?.close());

  it('run in the Test Explorer, with marks in the file and what differs beside what was expected', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Testing: Focus on Test Explorer View');
    const row = (text: string, state = '') =>
      page.locator('.monaco-list-row', { hasText: text }).locator(`.codicon${state}`).first();
    await row('Bookshop').waitFor();
    await runCommand(workbench, 'Test: Run All Tests');
    await row('an unknown author is an error', '-testing-failed-icon').waitFor();
    await row('says what costs what', '-testing-failed-icon').waitFor();
    await page.locator('.monaco-list-row', { hasText: 'Bookshop' }).first().click();
    await page.keyboard.press('ArrowRight');
    await row('finds Dune', '-testing-passed-icon').waitFor();
    await openFile(workbench, 'bookshop.faultline-suite.json');
    await page.locator('.glyph-margin-widgets .codicon-testing-passed-icon').waitFor();
    await page.locator('.glyph-margin-widgets .codicon-testing-failed-icon').first().waitFor();
    await page
      .getByText(/^It ended as/)
      .first()
      .dblclick();
    const link = page.getByText('Show in Timeline').first();
    await link.waitFor();
    await workbench.screenshot('suites');
    await link.click();
    // The timeline in the editor is behind the suite, so that the sidebar shows the row, and in its width the details alone.
    await (await timelineIn(workbench, 'sidebar')).getByRole('heading', { name: 'get_author' }).waitFor();
  });

  it('are made of rows that a person chooses', async () => {
    const { page } = workbench;
    const pick = page.locator('.quick-input-widget');
    await runAsking(workbench, 'Faultline: Save as Suite…', pick.getByText('Save which calls as cases?'));
    await workbench.screenshot('save-suite');
    await accept(workbench);
    await pick.getByText(/A suite is of one server/).waitFor();
    await accept(workbench);
    await pick.getByText('Save into which suite?').waitFor();
    await pick.getByRole('option', { name: /bookshop\.faultline-suite\.json/ }).click();
    // It shows its beginning, or its end once the new cases are there.
    const editor = page.locator('.monaco-editor', { hasText: /faultlineSuite|reindex_catalogue/ }).first();
    await editor.waitFor();
    await runCommand(workbench, 'File: Save');
    const file = path.join(workbench.folder, 'bookshop.faultline-suite.json');
    // VS Code empties a file before it writes it: no JSON until its last line is there.
    await until(
      () => /"get_sales: protocol error"[\s\S]*\n\}\s*$/.test(readFileSync(file, 'utf8')),
      'the new cases in the file',
    );
    const { cases } = JSON.parse(readFileSync(file, 'utf8'));
    expect(cases.slice(0, 3)).toEqual(suite.cases);
    expect(cases.slice(3).map(({ name }: { name: string }) => name)).toContain('get_sales: protocol error');
  });

  it('let a session be served, added to the servers of the workspace, and stopped', async () => {
    const { page } = workbench;
    const pick = page.locator('.quick-input-widget');
    await runAsking(workbench, 'Faultline: Serve Session as Mock…', pick.getByText('Serve which server of it?'));
    await pick
      .getByRole('option', { name: /bookshop/ })
      .first()
      .click();
    await pick.getByText('How is the mock to be reached?').waitFor();
    await workbench.screenshot('serve-mock');
    await pick.locator('input.input').fill('without');
    await accept(workbench);
    const toast = page.locator('.notification-toast', { hasText: 'is served at' });
    await toast.waitFor();
    await workbench.screenshot('mock-served');
    await toast.getByRole('button', { name: 'Add to mcp.json' }).click();
    const file = path.join(workbench.folder, '.vscode', 'mcp.json');
    await until(() => existsSync(file) && /-mock"/.test(readFileSync(file, 'utf8')), 'the mock in mcp.json');
    await runCommand(workbench, 'Faultline: Stop Mock');
    await page.locator('.statusbar-item', { hasText: 'is stopped' }).waitFor();
    expect(readdirSync(path.join(workbench.folder, '.vscode'))).toContain('mcp.json');
  });
});
