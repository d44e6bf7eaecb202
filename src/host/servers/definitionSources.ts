import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import {
  type Definitions,
  mergeDefinitions,
  parseDefinitions,
  parseServersSetting,
} from '../../core/client/definitions.ts';
import { CONFIGURATION_FILES, type ConfigurationFile, type Machine } from '../../core/client/discovery/clients.ts';
import { untapped } from '../../core/passthrough/config/untapped.ts';
import type { DefinitionProblem } from '../../protocol/definition.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { readSetting } from '../manifest.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';
import { problemsBeforeStart } from './prepare.ts';
import type { ServerService } from './serverService.ts';

/** Clients write their files in bursts, some of them at every prompt. */
const SETTLE_MS = 200;

/** One file that may define servers, whether it is there or not. */
interface Place {
  readonly file: ConfigurationFile;
  readonly uri: vscode.Uri;
  readonly pattern: vscode.RelativePattern;
}

/**
 * Keeps the servers of the settings, of the workspace's folders and of the other clients of this machine current, with
 * their problems as diagnostics. A file that is malformed costs nobody else's servers. Gives the end of the first reading.
 */
export function watchDefinitions(
  servers: ServerService,
  clock: Clock,
): { readonly watching: Disposable; readonly loaded: Promise<void> } {
  const store = new DisposableStore();
  const diagnostics = store.add(vscode.languages.createDiagnosticCollection('faultline-definitions'));
  let watchers = store.add(new DisposableStore());
  let places: readonly Place[] = [];
  let latest = 0;
  let last = '';
  let settling: Disposable | undefined;

  const reload = async () => {
    latest += 1;
    const mine = latest;
    const files = await Promise.all(places.map(readPlace));
    if (mine !== latest || store.isDisposed) {
      return;
    }
    const { definitions, problems } = mergeDefinitions([...readSettings(), ...files]);
    const early = definitions.filter(isOurs).flatMap(problemsBeforeStart);
    const state = JSON.stringify([definitions, problems, early]);
    if (state === last) {
      return;
    }
    last = state;
    servers.setDefinitions('workspace', definitions);
    diagnostics.clear();
    for (const [file, group] of Map.groupBy([...problems, ...early], (problem) => problem.path)) {
      const uri = places.find((place) => place.uri.fsPath === file)?.uri ?? vscode.Uri.file(file);
      diagnostics.set(uri, group.map(diagnosticOf));
    }
  };
  const reloadSoon = () => {
    settling?.dispose();
    settling = clock.setTimer(SETTLE_MS, () => void reload());
  };
  const look = () => {
    watchers.dispose();
    watchers = store.add(new DisposableStore());
    places = findPlaces();
    for (const { pattern } of places) {
      const watcher = watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
      watchers.add(watcher.onDidChange(reloadSoon));
      watchers.add(watcher.onDidCreate(reloadSoon));
      watchers.add(watcher.onDidDelete(reloadSoon));
    }
    return reload();
  };

  store.defer(() => settling?.dispose());
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(look));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      // Problems show as the file is typed, before it is saved; what is not saved defines nothing.
      const place = places.find(({ uri }) => uri.toString() === document.uri.toString());
      if (place !== undefined) {
        const { problems } = parsePlace(place, document.getText());
        diagnostics.set(document.uri, problems.map(diagnosticOf));
      }
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('faultline.discovery')) {
        void look();
      } else if (
        change.affectsConfiguration('faultline.servers') ||
        change.affectsConfiguration('faultline.trustedServers')
      ) {
        void reload();
      }
    }),
  );
  return { watching: store, loaded: look() };
}

function findPlaces(): readonly Place[] {
  const wanted = readSetting('discovery');
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  const machine: Machine = { platform, home: homedir(), env: process.env };
  return CONFIGURATION_FILES.filter(({ client }) => wanted[client] !== false).flatMap((file): Place[] => {
    const { place } = file;
    if (place.of === 'folder') {
      return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
        file,
        uri: vscode.Uri.joinPath(folder.uri, place.path),
        pattern: new vscode.RelativePattern(folder, place.path),
      }));
    }
    return place.paths(machine).map((file_) => {
      const folder = vscode.Uri.file(path.dirname(file_));
      const pattern = new vscode.RelativePattern(folder, path.basename(file_));
      return { file, uri: vscode.Uri.file(file_), pattern };
    });
  });
}

async function readPlace(place: Place): Promise<Definitions> {
  const text = await readText(place.uri);
  return text === undefined ? { definitions: [], problems: [] } : parsePlace(place, text);
}

function parsePlace({ file, uri }: Place, text: string): Definitions {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const { definitions, problems } = parseDefinitions(text, { kind: file.kind, path: uri.fsPath, folders, isTrusted });
  // Ours record by themselves; behind a tap each call would be on the timeline twice.
  return { definitions: definitions.map(untapped), problems };
}

/** The user's own word apart from what the workspace says: only the former needs no consent. */
function readSettings(): readonly Definitions[] {
  const found = vscode.workspace.getConfiguration('faultline').inspect<object>('servers');
  const options = { path: 'faultline.servers', isTrusted };
  return [
    parseServersSetting(found?.globalValue, { ...options, kind: 'settings' }),
    parseServersSetting(found?.workspaceValue, { ...options, kind: 'workspace-settings' }),
  ];
}

/** Written for this workspace or for Faultline; another client may be started with variables that are not set here. */
function isOurs({ source }: Definitions['definitions'][number]): boolean {
  return source.kind === 'vscode-mcp-json' || source.kind === 'settings' || source.kind === 'workspace-settings';
}

function isTrusted(server: string): boolean {
  const trusted = readSetting('trustedServers');
  return trusted.includes('*') || trusted.includes(nameInId(server));
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // No such file: it defines no servers.
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
