import { pointerStep } from '../../../base/jsonPointer.ts';
import { wordsOf } from '../../../base/words.ts';
import { isArray, isObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import { causeOf } from '../causes.ts';
import type { Detector, DetectorContext, Evidence } from '../evidence.ts';
import { get, isEmptyValue, shorten } from '../json.ts';
import type { DataNode } from '../resultView.ts';
import { isOwnAct } from '../toolNature.ts';
import { causeIn, errorWords, isBadStatus, isEntity, normalKey, payloadKeys } from './envelope.ts';

const FALSE_MEANS_FAILURE = new Set(['success', 'ok', 'succeeded', 'successful', 'issuccess', 'issuccessful']);
const TRUE_MEANS_FAILURE = new Set(['iserror', 'haserror', 'failed', 'error', 'errored', 'isfailure']);
const ERROR_KEYS = new Set([
  'error',
  'err',
  'errormessage',
  'exception',
  'fehler',
  'erreur',
  'errore',
  'erro',
  'errors',
  'errordescription',
  '错误',
  'エラー',
]);
const STATUS_KEYS = new Set(['status', 'state', 'statuscode', 'httpstatus', 'result', 'outcome', 'code']);

/**
 * The top of the structured content, or of JSON in a text, says that the operation failed: `success: false`,
 * `status: "error"`, a non-null `error`, and nothing that was to be brought stands beside it.
 */
export const detectShape: Detector = (view, context) => {
  const found = view.data.flatMap((node) => {
    if (!isObject(node.value) || isForeign(node, context)) {
      return [];
    }
    const evidence = inObject(node.value, node, context);
    return evidence === undefined ? [] : [evidence];
  });
  // Structured content is repeated as text (2025-06-18, "Structured Content"): once is enough.
  return found.slice(0, 1);
};

/** JSON that a file, a page or a program holds says nothing about the tool that fetched it. */
function isForeign(node: DataNode, { nature }: DetectorContext): boolean {
  return !node.isStructured && (nature.relays || (nature.carriesContent && !nature.searches));
}

function inObject(object: JsonObject, node: DataNode, context: DetectorContext): Evidence | undefined {
  const { nature, request } = context;
  const payload = payloadKeys(object, request);
  const hasPayload = payload.some((key) => !TRUE_MEANS_FAILURE.has(normalKey(key)) && !isVerdictKey(key));
  const saysSuccess = ['success', 'ok'].some((key) => get(object, key) === true);
  if (saysSuccess || (isEntity(object) && nature.reads)) {
    return undefined;
  }
  for (const key of Object.keys(object).slice(0, 200)) {
    const value = get(object, key);
    const normal = normalKey(key);
    if (FALSE_MEANS_FAILURE.has(normal) && (value === false || value === 'false') && !nature.reports) {
      return failed('signal.silent.flag', object, node, key, 'false', hasPayload ? 'medium' : 'strong');
    }
    if (value === false && isOwnDeed(key, context) && saysWhy(object, key) && !hasPayload) {
      return failed('signal.silent.flag', object, node, key, 'false', 'medium');
    }
    if (TRUE_MEANS_FAILURE.has(normal) && value === true && !nature.reports && !hasPayload) {
      return failed('signal.silent.flag', object, node, key, 'true', 'strong');
    }
    if (ERROR_KEYS.has(normal) && !hasPayload) {
      const words = isArray(value) ? errorList(object, key, context) : errorWords(value);
      if (words !== undefined && !(nature.reports && !isOnlyError(object))) {
        return failed('signal.silent.error', object, node, key, words, 'strong');
      }
    }
    if (
      STATUS_KEYS.has(normal) &&
      isBadStatus(value) &&
      !isOwnAct(request, String(value)) &&
      !nature.reports &&
      !hasPayload &&
      saysWhy(object, key)
    ) {
      return failed('signal.silent.status', object, node, key, String(value), 'strong');
    }
  }
  return nature.reports || hasPayload ? undefined : (errorCode(object, node) ?? emptyValue(object, node));
}

/** `deployed: false` from `deploy_app`: the very thing that the tool is to do. */
function isOwnDeed(key: string, { request, nature }: DetectorContext): boolean {
  const stem = /^([a-z]{3,})(?:ed|d)$/.exec(key)?.[1] ?? { sent: 'send', written: 'write', built: 'build' }[key];
  const isActing = !nature.reports && !nature.reads && !nature.executes && !nature.makesText;
  return (
    isActing &&
    stem !== undefined &&
    wordsOf(request.target ?? '').some((word) => stem.startsWith(word.slice(0, -1)) && word.length > 2)
  );
}

/** `{code: 1001, msg: "…", data: null}`: a number that is neither zero nor an HTTP success, and nothing brought. */
function errorCode(object: JsonObject, node: DataNode): Evidence | undefined {
  const code = get(object, 'code') ?? get(object, 'errcode') ?? get(object, 'errno');
  const hasEmptyData = ['data', 'result'].some((key) => Object.hasOwn(object, key) && isEmptyValue(get(object, key)));
  const isError = typeof code === 'number' && code !== 0 && !(code >= 200 && code < 300);
  return isError && hasEmptyData && saysWhy(object, 'code')
    ? failed('signal.silent.status', object, node, 'code', String(code), 'strong')
    : undefined;
}

/** `{quote: null, message: "connection reset"}`: what was asked for is null, and the message names a passing trouble. */
function emptyValue(object: JsonObject, node: DataNode): Evidence | undefined {
  const hasNull = Object.keys(object).some((key) => get(object, key) === null && !ERROR_KEYS.has(normalKey(key)));
  const cause = causeIn(object);
  return hasNull && causeOf(cause) === 'transient'
    ? failed('signal.silent.error', object, node, 'message', cause, 'medium')
    : undefined;
}

/** GraphQL and its like: `{data: null, errors: [{message}]}`. */
function errorList(object: JsonObject, key: string, { nature }: DetectorContext): string | undefined {
  const list = get(object, key);
  if (!isArray(list) || list.length === 0 || nature.reports) {
    return undefined;
  }
  const words = list.slice(0, 10).map((item) => errorWords(item) ?? '');
  return words.every((word) => word === '') ? undefined : words.join('; ');
}

function isVerdictKey(key: string): boolean {
  return FALSE_MEANS_FAILURE.has(normalKey(key)) || STATUS_KEYS.has(normalKey(key));
}

/** A reporting tool's own failure has nothing beside the error; a finding has. */
function isOnlyError(object: JsonObject): boolean {
  return (
    Object.keys(object).every((key) =>
      ['error', 'message', 'code', 'success', 'ok', 'details'].includes(normalKey(key)),
    ) && get(object, 'ok') === undefined
  );
}

function saysWhy(object: JsonObject, statusKey: string): boolean {
  if (Object.keys(object).length === 1) {
    return typeof get(object, statusKey) === 'string';
  }
  return Object.keys(object).some(
    (key) =>
      key !== statusKey &&
      /error|message|msg|reason|detail|cause|description|hint|exception|meldung/i.test(key) &&
      !isEmptyValue(get(object, key)),
  );
}

function failed(
  code: string,
  object: JsonObject,
  node: DataNode,
  key: string,
  value: string,
  strength: 'strong' | 'medium',
): Evidence {
  return {
    says: 'failed',
    signal: {
      code,
      strength,
      pointer: node.isStructured && Object.hasOwn(object, key) ? `${node.pointer}${pointerStep(key)}` : node.pointer,
      args: { key: shorten(key, 60), value: shorten(value) },
    },
    cause: causeIn(object),
  };
}
