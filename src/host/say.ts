import * as vscode from 'vscode';
import type { TextArgs } from '../base/text.ts';
import { formatText } from '../base/text.ts';
import { TEXTS } from '../protocol/texts.ts';

/** The sentence that a code of `core` or `lint` stands for, in the user's language. An unknown code is shown as it is. */
export function say(code: string, args: TextArgs = {}): string {
  const template = TEXTS[code];
  // The translation is looked up by the English template; the places are filled here, since `l10n.t` would take a
  // number for an index.
  return template === undefined ? code : formatText(vscode.l10n.t(template), args);
}
