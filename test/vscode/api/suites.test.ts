import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { timelineText, until } from './support.ts';

const uriOf = (name: string) => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder);
  return vscode.Uri.joinPath(folder, `${name}.faultline-suite.json`);
};

async function write(name: string, cases: readonly object[]): Promise<vscode.Uri> {
  const uri = uriOf(name);
  const suite = { faultlineSuite: 1, name, server: 'bookshop', trustAnnotations: true, cases };
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(suite, undefined, 2)));
  return uri;
}

const call = (name: string, tool: string, args: object, outcome: string, matches: readonly object[] = []) => ({
  name,
  method: 'tools/call',
  params: { name: tool, arguments: args },
  expect: { outcome, matches },
});

/** The tests of a file as VS Code itself knows them, below their controller. */
const testsIn = async (uri: vscode.Uri): Promise<readonly string[]> => {
  const ids = await vscode.commands.executeCommand<string[][]>('vscode.testing.getTestsInFile', uri);
  return ids.flatMap((id) => (id[0] === 'faultline.suites' ? [id.at(-1) ?? ''] : []));
};

/** What the timeline has of the server of a suite, a call a line. */
async function callsOf(name: string): Promise<readonly string[]> {
  const text = await timelineText();
  return text.split('\n').filter((line) => line.includes(` ${name} `) && /search_books|get_author/.test(line));
}

describe('suites', () => {
  const files: vscode.Uri[] = [];
  before(async () => {
    // Its server is started without a question, which no test could answer.
    await vscode.commands.executeCommand('faultline.runDemo');
  });
  after(async () => {
    for (const uri of files) {
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('are found as they are written, with a test a case where it stands, and forgotten when they go', async () => {
    const uri = await write('found', [call('a', 'search_books', { query: 'a' }, 'success')]);
    const whole = uri.toString();
    await until(
      () => testsIn(uri),
      (found) => found.includes(`${whole}#a`),
    );
    const controllers = await vscode.commands.executeCommand<string[]>('vscode.testing.getControllersWithTests');
    assert.ok(controllers.includes('faultline.suites'));
    await write('found', [
      call('b', 'search_books', { query: 'a' }, 'success'),
      call('c', 'search_books', { query: 'a' }, 'success'),
    ]);
    const ids = await until(
      () => testsIn(uri),
      (found) => !found.includes(`${whole}#a`),
    );
    assert.deepEqual([...ids].sort(), [whole, `${whole}#b`, `${whole}#c`]);
    await vscode.workspace.fs.delete(uri);
    await until(
      () => testsIn(uri),
      (found) => found.length === 0,
    );
  });

  it('run against a server of their own, and only what failed is run again', async () => {
    const uri = await write('counted', [
      call('finds', 'search_books', { query: 'suite' }, 'success'),
      call('hides', 'get_author', { title: 'Suite' }, 'tool_error'),
    ]);
    files.push(uri);
    await until(
      () => testsIn(uri),
      (found) => found.length === 3,
    );
    await vscode.commands.executeCommand('testing.runAll');
    const once = await until(
      () => callsOf('counted'),
      (calls) => calls.length >= 2,
    );
    assert.equal(once.length, 2, once.join('\n'));
    await vscode.commands.executeCommand('testing.reRunFailTests');
    const again = await until(
      () => callsOf('counted'),
      (calls) => calls.length > 2,
    );
    assert.deepEqual(
      again.map((line) => (line.includes('get_author') ? 'hides' : 'finds')).sort(),
      ['finds', 'hides', 'hides'],
      again.join('\n'),
    );
  });

  it('record again what ends otherwise, in the document, and leave the rest', async () => {
    const uri = uriOf('counted');
    await vscode.commands.executeCommand('faultline.recordAgain', { id: uri.toString() });
    const document = await vscode.workspace.openTextDocument(uri);
    const { cases } = JSON.parse(document.getText());
    assert.deepEqual(
      cases.map(({ expect }: { expect: { outcome: string } }) => expect.outcome),
      ['success', 'silent_error'],
    );
    assert.equal(document.isDirty, true);
    await document.save();
  });
});

describe('a session served as a mock', () => {
  it('answers as recorded until it is stopped', async () => {
    const plan = { server: 'demo:bookshop', over: 'http', delays: 'none' };
    const url = await vscode.commands.executeCommand<string>('faultline.serveMock', plan);
    const initialize = () =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        }),
      });
    const answer = (await (await initialize()).json()) as {
      readonly id: number;
      readonly result: { readonly serverInfo: { readonly name: string } };
    };
    assert.deepEqual([answer.id, answer.result.serverInfo.name], [7, 'faultline-demo-server']);
    await vscode.commands.executeCommand('faultline.stopMock');
    await assert.rejects(initialize());
  });
});
