import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import {
  type Definitions,
  mergeDefinitions,
  parseDefinitions,
  parseServersSetting,
} from '../../core/client/definitions.ts';
import { resolveVariables } from '../../core/client/resolveVariables.ts';
import type { DefinitionProblem } from '../../protocol/definition.ts';
import { readSetting } from '../manifest.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';
import type { ServerService } from './serverService.ts';

const MCP_JSON = '.vscode/mcp.json';

/** Keeps the servers of every workspace folder's `mcp.json` and of the settings current, with their problems as diagnostics. */
export function watchDefinitions(servers: ServerService): Disposable {
  const store = new DisposableStore();
  const diagnostics = store.add(vscode.languages.createDiagnosticCollection('faultline-definitions'));
  let latest = 0;
  const reload = async () => {
    latest += 1;
    const mine = latest;
    const files = await Promise.all((vscode.workspace.workspaceFolders ?? []).map(readFolder));
    if (mine !== latest || store.isDisposed) {
      return;
    }
    const { definitions, problems } = mergeDefinitions([...files, readSettings()]);
    servers.setDefinitions('workspace', definitions);
    diagnostics.clear();
    for (const [path, group] of Map.groupBy(problems, (problem) => problem.path)) {
      diagnostics.set(vscode.Uri.file(path), group.map(diagnosticOf));
    }
  };
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(`**/${MCP_JSON}`));
  store.add(watcher.onDidChange(reload));
  store.add(watcher.onDidCreate(reload));
  store.add(watcher.onDidDelete(reload));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(reload));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      // Problems show as the file is typed, before it is saved; what is not saved defines nothing.
      if (document.uri.path.endsWith(`/${MCP_JSON}`)) {
        const { problems } = parseDefinitions(document.getText(), {
          kind: 'vscode-mcp-json',
          path: document.uri.fsPath,
        });
        diagnostics.set(document.uri, problems.map(diagnosticOf));
      }
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('faultline.servers') || change.affectsConfiguration('faultline.trustedServers')) {
        void reload();
      }
    }),
  );
  void reload();
  return store;
}

async function readFolder(folder: vscode.WorkspaceFolder): Promise<Definitions> {
  const uri = vscode.Uri.joinPath(folder.uri, MCP_JSON);
  const text = await readText(uri);
  return text === undefined
    ? { definitions: [], problems: [] }
    : resolveAll(parseDefinitions(text, { kind: 'vscode-mcp-json', path: uri.fsPath, isTrusted }), folder);
}

function readSettings(): Definitions {
  const parsed = parseServersSetting(readSetting('servers'), {
    kind: 'settings',
    path: 'faultline.servers',
    isTrusted,
  });
  return resolveAll(parsed, vscode.workspace.workspaceFolders?.[0]);
}

function resolveAll({ definitions, problems }: Definitions, folder: vscode.WorkspaceFolder | undefined): Definitions {
  const resolved = definitions.map((definition) =>
    resolveVariables(definition, {
      workspaceFolder: folder?.uri.fsPath,
      userHome: homedir(),
      env: process.env,
    }),
  );
  return {
    definitions: resolved.flatMap((each) => ('definition' in each ? [each.definition] : [])),
    problems: [...problems, ...resolved.flatMap((each) => ('problems' in each ? each.problems : []))],
  };
}

function isTrusted(server: string): boolean {
  const trusted = readSetting('trustedServers');
  return trusted.includes('*') || trusted.includes(server.slice(server.indexOf(':') + 1));
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // No such file: the folder defines no servers.
    return undefined;
  }
}

function diagnosticOf(problem: DefinitionProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    rangeOf(problem.range),
    say(problem.code, problem.args),
    vscode.DiagnosticSeverity.Error,
  );
  diagnostic.source = 'faultline';
  diagnostic.code = problem.code;
  return diagnostic;
}
