import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Manifest {
  readonly contributes?: {
    readonly commands?: readonly { readonly command: string }[];
    readonly views?: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension('faultline.faultline');
  assert.ok(found, 'the extension is not loaded');
  return found;
}

describe('activation', () => {
  it('succeeds', async () => {
    await extension().activate();
    assert.equal(extension().isActive, true);
  });

  it('registers every command that the manifest contributes', async () => {
    await extension().activate();
    const manifest: Manifest = extension().packageJSON;
    const contributed = (manifest.contributes?.commands ?? []).map(({ command }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(contributed.length > 0, 'the manifest contributes no command');
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });

  it('has a focus command for every view, so VS Code accepted them all', async () => {
    const manifest: Manifest = extension().packageJSON;
    const views = Object.values(manifest.contributes?.views ?? {}).flat();
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      views.map(({ id }) => id).filter((id) => !registered.has(`${id}.focus`)),
      [],
    );
  });
});
