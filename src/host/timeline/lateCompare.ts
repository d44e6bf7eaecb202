import * as vscode from 'vscode';
import { type CallEnd, outcomeChange } from '../../core/replay/outcomeChange.ts';
import { diffResults, type ResultChange, type ResultDiff } from '../../core/replay/resultDiff.ts';
import type { ChangeView, DiffView } from '../../protocol/details.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { say } from '../say.ts';
import { endOf } from './compareBase.ts';
import { outcomeNames } from './pageStrings.ts';

// Its own bundle, loaded with the first comparison.

const { t } = vscode.l10n;

/** Changes that a page is sent. */
const MAX_CHANGES = 300;
/** UTF-16 code units of a value that are shown. */
const MAX_VALUE = 400;

const kindTexts: Readonly<Record<ResultChange['kind'], string>> = {
  added: t('added'),
  removed: t('removed'),
  changed: t('changed'),
  moved: t('moved'),
};

/** The two exchanges of a comparison, the earlier one first; `undefined` when one is gone. */
function comparedPair(
  recording: Recording<ReadableLog>,
  key: number,
  base: number,
): { readonly before: Exchange; readonly after: Exchange } | undefined {
  const [one, other] = [endOf(recording, base), endOf(recording, key)];
  if (one === undefined || other === undefined) {
    return undefined;
  }
  return one.startUs <= other.startUs ? { before: one, after: other } : { before: other, after: one };
}

/** How the later of two exchanges differs from the earlier one. */
export function diffView(
  recording: Recording<ReadableLog>,
  key: number,
  base: number,
  ignoreVolatile: boolean,
): DiffView | undefined {
  const pair = comparedPair(recording, key, base);
  if (pair === undefined) {
    return undefined;
  }
  const { before, after } = pair;
  const values = [answerOf(recording, before), answerOf(recording, after)] as const;
  const all = diffResults(...values, { maxChanges: Number.POSITIVE_INFINITY });
  const shown = ignoreVolatile ? all.changes.filter(({ isVolatile }) => !isVolatile) : all.changes;
  const { code, args } = outcomeChange(callEnd(recording, before), callEnd(recording, after));
  const name = (kind: unknown) => outcomeNames[kind as OutcomeKind] ?? String(kind);
  const omitted = shown.length - MAX_CHANGES;
  return {
    sentence: say(code, { ...args, before: name(args['before']), after: name(args['after']) }),
    before: before.verdict?.outcome,
    after: after.verdict?.outcome,
    changes: shown.slice(0, MAX_CHANGES).map(changeView),
    note: noteOf(all, values, shown.length),
    volatileCount: all.changes.filter(({ isVolatile }) => isVolatile).length,
    omittedText: omitted > 0 ? t('{0} more differences are not shown.', omitted) : '',
  };
}

function noteOf(
  diff: ResultDiff,
  [before, after]: readonly [JsonValue | undefined, JsonValue | undefined],
  shown: number,
): string {
  if (before === undefined && after === undefined) {
    return t('Neither had an answer.');
  }
  if (diff.isSame) {
    return t('Both answers say the same.');
  }
  if (diff.isCoarse) {
    return t('The answers are too large or too deep to be compared part by part.');
  }
  return shown === 0 ? t('The answers differ only in what changes by itself.') : '';
}

/** The answering message as JSON, as a text where it is none. */
function answerOf(recording: Recording<ReadableLog>, { endSeq }: Exchange): JsonValue | undefined {
  const body = endSeq === undefined ? undefined : recording.log.get(Math.floor(endSeq))?.body;
  if (body?.kind !== 'message' && body?.kind !== 'noise') {
    return undefined;
  }
  try {
    return JSON.parse(body.raw) as JsonValue;
  } catch {
    return body.raw;
  }
}

function callEnd(recording: Recording<ReadableLog>, exchange: Exchange): CallEnd {
  const { chain, verdict, endUs } = exchange;
  const headUs = chain === undefined ? undefined : recording.exchange(chain.head)?.startUs;
  return {
    outcome: verdict?.outcome,
    attempts: chain?.attempt ?? 1,
    timeMs: endUs === undefined ? 0 : (endUs - (headUs ?? exchange.startUs)) / 1000,
  };
}

function changeView({ kind, pointer, inner, before, after, from, isVolatile, volatile }: ResultChange): ChangeView {
  return {
    kind,
    kindText: kindTexts[kind],
    pointer,
    ...(inner === undefined ? {} : { inner }),
    ...(before === undefined || kind === 'moved' ? {} : { before: shortText(before) }),
    ...(after === undefined ? {} : { after: shortText(after) }),
    ...(from === undefined ? {} : { from }),
    ...(isVolatile
      ? { volatileText: volatile === undefined ? t('named as volatile') : say(`diff.volatile.${volatile}`) }
      : {}),
  };
}

function shortText(value: JsonValue): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    // Deeper than it can be written.
    text = t('too deep to be shown');
  }
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE - 1)}…`;
}
