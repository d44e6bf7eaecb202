import { lightFormat } from 'date-fns/lightFormat';
import * as vscode from 'vscode';
import { FAILURE_KINDS, OUTCOME_KINDS } from '../../protocol/outcome.ts';
import type { RowView } from '../../protocol/timelineViews.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { outcomeNames, pageStrings } from './pageStrings.ts';
import { rowView } from './rowView.ts';
import { type TimelineText, timelineText } from './timelineText.ts';

// Its own bundle, loaded with the first timeline that is opened as text.

const { t } = vscode.l10n;

/** Rows that a document holds at most: more is for an export, and for nobody to read. */
const MAX_ROWS = 5000;

/** Rows that are made at a time, so that the host stays responsive: old ones are read from the log again. */
const CHUNK_ROWS = 200;

/** The rows that a timeline shows now, as text; `undefined` when nobody waits for it any more. */
export async function textOf(
  recording: Recording<ReadableLog>,
  nameOf: (server: string) => string,
  token: vscode.CancellationToken,
): Promise<TimelineText | undefined> {
  await recording.load();
  const { timeline } = recording;
  const first = Math.max(0, timeline.total - MAX_ROWS);
  const rows: RowView[] = [];
  for (let from = first; from < timeline.total && rows.length < MAX_ROWS; from += CHUNK_ROWS) {
    const chunk = timeline.rows(from, CHUNK_ROWS);
    rows.push(...chunk.map((row) => rowView(row, nameOf(row.server), (key) => recording.exchange(key))));
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (token.isCancellationRequested) {
      return undefined;
    }
  }
  const { columns, tabs } = pageStrings;
  return timelineText(headOf(recording, first > 0 ? rows.length : undefined), rows, { ...columns, why: tabs.why });
}

function headOf({ timeline }: Recording<ReadableLog>, listed: number | undefined): readonly string[] {
  const counts = timeline.counts();
  const failures = OUTCOME_KINDS.filter((kind) => FAILURE_KINDS.has(kind) && counts[kind] !== undefined).map(
    (kind) => `${outcomeNames[kind]}: ${counts[kind]}`,
  );
  const hidden = timeline.hiddenOutcomes.map((kind) => outcomeNames[kind]);
  return [
    t('Faultline timeline, {0}', lightFormat(new Date(), 'yyyy-MM-dd HH:mm:ss')),
    t('{0} of {1} rows', timeline.total, timeline.recorded),
    ...(failures.length === 0 ? [] : [failures.join(', ')]),
    ...(timeline.filterText === '' ? [] : [t('Filter: {0}', timeline.filterText)]),
    ...(hidden.length === 0 ? [] : [t('Hidden: {0}', hidden.join(', '))]),
    ...(listed === undefined ? [] : [t('Only the newest {0} are listed here; a filter lists others.', listed)]),
    ...(timeline.total === 0 ? [t('There is nothing to list.')] : []),
  ];
}
