import { safeLine } from '../../base/safeText.ts';
import { formatText, type TextArgs } from '../../base/text.ts';
import type { PolicyPreview } from '../../core/replay/policyPreview.ts';
import type { ReplayComparison, ReplayVerdict } from '../../core/replay/replayComparison.ts';
import type { ResultChange } from '../../core/replay/resultDiff.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { TEXTS } from '../../protocol/texts.ts';
import type { TextStyle } from '../terminal.ts';
import { outcomeText, type Style, sentence } from './verdictText.ts';

/** Differences that are printed of one answer. */
const MAX_CHANGES = 20;
const MAX_VALUE = 120;

const VERDICT_STYLES: Readonly<Record<ReplayVerdict, TextStyle>> = {
  better: 'green',
  same: 'dim',
  worse: 'red',
  failed: 'yellow',
};

/** Each attempt of a replay and how its end and its answer differ from what was recorded; lines that end. */
export function replayAsText(name: string, call: CallOutcome, comparison: ReplayComparison, style: Style): string {
  const attempts = call.attempts.map(({ number, delayMs, durationMs, outcome, reason }) => {
    const wait = delayMs === 0 ? '' : ` after ${Math.round(delayMs)} ms`;
    const ended = `${outcomeText(outcome, undefined, style)} in ${Math.round(durationMs)} ms`;
    return `  attempt  ${number}${wait}: ${ended} ${style('dim', sentence(reason))}`;
  });
  const { verdict, change } = comparison;
  const lines = [
    style('bold', name),
    ...attempts,
    ...(call.stopped === 'retry.answered' ? [] : [`  stopped  ${sentence(call.stopped, call.stoppedArgs)}`]),
    `  result   ${style(VERDICT_STYLES[verdict], verdict)}: ${changeSentence(change)}`,
    ...differenceLines(comparison),
  ];
  return `${lines.join('\n')}\n`;
}

/** The sentence of a change, its outcomes in words. */
export function changeSentence({ code, args }: { readonly code: string; readonly args: TextArgs }): string {
  const words = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('_', ' ') : value]),
  );
  return safeLine(formatText(TEXTS[code] ?? code, words), 400);
}

/** What a policy leads to, in one line. */
export function previewSentence({ attempts, waits, silentMs }: PolicyPreview): string {
  const wait = ({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }) =>
    minMs === maxMs ? `${maxMs} ms` : `${minMs}–${maxMs} ms`;
  const limit = `at most ${silentMs} ms if the server stays silent`;
  return attempts === 1
    ? `sent once; ${limit}`
    : `sent up to ${attempts} times; waits ${waits.map(wait).join(', ')}; ${limit}`;
}

/** How many replays came out how, those that were not sent last. */
export function summaryLine(verdicts: readonly ReplayVerdict[], unsent: number): string {
  const count = (wanted: ReplayVerdict) => verdicts.filter((verdict) => verdict === wanted).length;
  const counts = [
    [count('better'), 'better'],
    [count('same'), 'as before'],
    [count('worse'), 'worse'],
    [count('failed'), 'without an end'],
  ] as const;
  const told = counts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]));
  const rest = unsent === 0 ? [] : [`${unsent} not sent`];
  return `${verdicts.length} replayed${told.length === 0 ? '' : `: ${told.join(', ')}`}${rest.length === 0 ? '' : `; ${rest.join('')}`}\n`;
}

function differenceLines({ diff }: ReplayComparison): readonly string[] {
  const changes = diff.changes.filter(({ isVolatile }) => !isVolatile);
  const ignored = diff.changes.length - changes.length;
  const shown = changes.slice(0, MAX_CHANGES);
  const left = changes.length - shown.length + diff.omitted;
  return [
    ...shown.map((change) => `  ${change.kind.padEnd(8)} ${changeText(change)}`),
    ...(left > 0 ? [`  …        and ${differences(left)} more`] : []),
    ...(ignored > 0 ? [`  ignored  ${differences(ignored)} of times, ids and the like`] : []),
  ];
}

function differences(count: number): string {
  return count === 1 ? '1 difference' : `${count} differences`;
}

function changeText({ pointer, inner, kind, before, after, from }: ResultChange): string {
  const place = safeLine(
    `${pointer === '' ? '(whole)' : pointer}${inner === undefined ? '' : ` › ${inner}`}`,
    MAX_VALUE,
  );
  switch (kind) {
    case 'added':
      return `${place}: ${valueText(after)}`;
    case 'removed':
      return `${place}: ${valueText(before)}`;
    case 'changed':
      return `${place}: ${valueText(before)} → ${valueText(after)}`;
    case 'moved':
      return `${place}: from ${safeLine(from ?? '', MAX_VALUE)}`;
  }
}

function valueText(value: JsonValue | undefined): string {
  try {
    return safeLine(JSON.stringify(value) ?? '', MAX_VALUE);
  } catch {
    return '(too deep)';
  }
}
