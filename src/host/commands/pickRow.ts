import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import type { TimelineRow } from '../../core/timeline/timelineRow.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { rowView } from '../timeline/rowView.ts';
import { showUserError, userErrors } from '../userError.ts';

// Its own bundle, loaded when a command has to ask which row it is for.

/** Rows that are offered: the newest. */
const MAX_ROWS = 200;
const MAX_LENGTH = 200;

/** Asks for a row, of those that `isOffered` lets through; `undefined` when a person chose none or there is none. */
export async function pickRow(
  recording: Recording<ReadableLog>,
  placeHolder: string,
  nameOf: (server: string) => string,
  isOffered: (row: TimelineRow) => boolean,
): Promise<number | undefined> {
  await recording.load();
  const { timeline } = recording;
  const newest = timeline.rows(Math.max(0, timeline.total - MAX_ROWS), MAX_ROWS).toReversed();
  const items = newest
    .filter((row) => row.depth === 0 && isOffered(row))
    .map((row) => {
      const view = rowView(row, nameOf(row.server), (key) => recording.exchange(key));
      const hasFailed = row.outcome !== undefined && FAILURE_KINDS.has(row.outcome);
      return {
        label: `$(${hasFailed ? 'error' : 'circle-outline'}) ${safeLine(view.target ?? view.method, MAX_LENGTH)}`,
        description: [safeLine(view.server, MAX_LENGTH), view.outcomeText].filter((text) => text !== '').join(' · '),
        detail: safeLine(view.reason, MAX_LENGTH),
        key: row.key,
      };
    });
  if (items.length === 0) {
    await showUserError(userErrors.nothingRecorded(), 'warning');
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.key;
}
