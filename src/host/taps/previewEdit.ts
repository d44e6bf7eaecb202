import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

const { t } = vscode.l10n;

const SCHEME = 'faultline-tap';
let previews = 0;

/** An edit of a client's configuration that a person is to agree to. */
export interface PreviewedEdit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly title: string;
  /** What the button says, and what follows from it. */
  readonly apply: string;
  readonly detail: string;
}

/** Shows what an edit would change beside what is there, and asks. True when the person wants it; nothing is written here. */
export async function agreesToEdit({ file, before, after, title, apply, detail }: PreviewedEdit): Promise<boolean> {
  const store = new DisposableStore();
  previews += 1;
  const side = (name: string) =>
    vscode.Uri.from({ scheme: SCHEME, path: `/${path.basename(file)}`, query: `${name}-${previews}` });
  const [left, right] = [side('before'), side('after')];
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ query }) =>
        query === left.query ? before : query === right.query ? after : undefined,
    }),
  );
  try {
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
    // One line each: what is asked about stands below.
    const yes = { label: `$(check) ${apply}`, description: detail };
    const no = { label: `$(close) ${t('Leave It as It Is')}` };
    const chosen = await vscode.window.showQuickPick([yes, no], {
      title,
      placeHolder: t('The edit is shown in the editor. Make it?'),
      // Looking closely at the edit must not dismiss the question.
      ignoreFocusOut: true,
    });
    return chosen === yes;
  } finally {
    await closeDiff(right);
    store.dispose();
  }
}

async function closeDiff(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString());
  await vscode.window.tabGroups.close(tabs);
}
