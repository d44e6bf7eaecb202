import { pointerStep } from '../../../base/jsonPointer.ts';
import { isArray, isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { Detector, DetectorContext, Evidence } from '../evidence.ts';
import { get, isEmptyValue } from '../json.ts';
import type { DataNode } from '../resultView.ts';
import { argumentValues, causeIn, errorWords, isBadStatus, itemName, normalKey } from './envelope.ts';
import { BENIGN_REASON } from './failureWords.ts';

const FAILED_LISTS =
  /^(?:failed|failures?|errors?|errored|rejected|rejects|denied|refused|declined|bounced|invalid|unprocessed|notprocessed|undelivered|unresolved|notfound|missing|skipped|dropped|timedout|unreachable|unreadable|incomplete|fehlgeschlagen|fehler|abgelehnt|échecs?|erreurs|fallidos|errores|falhas|erros|falliti|errori|失败|失败列表|失敗)(?:items?|ids?|files?|rows?|records?|entries|paths?|urls?|list|keys?|names?|recipients?|documents?|results?)?$/;
const DONE_LISTS =
  /^(?:succeeded|success|successes|successful|results?|items|created|updated|deleted|processed|completed|done|ok|sent|delivered|imported|exported|uploaded|downloaded|copied|moved|written|saved|converted|data|records|rows|files|documents|accepted|applied|found|passed|inserted|upserted|migrated|indexed|synced|resolved|values|entries|erfolgreich|erstellt|importiert|réussis|créés|exitosos|creados|sucesso|criados|riusciti|creati|成功|成功列表)(?:items?|ids?|files?|rows?|records?|entries|paths?|urls?|list|keys?|names?|recipients?|documents?|results?)?(?:count)?$/;
/** `notDone`, `unsent`, `unavailable`: named by what did not become of them. */
const UNDONE_LISTS =
  /^(?:not(?:[a-z]{2,20}ed|done|sent|made|read|written|found)|un(?:available|sent|done|saved|written|converted|delivered))$/;
/** Lists of these need a reason: what is skipped or missing may well be meant so. */
const NEEDS_REASON = /^(?:skipped|missing|not|un(?!processed|delivered|resolved)|incomplete|invalid|dropped)/;
const MAX_NAMED = 50;
const MAX_KEYS = 200;

/** A list of failures beside what was done, or items of which some carry an error and others do not. */
export const detectBatch: Detector = (view, context) => {
  if (context.nature.reports) {
    return [];
  }
  const found = view.data.flatMap((node) => {
    const evidence = isObject(node.value)
      ? (failureList(node.value, node, context) ?? inItemLists(node.value, node, context))
      : isArray(node.value)
        ? mixedItems(node.value, node.pointer, node, context)
        : undefined;
    return evidence === undefined ? [] : [evidence];
  });
  return found.length > 0
    ? found.slice(0, 1)
    : [...inBlocks(view.data, context), ...inMap(view.data, context)].slice(0, 1);
};

/** Items that came in blocks of their own, each a JSON object. */
function inBlocks(data: readonly DataNode[], context: DetectorContext): readonly Evidence[] {
  const blocks = data.filter(({ isStructured }) => !isStructured);
  const items = blocks.map(({ value }) => value);
  const first = blocks[0];
  const evidence = first === undefined ? undefined : mixedItems(items, first.pointer, first, context);
  return evidence === undefined ? [] : [evidence];
}

/** Items under names of their own: some carry an error where the others have what was asked for. */
function inMap(data: readonly DataNode[], context: DetectorContext): readonly Evidence[] {
  for (const node of data) {
    const items = isObject(node.value) ? Object.values(node.value) : [];
    const isAlike = Object.keys(items.find(isObject) ?? {}).some((key) =>
      items.every((item) => isObject(item) && Object.hasOwn(item, key)),
    );
    const careful = isAlike ? context : { ...context, nature: { ...context.nature, reads: true } };
    const evidence = items.every((item) => isObject(item) && Object.keys(item).length > 0)
      ? mixedItems(items, node.pointer, { ...node, isStructured: false }, careful)
      : undefined;
    if (evidence !== undefined && isObject(node.value)) {
      const names = Object.keys(node.value);
      const failed = names.filter(
        (_, index) => isObject(items[index]) && errorWords(get(items[index], 'error')) !== undefined,
      );
      return [
        {
          ...evidence,
          ...(evidence.partial === undefined
            ? {}
            : { partial: { ...evidence.partial, missing: failed.slice(0, MAX_NAMED) } }),
        },
      ];
    }
  }
  return [];
}

function failureList(object: JsonObject, node: DataNode, context: DetectorContext): Evidence | undefined {
  const keys = Object.keys(object).slice(0, MAX_KEYS);
  const done = doneIn(object, keys, context);
  for (const key of keys) {
    const normal = normalKey(key);
    const list = get(object, key);
    const items = isArray(list) ? list : isObject(list) && normal !== 'error' ? Object.keys(list) : [];
    if (
      items.length === 0 ||
      !(FAILED_LISTS.test(normal) || UNDONE_LISTS.test(normal)) ||
      !isBatchList(normal, list, done, context)
    ) {
      continue;
    }
    const said = errorWords(get(object, 'error'));
    const reasons = [...reasonsOf(list), ...(said === undefined ? [] : [said])];
    if (NEEDS_REASON.test(normal) && !hasBadReason(reasons) && !wereAskedFor(items, context)) {
      continue;
    }
    const pointer = node.isStructured ? `${node.pointer}${pointerStep(key)}` : node.pointer;
    const signal = { pointer, args: { key, count: items.length, done } };
    const cause = reasons.join('; ') || causeIn(object);
    if (done === 0) {
      // Nothing was done at all: that is a failure, unless the list is the very thing that was asked for.
      return isEverythingFailed(object, keys)
        ? { says: 'failed', signal: { ...signal, code: 'signal.silent.allFailed', strength: 'strong' }, cause }
        : undefined;
    }
    return {
      says: 'partial',
      signal: { ...signal, code: 'signal.partial.list', strength: 'strong' },
      cause,
      partial: { done, total: done + items.length, missing: items.slice(0, MAX_NAMED).map(itemName) },
    };
  }
  return undefined;
}

/** Lists and maps that describe the operation instead of what it brought. */
const BESIDE =
  /^(?:summary|meta|metadata|stats|statistics|config|options|params|parameters|query|args|arguments|filters?|warnings?|notes?|tags|links|headers|context|request|info|logs?|steps|schema|columns|fields|missing\w*|skipped\w*)$/;

/** How much was done: under a name that says so, or in an acting or batch-reading tool under any name of its own. */
function doneIn(object: JsonObject, keys: readonly string[], { nature }: DetectorContext): number {
  const named = sizeOf(
    object,
    keys.filter((key) => DONE_LISTS.test(normalKey(key))),
  );
  if (named > 0 || (nature.reads && !nature.carriesContent)) {
    return named;
  }
  const others = keys.filter((key) => {
    const normal = normalKey(key);
    const isList = typeof get(object, key) === 'object';
    return isList && !FAILED_LISTS.test(normal) && !BESIDE.test(normal) && !isErrorKey(normal);
  });
  return sizeOf(object, others) || sizeOf(object, keys.filter(isCountOfDone));
}

/** `tagged: 40`: a past participle with a count. */
function isCountOfDone(key: string): boolean {
  return /^(?!un|not|skip|fail|reject|miss|deni|refus|requir|expect|need)[a-z]{2,20}ed(?:_?count)?$/i.test(key);
}

function isErrorKey(key: string): boolean {
  return key === 'error' || key === 'err' || key === 'exception';
}

/** In a reading tool's answer `errors` may be data; as the fruit of a batch it stands beside a list of what was done. */
function isBatchList(key: string, list: JsonValue | undefined, done: number, { nature }: DetectorContext): boolean {
  if (key === 'errors' || key === 'error') {
    const isOfItems = isArray(list)
      ? list.some((item) => errorWords(item) !== undefined)
      : isObject(list) && Object.entries(list).some(([at, item]) => /^\d+$/.test(at) && errorWords(item) !== undefined);
    return done > 0 && isOfItems;
  }
  return !nature.searches || done > 0;
}

function isEverythingFailed(object: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => {
    const value = get(object, key);
    return DONE_LISTS.test(normalKey(key)) && (value === 0 || (isArray(value) && value.length === 0));
  });
}

