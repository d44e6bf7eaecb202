import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './support.ts';

const source = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "shop", version: "1" });
server.registerTool("search_books", {}, async ({ title }) => {
  return { content: [{ type: "text", text: books[title] }] };
});
server.registerTool("never_called", {}, async () => {
  return { content: [{ type: "text", text: "never" }] };
});
`;

const lensesOf = (uri: vscode.Uri) =>
  vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);

const titlesOf = (lenses: readonly vscode.CodeLens[]) =>
  lenses.map(({ range, command }) => `${range.start.line}: ${command?.title}`);

const textOfTimeline = () => {
  const editor = vscode.window.activeTextEditor;
  assert.equal(editor?.document.uri.scheme, 'faultline-timeline');
  return editor;
};

describe('the surfaces around the timeline', () => {
  before(async () => {
    await vscode.commands.executeCommand('faultline.runDemo');
  });

  it('say over a tool what became of its calls, and offer to call it and to show them', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: source });
    const lenses = await until(
      () => lensesOf(document.uri),
      (found) => titlesOf(found).some((title) => /^2: \d+ calls?,.* p95 /.test(title)),
    );
    assert.deepEqual(
      titlesOf(lenses).map((title) => title.replace(/\d+ calls?.*/, 'counts')),
      ['2: counts', '2: Call…', '2: Show', '5: not called yet', '5: Call…'],
    );
    const call = lenses.find(({ command }) => command?.title === 'Call…')?.command;
    assert.deepEqual([call?.command, call?.arguments?.[0].toolName], ['faultline.callTool', 'search_books']);
  });

  it('follow the document as it is typed, and can be turned off', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: source });
    await until(
      () => lensesOf(document.uri),
      (found) => found.length > 0,
    );
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// one line more\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.deepEqual(
      titlesOf(await lensesOf(document.uri)).filter((title) => title.includes('not called')),
      ['6: not called yet'],
    );
    const configuration = vscode.workspace.getConfiguration('faultline');
    await configuration.update('codeLens.enabled', false, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await lensesOf(document.uri), []);
    await configuration.update('codeLens.enabled', undefined, vscode.ConfigurationTarget.Global);
  });

  it('show nothing over a file that is no server', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: 'export const a = 1;\n',
    });
    assert.deepEqual(await lensesOf(document.uri), []);
  });

  it('show the timeline as text with aligned columns, links and the reasons of failures', async () => {
    await vscode.commands.executeCommand('faultline.openTimelineAsText');
    const { document } = textOfTimeline();
    const lines = document.getText().split('\n');
    const head = lines.find((line) => line.startsWith('Time'));
    const failed = lines.filter((line) => /tool error/.test(line) && /^\d\d:/.test(line));
    assert.ok(head !== undefined && failed.length > 0, document.getText());
    const column = head.indexOf('Outcome');
    assert.ok(failed.every((line) => line.slice(column).startsWith('tool error')));
    assert.ok(failed.every((line) => line.slice(head.indexOf('Why')).trim() !== ''));
    const linkedLines = async () => {
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
      );
      // The editor itself finds addresses in the reasons.
      const own = links.filter(({ target }) => target?.scheme === 'command');
      const rows = document
        .getText()
        .split('\n')
        .filter((line) => /^\d\d:\d\d:/.test(line));
      return [own.length, rows.length] as const;
    };
    // A text that was open before is brought up to date after it is shown.
    await until(linkedLines, ([links, rows]) => links === rows && rows > 0);
  });

  it('go to the next and the previous error in the text', async () => {
    await vscode.commands.executeCommand('faultline.openTimelineAsText');
    const editor = textOfTimeline();
    const lineAt = () => editor.document.lineAt(editor.selection.active.line).text;
    await vscode.commands.executeCommand('faultline.nextError');
    const first = lineAt();
    assert.match(first, /error|timeout|partial|invalid|exit/);
    await vscode.commands.executeCommand('faultline.nextError');
    assert.notEqual(lineAt(), first);
    await vscode.commands.executeCommand('faultline.previousError');
    assert.equal(lineAt(), first);
  });

  it('bring the text up to date when asked', async () => {
    await vscode.commands.executeCommand('faultline.openTimelineAsText');
    const { document } = textOfTimeline();
    const before = document.getText();
    await until(
      async () => {
        await vscode.commands.executeCommand('faultline.refreshText');
        return document.getText();
      },
      (text) => text !== before && text.includes('tool error'),
    );
  });
});
