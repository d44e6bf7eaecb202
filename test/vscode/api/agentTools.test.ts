import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const server = `from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool(annotations={"readOnlyHint": True})
def agent_author(title: str) -> str:
    """Who wrote it."""
    if title not in BOOKS:
        return "Error: no such book"
    return BOOKS[title]
`;

async function ask(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('tools for coding agents', () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'a folder is open');
  const file = vscode.Uri.joinPath(folder.uri, 'agent_server.py');

  before(() => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(server)));
  after(() => vscode.workspace.fs.delete(file));

  it('are offered with what they take', () => {
    const ours = vscode.lm.tools.filter(({ name }) => name.startsWith('faultline_'));
    assert.deepEqual(ours.map(({ name }) => name).sort(), [
      'faultline_lint_findings',
      'faultline_recent_failures',
      'faultline_show_exchange',
      'faultline_usability_report',
    ]);
    assert.ok(ours.every(({ inputSchema }) => inputSchema !== undefined));
  });

  it('say what failed, or that nothing did', async () => {
    assert.match(await ask('faultline_recent_failures', { limit: 3 }), /recorded/);
  });

  it('tell the model what it asked wrongly', async () => {
    await assert.rejects(ask('faultline_show_exchange', { key: 999_999_999 }), /There is no exchange/);
    await assert.rejects(ask('faultline_recent_failures', { filter: '(' }), /The filter cannot be read/);
  });

  it('make the report', async () => {
    assert.match(await ask('faultline_usability_report', {}), /^# /);
  });

  it('find in the workspace what hides a failure', async () => {
    const found = await ask('faultline_lint_findings', { path: 'agent_server.py' });
    assert.match(found, /^agent_server\.py:10: \w+ FL001 .*agent_author/m);
    await assert.rejects(ask('faultline_lint_findings', { path: '../elsewhere' }), /No source file/);
  });
});
