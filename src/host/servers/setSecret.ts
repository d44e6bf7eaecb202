import * as vscode from 'vscode';
import type { ValueStore } from './valueStore.ts';

const { t } = vscode.l10n;

/** Keeps, changes or deletes a secret that definitions name by `${secret:…}`, or an input that was kept as one. */
export async function setSecret(values: ValueStore): Promise<void> {
  const add = { label: `$(add) ${t('New secret…')}`, name: undefined };
  const kept = values
    .kept()
    // How a person is signed in is no secret to type: "Sign Out" forgets it.
    .filter((name) => !name.startsWith('oauth.'))
    .map((name) => ({ label: `$(key) ${name}`, name }));
  const chosen = kept.length === 0 ? add : await vscode.window.showQuickPick([add, ...kept]);
  if (chosen === undefined) {
    return;
  }
  const name =
    chosen.name ??
    (await vscode.window.showInputBox({
      prompt: t('Name of the secret, by which a definition names it: {0}', '$'.concat('{secret:name}')),
      ignoreFocusOut: true,
      validateInput: (value) => (/^[\w.-]+$/.test(value) ? undefined : t('Letters, digits, dots and hyphens')),
    }));
  if (name === undefined) {
    return;
  }
  const value = await vscode.window.showInputBox({
    title: name,
    prompt: chosen.name === undefined ? t('Its value') : t('Its new value; nothing deletes it'),
    password: true,
    ignoreFocusOut: true,
  });
  if (value !== undefined) {
    await values.setSecret(name, value === '' ? undefined : value);
  }
}