/** Sum of list lengths and counts under `keys`. */
function sizeOf(object: JsonObject, keys: readonly string[]): number {
  let size = 0;
  for (const key of keys) {
    const value = get(object, key);
    if (isArray(value)) {
      size += value.length;
    } else if (typeof value === 'number' && Number.isInteger(value) && value > 0) {
      size += value;
    } else if (isObject(value)) {
      size += Object.keys(value).length;
    }
  }
  return size;
}

function reasonsOf(list: JsonValue | undefined): readonly string[] {
  const items = isArray(list)
    ? list.slice(0, MAX_NAMED)
    : isObject(list)
      ? Object.values(list).slice(0, MAX_NAMED)
      : [];
  return items.flatMap((item) => {
    const words = isObject(item) ? causeIn(item) : isObject(list) && typeof item === 'string' ? item : '';
    return words === '' ? [] : [words];
  });
}

/** Items that the caller named one by one and that did not come. */
function wereAskedFor(items: readonly JsonValue[], { request }: DetectorContext): boolean {
  const known = argumentValues(request);
  return items.length > 0 && items.every((item) => known.has(item));
}

function hasBadReason(reasons: readonly string[]): boolean {
  return reasons.some((reason) => !BENIGN_REASON.test(reason));
}

function inItemLists(object: JsonObject, node: DataNode, context: DetectorContext): Evidence | undefined {
  for (const key of Object.keys(object).slice(0, MAX_KEYS)) {
    const list = get(object, key);
    if (isArray(list) && !FAILED_LISTS.test(normalKey(key))) {
      const pointer = node.isStructured ? `${node.pointer}${pointerStep(key)}` : node.pointer;
      const evidence = mixedItems(list, pointer, node, context);
      if (evidence !== undefined) {
        return evidence;
      }
    }
  }
  return undefined;
}

