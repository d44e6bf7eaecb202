import * as vscode from 'vscode';
import { recordAgain } from '../../core/replay/suites/recordAgain.ts';
import type { SuiteCaseResult } from '../../core/replay/suites/runSuite.ts';
import { showUserError, userErrors } from '../userError.ts';
import { changeSuite } from './changeSuite.ts';
import type { SuiteServices } from './lateSuites.ts';
import { runCases } from './runCases.ts';
import type { SuiteItems } from './suiteItems.ts';

const { t } = vscode.l10n;

interface RecordOptions {
  readonly services: SuiteServices;
  readonly controller: vscode.TestController;
  readonly items: SuiteItems;
}

/** Runs a case, or every case of a suite, and writes what came of those that fail into the document, to be looked at and saved. */
export async function recordCasesAgain(
  { services, controller, items }: RecordOptions,
  item: vscode.TestItem | undefined,
): Promise<void> {
  const chosen = item ?? (await pickCase(controller, items));
  if (chosen === undefined) {
    return;
  }
  const results = new Map<string, { readonly uri: vscode.Uri; readonly results: SuiteCaseResult[] }>();
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: t('Recording {0} again', chosen.label),
    },
    (_, token) =>
      runCases({
        services,
        controller,
        items,
        request: new vscode.TestRunRequest([chosen]),
        token,
        isTelling: false,
        onResult: ({ uri }, result) => {
          const of = results.get(uri.toString()) ?? { uri, results: [] };
          of.results.push(result);
          results.set(uri.toString(), of);
        },
      }),
  );
  let changed = 0;
  for (const { uri, results: own } of results.values()) {
    changed += await write(uri, own, items);
  }
  vscode.window.setStatusBarMessage(
    changed === 0 ? t('Nothing was recorded again: no case ended otherwise.') : t('Recorded again: {0}', changed),
    10_000,
  );
}

/** Changes the document, not the file: it can be undone, and is a person's to save. */
async function write(uri: vscode.Uri, results: readonly SuiteCaseResult[], items: SuiteItems): Promise<number> {
  const document = await vscode.workspace.openTextDocument(uri);
  const before = document.getText();
  // Of the document as it is now: it may have been edited meanwhile.
  const { text, changed } = recordAgain(before, items.suiteAt(uri)?.cases ?? [], results);
  if (changed.size === 0) {
    return 0;
  }
  const [start, oldEnd, newEnd] = changedPart(before, text);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(oldEnd));
  if (!(await changeSuite(uri, range, text.slice(start, newEnd)))) {
    return 0;
  }
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  return changed.size;
}

/** Where two texts begin and end to differ: the start in both, the end in each. */
function changedPart(before: string, after: string): readonly [number, number, number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start += 1;
  }
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) {
    same += 1;
  }
  return [start, before.length - same, after.length - same];
}

async function pickCase(controller: vscode.TestController, items: SuiteItems): Promise<vscode.TestItem | undefined> {
  const cases = items.casesOf([...controller.items].map(([, item]) => item));
  if (cases.length === 0) {
    await showUserError(userErrors.noSuites(), 'warning');
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    cases.map(({ item }) => ({ label: item.label, description: item.parent?.label ?? '', item })),
    { placeHolder: t('Record which case again?'), matchOnDescription: true },
  );
  return picked?.item;
}
