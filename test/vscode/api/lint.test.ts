import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const server = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "shop", version: "1" });
server.registerTool("get_publisher", { annotations: { readOnlyHint: true } }, async ({ title }) => {
  if (!books[title]) {
    return { content: [{ type: "text", text: \`Error: no book \${title}\` }] };
  }
  return { content: [{ type: "text", text: books[title] }] };
});
`;
/** The same with a tool that the demo calls, so that its failures may have been seen on the wire by this window. */
const demoServer = server.replace('get_publisher', 'get_author');
const flagged = 'return { isError: true, content: [{ type: "text", text: `Error';

const { fs, workspaceFolders } = vscode.workspace;
const root = () => {
  const [folder] = workspaceFolders ?? [];
  assert.ok(folder, 'a folder is open');
  return folder.uri;
};
const file = (name: string) => vscode.Uri.joinPath(root(), name);
const write = (name: string, text: string) => fs.writeFile(file(name), new TextEncoder().encode(text));

const ours = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'faultline');
const codeOf = ({ code }: vscode.Diagnostic) => (typeof code === 'object' ? code.value : code);

/** Waits until what is known of a file is so; the limit of the test ends it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise<void>((resolve) => {
      const done = [vscode.languages.onDidChangeDiagnostics(go), { dispose: () => clearTimeout(timer) }];
      const timer = setTimeout(go, 200);
      function go() {
        vscode.Disposable.from(...done).dispose();
        resolve();
      }
    });
  }
}

async function edit(document: vscode.TextDocument, text: string): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  change.replace(document.uri, all, text);
  assert.ok(await vscode.workspace.applyEdit(change));
}

function actionsAt(uri: vscode.Uri, line: number, kind?: string): Thenable<vscode.CodeAction[]> {
  const range = new vscode.Range(line, 4, line, 4);
  return vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, range, kind);
}

async function apply(actions: readonly vscode.CodeAction[], title: RegExp): Promise<void> {
  const action = actions.find((one) => title.test(one.title));
  assert.ok(action?.edit, `${title} among ${actions.map((one) => one.title).join(', ')}`);
  assert.ok(await vscode.workspace.applyEdit(action.edit));
}

describe('the lint', () => {
  it('follows an unsaved document as it is typed, and links each finding to its page', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: 'const a = 1;\n' });
    await edit(document, server);
    await until(() => ours(document.uri).length === 1);
    const [diagnostic] = ours(document.uri);
    assert.ok(diagnostic);
    assert.equal(codeOf(diagnostic), 'FL001');
    assert.equal(diagnostic.range.start.line, 4);
    assert.ok(typeof diagnostic.code === 'object' && /docs\/rules\/FL001\.md$/.test(diagnostic.code.target.path));
    await edit(document, server.replace('return {', 'return { isError: true,'));
    await until(() => ours(document.uri).length === 0);
  });

  it('leaves the cells of notebooks alone, and says when a file is too large', async () => {
    const python =
      'from fastmcp import FastMCP\nmcp = FastMCP("x")\n@mcp.tool\ndef a() -> str:\n    return "Error: no"\n';
    // The scheme of the cells of every notebook; one of a type would need an extension.
    const scheme = 'vscode-notebook-cell';
    const cells = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => python,
    });
    const cell = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme, path: '/book.ipynb', fragment: 'a' }),
    );
    await vscode.languages.setTextDocumentLanguage(cell, 'python');
    const large = await vscode.workspace.openTextDocument({
      language: 'python',
      content: `${python}${'# filler\n'.repeat(120_000)}`,
    });
    // Linted after them, so that they would be by now.
    const plain = await vscode.workspace.openTextDocument({ language: 'python', content: python });
    await until(() => ours(plain.uri).some((one) => codeOf(one) === 'FL001'));
    await until(() => ours(large.uri).length > 0);
    assert.deepEqual(ours(large.uri).map(codeOf), ['too-large']);
    assert.deepEqual(ours(cell.uri), []);
    cells.dispose();
  });

  it('lints a file of a virtual workspace, which is on no disk', async () => {
    // The scheme of GitHub Repositories; the file has its configuration beside it.
    const folder = vscode.Uri.from({ scheme: 'vscode-vfs', authority: 'github', path: '/somebody/shop' });
    const files = new Map([
      ['/somebody/shop/server.ts', server],
      ['/somebody/shop/faultline.config.json', '{ "rules": { "FL001": "error" } }'],
    ]);
    const bytesOf = ({ path }: vscode.Uri) => {
      const text = files.get(path);
      if (text === undefined) {
        throw vscode.FileSystemError.FileNotFound(path);
      }
      return new TextEncoder().encode(text);
    };
    const refuse = () => {
      throw vscode.FileSystemError.NoPermissions();
    };
    const registered = vscode.workspace.registerFileSystemProvider(
      'vscode-vfs',
      {
        onDidChangeFile: () => new vscode.Disposable(() => undefined),
        watch: () => new vscode.Disposable(() => undefined),
        stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytesOf(uri).byteLength }),
        readFile: bytesOf,
        readDirectory: () => [],
        createDirectory: refuse,
        writeFile: refuse,
        delete: refuse,
        rename: refuse,
      },
      { isReadonly: true },
    );
    const opened = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'server.ts'));
    const document = await vscode.languages.setTextDocumentLanguage(opened, 'typescript');
    await until(() => ours(document.uri).length > 0);
    assert.deepEqual(
      ours(document.uri).map((one) => [codeOf(one), one.severity]),
      [['FL001', vscode.DiagnosticSeverity.Error]],
    );
    registered.dispose();
  });

  it('says in a hover what the model sees', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: server });
    await until(() => ours(document.uri).length === 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(4, 6),
    );
    const texts = hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)));
    assert.match(texts.join('\n'), /FL001 returned-error.*\n\n.*without `isError`/);
  });

  it('mends a finding, all of a file, and suppresses one with a reason', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: server });
    await vscode.window.showTextDocument(document);
    await until(() => ours(document.uri).length === 1);
    const actions = await actionsAt(document.uri, 4);
    assert.ok(actions.some(({ command, title }) => command !== undefined && /Open the page of FL001/.test(title)));
    await apply(await actionsAt(document.uri, 4, 'source.fixAll'), /Fix all safe/);
    assert.ok(document.getText().includes(flagged), document.getText());
    await until(() => ours(document.uri).length === 0);

    await edit(document, server);
    await until(() => ours(document.uri).length === 1);
    await apply(await actionsAt(document.uri, 4), /Suppress FL001/);
    assert.equal(document.lineAt(4).text, '    // faultline-disable-next-line FL001 -- reason');
    assert.ok(document.lineAt(5).text.startsWith('    return {'), document.lineAt(5).text);
    await until(() => ours(document.uri).length === 0);
    // Unsaved, it would be asked about.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('lints the workspace but for what is ignored, follows it, and finds the source of a tool', async () => {
    await write('.gitignore', 'ignored/\n');
    // A name of its own: several places would be asked about.
    const shop = server.replace('get_publisher', 'get_isbn');
    await write('server.ts', shop);
    await write('ignored/server.ts', server);
    await write('excluded/server.ts', server);
    await vscode.workspace.getConfiguration('files').update('exclude', { excluded: true });
    await write('node_modules/shop/server.ts', server);
    await write('off/faultline.config.json', '{ "rules": { "FL001": "off", "FL999": "off" } }');
    await write('off/server.ts', server);
    await vscode.commands.executeCommand('faultline.lintWorkspace');
    const found = vscode.languages
      .getDiagnostics()
      .filter(([, diagnostics]) => diagnostics.some((one) => codeOf(one) === 'FL001'))
      .map(([uri]) => uri)
      .filter(({ scheme }) => scheme === 'file');
    assert.deepEqual(
      found.map(({ path }) => path),
      [file('server.ts').path],
    );
    await until(() => ours(file('off/faultline.config.json')).some(({ message }) => message.includes('FL999')));

    await vscode.commands.executeCommand('faultline.goToToolSource', 'get_isbn');
    assert.equal(vscode.window.activeTextEditor?.selection.start.line, 2);

    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await write('server.ts', shop.replace('return {', 'return { isError: true,'));
    await until(() => ours(file('server.ts')).length === 0);
  });

  it('says on the finding and on the definition what was seen on the wire', async () => {
    await vscode.commands.executeCommand('faultline.runDemo');
    const content = `${demoServer.replace('return {', 'return { isError: true,')}\n${demoServer.replace('get_author', 'other')}`;
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: demoServer });
    const mended = await vscode.workspace.openTextDocument({ language: 'typescript', content });
    await until(() => /Seen on the wire/.test(ours(document.uri)[0]?.message ?? ''));
    await until(() => ours(mended.uri).some((one) => codeOf(one) === 'silent_error'));
    const unexplained = ours(mended.uri).find((one) => codeOf(one) === 'silent_error');
    assert.equal(unexplained?.severity, vscode.DiagnosticSeverity.Information);
    assert.equal(mended.getText(unexplained?.range), '"get_author"');
    const actions = await actionsAt(document.uri, 4);
    assert.ok(actions.some(({ title }) => /silent errors of get_author in the timeline/.test(title)));
  });

  it('shows every safe fix before any is applied', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: server });
    await until(() => ours(document.uri).length > 0);
    let isDone = false;
    const fixing = vscode.commands.executeCommand('faultline.fixAllSafe').then(() => {
      isDone = true;
    });
    // The command waits for an answer: the preview is open once it can be given.
    while (!isDone) {
      await vscode.commands.executeCommand('refactorPreview.discard').then(undefined, () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await fixing;
    assert.equal(document.getText(), server);
  });
});