/** Items that failed among items that did not. A reading tool's items may be entities in a bad state, which is data. */
function mixedItems(
  list: readonly JsonValue[],
  pointer: string,
  node: DataNode,
  context: DetectorContext,
): Evidence | undefined {
  if (list.length < 2 || list.length > 100_000 || !list.every(isObject)) {
    return undefined;
  }
  const failedAt: number[] = [];
  for (const [index, item] of list.entries()) {
    if (isFailedItem(item, list, context)) {
      failedAt.push(index);
    }
  }
  if (failedAt.length === 0) {
    return undefined;
  }
  const first = failedAt[0] ?? 0;
  const cause = failedAt
    .slice(0, MAX_NAMED)
    .map((index) => causeIn(list[index] ?? {}))
    .join('; ');
  const at = node.isStructured ? `${pointer}/${first}` : pointer;
  const signal = { pointer: at, args: { count: failedAt.length, total: list.length } };
  if (failedAt.length === list.length) {
    return { says: 'failed', signal: { ...signal, code: 'signal.silent.everyItem', strength: 'strong' }, cause };
  }
  return {
    says: 'partial',
    signal: { ...signal, code: 'signal.partial.items', strength: 'strong' },
    cause,
    partial: {
      done: list.length - failedAt.length,
      total: list.length,
      missing: failedAt.slice(0, MAX_NAMED).map((index) => itemName(list[index], index)),
    },
  };
}

function isFailedItem(item: JsonObject, list: readonly JsonObject[], { nature }: DetectorContext): boolean {
  const hasError = ['error', 'err', 'errorMessage', 'error_message', 'exception'].some(
    (key) => errorWords(get(item, key)) !== undefined,
  );
  const isFlagged = ['success', 'ok', 'succeeded'].some((key) => get(item, key) === false);
  if (nature.reads || nature.carriesContent) {
    return (hasError || isFlagged) && lacksWhatOthersHave(item, list);
  }
  return hasError || isFlagged || isBadStatus(get(item, 'status'));
}

/** An item of a batch read that failed has no content where the others have theirs. */
function lacksWhatOthersHave(item: JsonObject, list: readonly JsonObject[]): boolean {
  const other = list.find(
    (candidate) =>
      candidate !== item && errorWords(get(candidate, 'error')) === undefined && get(candidate, 'success') !== false,
  );
  return (
    other !== undefined &&
    Object.keys(other).some(
      (key) => !isEmptyValue(get(other, key)) && get(other, key) !== true && isEmptyValue(get(item, key)),
    )
  );
}
