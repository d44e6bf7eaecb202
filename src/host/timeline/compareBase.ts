import type { CompareView } from '../../protocol/details.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { timeText } from './beside.ts';

/**
 * What a row is compared with: the row that was chosen for that, else the one that it replays, else its newest replay.
 * `undefined` when there is none.
 */
export function compareView(
  recording: Recording<ReadableLog>,
  key: number,
  exchange: Exchange,
): CompareView | undefined {
  const { compareBase } = recording;
  const base =
    compareBase === undefined || compareBase === key ? replayRelation(recording, key, exchange) : compareBase;
  const other = base === undefined ? undefined : endOf(recording, base);
  return base === undefined || other === undefined
    ? undefined
    : { base, label: `${other.target ?? other.method} · ${timeText(other.startUs)}` };
}

/** The row that a row replays, or its newest replay. */
export function replayRelation(recording: Recording<ReadableLog>, key: number, exchange: Exchange): number | undefined {
  const other = exchange.replayOf ?? recording.newestReplayOf(exchange.key) ?? recording.newestReplayOf(key);
  const head = other === undefined ? undefined : recording.timeline.row(other)?.headKey;
  return head ?? other;
}

/** The exchange that ended a row's call. */
export function endOf(recording: Recording<ReadableLog>, key: number): Exchange | undefined {
  const row = recording.timeline.row(key);
  return row === undefined ? undefined : recording.exchange(row.endKey);
}
