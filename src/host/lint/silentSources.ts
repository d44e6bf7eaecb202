import * as vscode from 'vscode';
import { isAboutHiding } from '../../lint/hidingRules.ts';
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
    for (const { name, range } of file.tools.filter((tool) => names.has(tool.name))) {
      const finding = file.findings.find((one) => isAboutHiding(one) && one.tools.includes(name));
      const before = found.get(name);
      // A finding says more than a definition.
      if (before === undefined || (before.rule === undefined && finding !== undefined)) {
        found.set(name, {
          path: vscode.workspace.asRelativePath(file.uri),
          line: 1 + (finding?.range ?? range).startLine,
          ...(finding === undefined ? {} : { rule: finding.rule }),
        });
      }
    }
  }
  return found;
}
