import * as vscode from 'vscode';
import { readConfig } from '../../core/passthrough/config/configFile.ts';
import { readJournal } from '../../core/passthrough/config/journal.ts';
import { stateFolder } from '../../core/passthrough/config/stateFolder.ts';
import {
  type Removal,
  removeAllTaps,
  removeTap,
  type StandingTap,
  standingTaps,
} from '../../core/passthrough/config/taps.ts';
import { refused } from '../../core/passthrough/config/tree.ts';
import { unwrapEntry } from '../../core/passthrough/config/unwrap.ts';
import { say } from '../say.ts';
import { showUserError, userErrors } from '../userError.ts';
import { agreesToEdit } from './previewEdit.ts';
import { refuse } from './tapEntry.ts';

const { t } = vscode.l10n;

/** Takes one tap out that a person picks, after they have seen the edit. `files`: looked into beside those of the journal. */
export async function removeOne(files: readonly string[]): Promise<void> {
  const standing = await standingTaps(stateFolder(), files);
  if (standing.length === 0) {
    sayNone();
    return;
  }
  const clients = new Map((await readJournal(stateFolder())).map(({ id, client }) => [id, client]));
  const items = standing.map((tap) => ({
    label: tap.name,
    description: clients.get(tap.id) ?? '',
    detail: tap.file,
    tap,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Remove Tap'),
    placeHolder: t('Which server is to be untapped?'),
    matchOnDetail: true,
  });
  if (chosen !== undefined) {
    await removeIt(chosen.tap);
  }
}

async function removeIt(tap: StandingTap): Promise<void> {
  const { file, name } = tap;
  if (isUnsaved(file)) {
    await refuse(refused('unsaved', { file }));
    return;
  }
  const read = await readConfig(file);
  const undone = 'kind' in read ? read : unwrapEntry(read.text, tap.id);
  if ('kind' in read || undone.kind === 'refused') {
    await refuse(undone.kind === 'refused' ? undone : refused('noMark', { id: tap.id }));
    return;
  }
  const detail = t('The client has to start the server again.');
  const edit = { file, before: read.text, after: undone.text, detail };
  if (await agreesToEdit({ ...edit, title: t('Remove the Tap of {0}', name), apply: t('Remove Tap') })) {
    await tell([await removeTap(stateFolder(), tap)]);
  }
}

/** Takes every tap out of every configuration, after a person was told which. */
export async function removeAll(files: readonly string[]): Promise<void> {
  const state = stateFolder();
  const standing = await standingTaps(state, files);
  if (standing.length === 0 && (await readJournal(state)).length === 0) {
    sayNone();
    return;
  }
  const unsaved = standing.find(({ file }) => isUnsaved(file));
  if (unsaved !== undefined) {
    await refuse(refused('unsaved', { file: unsaved.file }));
    return;
  }
  const remove = t('Remove All Taps');
  const detail = standing.map(({ name, file }) => `${name} — ${file}`).join('\n');
  const question = standing.length === 1 ? t('Remove 1 tap?') : t('Remove {0} taps?', standing.length);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove) {
    await tell(await removeAllTaps(state, files));
  }
}

async function tell(removals: readonly Removal[]): Promise<void> {
  const failed = removals.flatMap((removal) => (removal.kind === 'refused' ? [say(removal.code, removal.args)] : []));
  if (failed.length > 0) {
    await showUserError(userErrors.notTapped(failed.join(' ')));
    return;
  }
  const names = removals.map(({ name }) => name).join(', ');
  void vscode.window.showInformationMessage(
    t('No longer tapped: {0}. Start the servers again in their clients.', names),
  );
}

function sayNone(): void {
  void vscode.window.showInformationMessage(t('Nothing is tapped.'));
}

function isUnsaved(file: string): boolean {
  return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.fsPath === file);
}
