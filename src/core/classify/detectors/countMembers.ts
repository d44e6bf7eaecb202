import { pointerStep } from '../../../base/jsonPointer.ts';
import { wordsOf } from '../../../base/words.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import { causeOf } from '../causes.ts';
import type { Detector, DetectorContext, Evidence } from '../evidence.ts';
import { get, shorten } from '../json.ts';
import type { DataNode } from '../resultView.ts';
import { causeIn } from './envelope.ts';

/** Members count fewer done than there were: `sent: 7, failed: 3` or `shardsRead: 2, shardsTotal: 5`. */
export const detectCountMembers: Detector = (view, context) => {
  const { nature } = context;
  if (nature.reports || nature.executes || nature.makesText) {
    return [];
  }
  const found = view.data.flatMap((node) => (isObject(node.value) ? (inObject(node.value, node, context) ?? []) : []));
  return found.slice(0, 1);
};

const DONE_KEYS = new Set(
  `processed completed done succeeded success successes successful imported exported uploaded downloaded sent delivered converted
  created updated deleted indexed migrated synced copied moved written saved read loaded inserted fetched scanned queried collected gathered
  retrieved archived tagged published notified assigned merged restored`.split(/\s+/),
);
const TOTAL_KEYS = new Set(['total', 'expected', 'requested', 'planned', 'all', 'attempted', 'submitted']);
const FAILED_KEYS = new Set([
  'failed',
  'failure',
  'failures',
  'errors',
  'errored',
  'rejected',
  'undelivered',
  'unprocessed',
  'timedout',
]);
const FILLER = new Set(['count', 'number', 'num', 'of', 'total', 'n', 'items', 'rows', 'records', 'files']);

/** Count members: a verb of completion against a total, or a count of failures beside a count of what was done. */
function inObject(object: JsonObject, node: DataNode, { nature }: DetectorContext): Evidence | undefined {
  let done: { readonly key: string; readonly count: number; readonly noun: string } | undefined;
  let total: { readonly count: number; readonly noun: string } | undefined;
  let failed: { readonly key: string; readonly count: number } | undefined;
  for (const key of Object.keys(object).slice(0, 200)) {
    const count = get(object, key);
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) {
      continue;
    }
    const words = wordsOf(key);
    const noun = words.filter((word) => !DONE_KEYS.has(word) && !TOTAL_KEYS.has(word) && !FILLER.has(word)).join(' ');
    if (words.some((word) => FAILED_KEYS.has(word))) {
      failed ??= { key, count };
    } else if (words.some((word) => TOTAL_KEYS.has(word)) && !words.some((word) => DONE_KEYS.has(word))) {
      total ??= { count, noun };
    } else if (words.some((word) => DONE_KEYS.has(word))) {
      done ??= { key, count, noun };
    }
  }
  if (done === undefined || Object.hasOwn(object, 'attempts')) {
    return undefined;
  }
  const cause = causeIn(object);
  // Counts that a reading tool gives are its data, unless a member says what went wrong; so are those of attempts.
  if ((nature.searches || nature.reads) && causeOf(cause) === 'unnamed') {
    return undefined;
  }
  const at = (key: string) => (node.isStructured ? `${node.pointer}${pointerStep(key)}` : node.pointer);
  if (failed !== undefined && failed.count > 0) {
    return done.count > 0
      ? {
          says: 'partial',
          signal: {
            code: 'signal.partial.failedCount',
            strength: 'strong',
            pointer: at(failed.key),
            args: { key: shorten(failed.key, 60), count: failed.count, done: done.count },
          },
          cause,
          partial: { done: done.count, total: done.count + failed.count, missing: [] },
        }
      : {
          says: 'failed',
          signal: {
            code: 'signal.silent.allFailed',
            strength: 'strong',
            pointer: at(failed.key),
            args: { key: shorten(failed.key, 60), count: failed.count, done: 0 },
          },
          cause,
        };
  }
  // A state that a reading tool tells may be under way; what an acting tool left undone is missing.
  const isSameNoun = total !== undefined && (total.noun === done.noun || total.noun === '' || done.noun === '');
  const isRunning = ['running', 'in_progress', 'pending'].includes(String(get(object, 'status') ?? ''));
  if (total === undefined || !isSameNoun || done.count >= total.count || done.count === 0 || isRunning) {
    return undefined;
  }
  return {
    says: 'partial',
    signal: {
      code: 'signal.partial.count',
      strength: 'medium',
      pointer: at(done.key),
      args: { done: done.count, total: total.count },
    },
    cause,
    partial: { done: done.count, total: total.count, missing: [] },
  };
}
