import * as vscode from 'vscode';
import { setContextKey } from '../manifest.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { compareView, endOf, replayRelation } from '../timeline/compareBase.ts';
import { openMessageDocument, openTextDiff } from '../timeline/openDocuments.ts';
import type { TimelineSurfaces } from '../timeline/timelineSurfaces.ts';
import { showUserError, userErrors } from '../userError.ts';

// Its own bundle, loaded with the first comparison.

const { t } = vscode.l10n;

/** The row that a command is about, in what the person looked at last. */
export interface RowAtHand {
  readonly recording: Recording<ReadableLog>;
  /** Address of the session file that the recording is of. */
  readonly file?: string | undefined;
  readonly surfaces: TimelineSurfaces;
  readonly key: number;
}

/** `select`: chooses the row for others to be compared with. Else shows how the row differs from that, or from its replay. */
export async function compareRow(kind: 'select' | 'selected' | 'replay' | 'text', at: RowAtHand): Promise<void> {
  const { recording, key } = at;
  const exchange = endOf(recording, key);
  if (exchange === undefined) {
    await showUserError(userErrors.nothingSelected(), 'warning');
    return;
  }
  const name = exchange.target ?? exchange.method;
  switch (kind) {
    case 'select':
      recording.compareBase = key;
      setContextKey('faultline.hasCompareBase', true);
      vscode.window.setStatusBarMessage(t('{0} is selected for compare', name), 5000);
      return;
    case 'selected':
      if (recording.compareBase === undefined || recording.compareBase === key) {
        await showUserError(userErrors.notComparable(), 'warning');
        return;
      }
      await show(at);
      return;
    case 'replay': {
      const other = replayRelation(recording, key, exchange);
      if (other === undefined) {
        vscode.window.setStatusBarMessage(t('{0} was not replayed and replays nothing', name), 5000);
        return;
      }
      recording.compareBase = other;
      setContextKey('faultline.hasCompareBase', true);
      await show(at);
      return;
    }
    case 'text': {
      const base = compareView(recording, key, exchange)?.base;
      if (base === undefined) {
        await showUserError(userErrors.notComparable(), 'warning');
        return;
      }
      await openTextDiff(recording, key, base, at.file);
    }
  }
}

async function show({ surfaces, key }: RowAtHand): Promise<void> {
  if (surfaces.current.key !== key) {
    await surfaces.reveal(key);
  }
  await surfaces.act('showCompare');
}

/** Opens the request or the answer of a row as a document. */
export async function openMessage(part: 'request' | 'response', { recording, key, file }: RowAtHand): Promise<void> {
  const exchange = endOf(recording, key);
  const seq = part === 'request' ? exchange?.key : exchange?.endSeq;
  if (seq === undefined) {
    await showUserError(userErrors.nothingSelected(), 'warning');
    return;
  }
  await openMessageDocument(Math.floor(seq), file);
}
