import * as vscode from 'vscode';
import type { Completion } from '../../core/timeline/filter/complete.ts';
import type { CompletionView } from '../../protocol/filter.ts';
import { say } from '../say.ts';
import type { SavedFilter } from './savedFilters.ts';

/** Completions in the words of the page. While nothing is written, the saved filters come first. */
export function completionViews(
  text: string,
  items: readonly Completion[],
  saved: readonly SavedFilter[],
): readonly CompletionView[] {
  const whole = text.trim() === '' ? saved.map((filter) => savedView(text, filter)) : [];
  return [...whole, ...items.map(itemView)];
}

function savedView(text: string, { name, text: insert, hiddenOutcomes }: SavedFilter): CompletionView {
  return { kind: 'saved', label: name, detail: insert, insert, from: 0, to: text.length, hiddenOutcomes };
}

function itemView({ about, rows, ...item }: Completion): CompletionView {
  const count = rows === undefined ? '' : vscode.l10n.t('{0} rows', rows.toLocaleString(vscode.env.language));
  return { ...item, detail: about === undefined ? count : say(about) };
}
