import * as vscode from 'vscode';
import { IgnoreRules, SKIPPED_FOLDERS } from '../../lint/files/ignoreRules.ts';
import { SOURCE_GLOB } from './languages.ts';

/** How far above a folder its repository may begin. */
const MAX_PARENTS = 16;

/**
 * The source files of the workspace, without what `files.exclude` and `.gitignore` leave out and without folders of
 * dependencies. In order of their paths.
 */
export async function workspaceFiles(token: vscode.CancellationToken): Promise<readonly vscode.Uri[]> {
  // Given beside `files.exclude`, not instead of it.
  const exclude = `**/{.*,${[...SKIPPED_FOLDERS].join(',')}}/**`;
  const found = await Promise.all(
    (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) => {
      const include = new vscode.RelativePattern(uri, SOURCE_GLOB);
      const files = await vscode.workspace.findFiles(include, exclude, undefined, token);
      return withoutIgnored(files, await repositoryOf(uri));
    }),
  );
  // Folders of a workspace may lie in one another.
  const unique = new Map(found.flat().map((uri) => [uri.toString(), uri]));
  return [...unique.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function withoutIgnored(files: readonly vscode.Uri[], root: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const rules = new IgnoreRules(async (path) => {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root, path)));
    } catch {
      // Most folders have no rules.
      return undefined;
    }
  });
  const prefix = root.path.endsWith('/') ? root.path : `${root.path}/`;
  const kept: vscode.Uri[] = [];
  for (const file of files) {
    if (!(await rules.ignores(file.path.slice(prefix.length)))) {
      kept.push(file);
    }
  }
  return kept;
}

/** The folder whose `.gitignore` files count from: that of the repository, or the workspace's own. */
async function repositoryOf(folder: vscode.Uri): Promise<vscode.Uri> {
  let at = folder;
  for (let count = 0; count < MAX_PARENTS; count++) {
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(at, '.git'));
      return at;
    } catch {
      // Not here; perhaps above.
    }
    const parent = vscode.Uri.joinPath(at, '..');
    if (parent.path === at.path) {
      break;
    }
    at = parent;
  }
  return folder;
}
