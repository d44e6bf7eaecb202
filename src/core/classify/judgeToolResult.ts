import type { JudgedRequest } from '../../protocol/call.ts';
import { isObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { Signal, SignalStrength, Verdict } from '../../protocol/outcome.ts';
import { retryOfToolFailure } from './causes.ts';
import { detectAccounts } from './detectors/accounts.ts';
import { detectBatch } from './detectors/batches.ts';
import { detectCountMembers } from './detectors/countMembers.ts';
import { detectCounts } from './detectors/counts.ts';
import { causeIn } from './detectors/envelope.ts';
import { detectException } from './detectors/exceptions.ts';
import { detectUnlikeBefore } from './detectors/history.ts';
import { detectHttpFailure } from './detectors/httpFailures.ts';
import { detectItemTexts } from './detectors/itemTexts.ts';
import { detectMixedSentences } from './detectors/mixedSentences.ts';
import { detectSdkText } from './detectors/sdkTexts.ts';
import { detectShape } from './detectors/shape.ts';
import { detectTruncation } from './detectors/truncation.ts';
import { detectWording } from './detectors/wording.ts';
import type { Detector, Evidence } from './evidence.ts';
import { get, getString, shorten } from './json.ts';
import { invalidResponse } from './judgeLocal.ts';
import { schemaBreak } from './outputSchema.ts';
import { type ResultView, viewResult } from './resultView.ts';
import { natureOf } from './toolNature.ts';

const DETECTORS: readonly Detector[] = [
  detectShape,
  detectBatch,
  detectCountMembers,
  detectCounts,
  detectAccounts,
  detectTruncation,
  detectItemTexts,
  detectMixedSentences,
  detectSdkText,
  detectException,
  detectHttpFailure,
  detectWording,
  detectUnlikeBefore,
];

const RANK: Readonly<Record<SignalStrength, number>> = { proof: 3, strong: 2, medium: 1, weak: 0 };

/** Judges a `tools/call` result that has the right shape: tool error, silent error, partial result or success. */
export function judgeToolResult(request: JudgedRequest, result: JsonObject, pointer: string): Verdict {
  const view = viewResult(result, pointer);
  if (get(result, 'isError') === true) {
    return toolError(view, pointer);
  }
  const context = { request, nature: natureOf(request) };
  const evidence = DETECTORS.flatMap((detect) => detect(view, context));
  return weigh(evidence) ?? brokenSchema(request, result, pointer) ?? success(result, view, pointer);
}

/** The output schema is not looked at: a tool error need not keep it (2025-06-18, "Tool Execution Errors"). */
function toolError(view: ResultView, pointer: string): Verdict {
  const texts = view.texts.map(({ text }) => text);
  const data = view.data.flatMap(({ value }) => (isObject(value) ? [causeIn(value)] : []));
  const cause = [...texts, ...data].join('\n');
  const first = view.texts[0];
  const flag: Signal = { code: 'signal.tool.isError', strength: 'proof', pointer: `${pointer}/isError`, args: {} };
  const words: Signal | undefined =
    first === undefined
      ? undefined
      : { code: 'signal.tool.says', strength: 'strong', pointer: first.pointer, args: { text: shorten(first.text) } };
  return {
    outcome: 'tool_error',
    retry: retryOfToolFailure(cause),
    signals: words === undefined ? [flag] : [flag, words],
  };
}

/**
 * Part done beats all failed: whoever names what was done has done it. Otherwise the strongest evidence decides, the
 * first of equals. Weak evidence decides nothing.
 */
function weigh(evidence: readonly Evidence[]): Verdict | undefined {
  const deciding = evidence.filter(({ signal }) => RANK[signal.strength] > 0);
  const partial = strongest(deciding.filter(({ says }) => says === 'partial'));
  const first = partial ?? strongest(deciding);
  if (first === undefined) {
    return undefined;
  }
  const same = deciding.filter((item) => item !== first && item.says === first.says);
  const signals = [first, ...same].map(({ signal }) => signal);
  const retry = retryOfToolFailure(first.cause === '' ? same.map(({ cause }) => cause).join('\n') : first.cause);
  if (first.says === 'failed') {
    return { outcome: 'silent_error', retry: retry === 'never' && givesReason(first) ? 'after_fix' : retry, signals };
  }
  const best = [first, ...same].find((item) => (item.partial?.missing.length ?? 0) > 0)?.partial;
  const amount = first.partial ?? best;
  const amounts =
    amount === undefined
      ? {}
      : { ...amount, missing: amount.missing.length > 0 ? amount.missing : (best?.missing ?? []) };
  return {
    outcome: 'partial',
    retry: retry === 'never' ? 'after_fix' : retry,
    signals,
    partial: { missing: [], ...amounts },
  };
}

/** Words that a reason is made of when there is none. */
const EMPTY_REASON =
  /something|unknown|unexpected|internal|failed|failure|\bboom\b|error|object|undefined|null|fehler|erreur/i;

/** A stated reason in whole words is something to act on, although no table knows it. An exception states none. */
function givesReason({ signal, cause }: Evidence): boolean {
  if (signal.code === 'signal.silent.trace' || signal.code === 'signal.silent.exception') {
    return false;
  }
  const reason =
    /(?:[:;,–—。：]\s?|\b(?:because|since|as|weil|da|car|parce que|porque|perché|because of|due to|wegen) )([^\n]{6,300})/iu.exec(
      cause,
    );
  const words = reason?.[1] ?? (signal.code === 'signal.silent.cross' ? cause : '');
  const isWhole =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u.test(words) || words.trim().split(/\s+/).length >= 3;
  return isWhole && !EMPTY_REASON.test(words);
}

function strongest(evidence: readonly Evidence[]): Evidence | undefined {
  let best: Evidence | undefined;
  for (const item of evidence) {
    if (best === undefined || RANK[item.signal.strength] > RANK[best.signal.strength]) {
      best = item;
    }
  }
  return best;
}

/** A tool with an output schema must keep it (2025-06-18, "Output Schema"). */
function brokenSchema(request: JudgedRequest, result: JsonObject, pointer: string): Verdict | undefined {
  if (request.outputSchema === undefined || request.outputSchema === null) {
    return undefined;
  }
  const structured = get(result, 'structuredContent');
  if (structured === undefined) {
    return invalidResponse('signal.invalid.noStructured', pointer);
  }
  const found = schemaBreak(request.outputSchema, structured);
  return found === undefined
    ? undefined
    : invalidResponse(`signal.invalid.schema.${found.problem}`, `${pointer}/structuredContent${found.pointer}`, {
        member: shorten(found.member, 80),
      });
}

function success(result: JsonObject, view: ResultView, pointer: string): Verdict {
  const objects = view.data.flatMap((node) => (isObject(node.value) ? [{ ...node, value: node.value }] : []));
  const more = objects.find(
    ({ value }) => get(value, 'hasMore') === true || get(value, 'has_more') === true || hasCursor(value),
  );
  const at = hasCursor(result) ? pointer : more?.pointer;
  return {
    outcome: 'success',
    retry: 'never',
    signals: at === undefined ? [] : [{ code: 'signal.more.cursor', strength: 'proof', pointer: at, args: {} }],
  };
}

function hasCursor(value: JsonObject): boolean {
  return (
    (getString(value, 'nextCursor') ?? getString(value, 'next_cursor') ?? getString(value, 'nextPageToken')) !==
    undefined
  );
}
