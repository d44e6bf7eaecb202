import * as vscode from 'vscode';
import { silentPlace } from '../../lint/hidingRules.ts';
import type { ReportSource } from '../../protocol/report.ts';
import type { FindingStore } from './findingStore.ts';
import type { WorkspaceLint } from './workspaceLint.ts';

/**
 * Where tools fail silently, by their names: the line of the finding that says so, or of the tool's definition. The workspace
 * is looked through where no file is known to define one of them.
 */
export async function silentSources(
  names: ReadonlySet<string>,
  findings: FindingStore,
  workspace: WorkspaceLint,
): Promise<ReadonlyMap<string, ReportSource>> {
  const found = known(names, findings);
  if (found.size === names.size || (vscode.workspace.workspaceFolders ?? []).length === 0) {
    return found;
  }
  await workspace.run('index');
  return known(names, findings);
}

function known(names: ReadonlySet<string>, findings: FindingStore): ReadonlyMap<string, ReportSource> {
  const found = new Map<string, ReportSource>();
  for (const file of findings.all()) {
    for (const tool of file.tools.filter(({ name }) => names.has(name))) {
      const better = silentPlace(tool, file.findings, found.get(tool.name));
      if (better !== undefined) {
        found.set(tool.name, { path: vscode.workspace.asRelativePath(file.uri), ...better });
      }
    }
  }
  return found;
}
