import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isSource, watchTargets } from '../../core/client/discovery/watchTargets.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { readSetting } from '../manifest.ts';
import { folderOf, previewDefinition } from './prepare.ts';
import type { ServerService } from './serverService.ts';

/** Editors and compilers write several files at once. */
const SETTLE_MS = 300;

/** Restarts the servers that `faultline.watch` names when their source changes, as long as they are up or have failed. */
export function watchSources(servers: ServerService, clock: Clock): Disposable {
  const store = new DisposableStore();
  let watchers = store.add(new DisposableStore());
  let last = '';

  const look = () => {
    const wanted = readSetting('watch');
    const watched = servers.definitions().flatMap((definition) => {
      const choice = wanted[definition.name];
      const globs = Array.isArray(choice) ? choice.map(String) : undefined;
      return choice === true || globs !== undefined ? [{ definition, globs }] : [];
    });
    const state = JSON.stringify(watched);
    if (state === last) {
      return;
    }
    last = state;
    watchers.dispose();
    watchers = store.add(new DisposableStore());
    for (const { definition, globs } of watched) {
      watchers.add(watchOne(definition, globs, servers, clock));
    }
  };

  store.add(servers.onDidChange(look));
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('faultline.watch')) {
        look();
      }
    }),
  );
  look();
  return store;
}

function watchOne(
  definition: ServerDefinition,
  globs: readonly string[] | undefined,
  servers: ServerService,
  clock: Clock,
): Disposable {
  const store = new DisposableStore();
  const { transport } = previewDefinition(definition);
  if (transport.type !== 'stdio') {
    return store;
  }
  let settling: Disposable | undefined;
  const changed = (uri: vscode.Uri) => {
    if (isSource(uri.fsPath)) {
      settling?.dispose();
      settling = clock.setTimer(SETTLE_MS, () => {
        const kind = servers.view(definition.id)?.state.kind;
        if (kind === 'running' || kind === 'starting' || kind === 'failed') {
          void servers.restart(definition.id);
        }
      });
    }
  };
  for (const { folder, glob } of watchTargets(transport, folderOf(definition)?.uri.fsPath, globs)) {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), glob);
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    store.add(watcher.onDidChange(changed));
    store.add(watcher.onDidCreate(changed));
    store.add(watcher.onDidDelete(changed));
  }
  store.defer(() => settling?.dispose());
  return store;
}
