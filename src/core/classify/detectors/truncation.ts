import { pointerStep } from '../../../base/jsonPointer.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import type { Detector, Evidence } from '../evidence.ts';
import { get, getString, shorten } from '../json.ts';
import type { DataNode } from '../resultView.ts';
import { causeIn, normalKey } from './envelope.ts';

/** Claims by themselves: the server says that part is missing. */
const CLAIMS = new Set([
  'partial',
  'ispartial',
  'partialresult',
  'partialresults',
  'partialsuccess',
  'partialfailure',
  'incomplete',
  'incompleteresults',
  'isincomplete',
]);
const CLAIMS_IF_FALSE = new Set(['complete', 'iscomplete', 'finished', 'allprocessed']);
/** A cut by a size or page limit is how tools page; it is partial only for a reason that stopped the work. */
const NEEDS_REASON = new Set(['truncated', 'istruncated', 'hasmore', 'timedout', 'cutoff', 'limited']);
const STOPPED =
  /time(?:d)?[ -]?(?:out|budget|limit)|deadline|budget|abort|interrupt|cancel|fail|error|crash|unreachable|unavailable|connection|disconnect|quota|rate[ -]?limit|out of memory|gave up|\bonly \d+ of \d+|after \d+ of \d+|nicht|abgebrochen|zeit|interrompu|délai|tiempo|tempo|超时|中断|失败|タイムアウト|中断/i;

const OPENING =
  /^(?:warning: |note: |⚠️? ?)?(?:partial(?:ly)? (?:results?|success|successful|complete[d]?|failure|failed|import|upload|response)|(?:results?|response|output|data) (?:is|are|may be) (?:partial|incomplete)|incomplete (?:results?|response|data)|only (?:a )?part|(?:\p{L}+ ){1,3}(?:is |was )?(?:incomplete|unvollständig|incomplète?|incomplet[oa])\s?[:.,(]|teilweise (?:erfolg|fertig|fehl|importiert|verarbeitet)|teilerfolg|partiellement|résultats? partiels?|parcialmente|resultados? parciais?|resultados? parciales|parzialmente|risultati? parziali?|部分(?:成功|完成|失败)|一部(?:成功|失敗|のみ|の))/iu;

/** Flags and words with which a result says itself that part of the work is missing. */
export const detectTruncation: Detector = (view, { nature }) => {
  if (nature.reports || nature.executes || nature.makesText) {
    return [];
  }
  for (const node of view.data) {
    const found =
      isObject(node.value) && (node.isStructured || !nature.relays) ? inObject(node.value, node) : undefined;
    if (found !== undefined) {
      return [found];
    }
  }
  const first = view.texts[0];
  const head = first?.text.trimStart().slice(0, 200) ?? '';
  if (first === undefined || first.text.length > 4000 || !OPENING.test(head)) {
    return [];
  }
  const signal = {
    code: 'signal.partial.words',
    strength: 'strong',
    pointer: first.pointer,
    args: { text: shorten(head) },
  } as const;
  return [{ says: 'partial', signal, cause: first.text, partial: { missing: [] } }];
};

function inObject(object: JsonObject, node: DataNode): Evidence | undefined {
  for (const key of Object.keys(object).slice(0, 200)) {
    const normal = normalKey(key);
    const value = get(object, key);
    const isClaim =
      (CLAIMS.has(normal) && value === true) || (CLAIMS_IF_FALSE.has(normal) && value === false && hasReason(object));
    const isCut = NEEDS_REASON.has(normal) && value === true && hasReason(object);
    if (isClaim || isCut) {
      return {
        says: 'partial',
        signal: {
          code: 'signal.partial.flag',
          strength: 'strong',
          pointer: node.isStructured ? `${node.pointer}${pointerStep(key)}` : node.pointer,
          args: { key: shorten(key, 60), reason: shorten(reasonOf(object)) },
        },
        cause: reasonOf(object) || causeIn(object),
        partial: { ...amounts(object), missing: [] },
      };
    }
  }
  return undefined;
}

function reasonOf(object: JsonObject): string {
  return Object.keys(object)
    .filter((key) => /reason|message|warning|note|cause|error|why|grund|raison|motivo/i.test(key))
    .map((key) => getString(object, key) ?? '')
    .filter((text) => text !== '')
    .join('; ');
}

function hasReason(object: JsonObject): boolean {
  return STOPPED.test(reasonOf(object).slice(0, 1000));
}

/** `shardsRead: 2, shardsTotal: 5` and the like, where exactly one such pair stands in the object. */
function amounts(object: JsonObject): { readonly done?: number; readonly total?: number } {
  const keys = Object.keys(object).filter((key) => Number.isInteger(get(object, key)));
  const total = keys.find((key) => /total|expected|requested/i.test(key));
  const done = keys.find(
    (key) => key !== total && /read|done|processed|completed|scanned|fetched|returned|searched/i.test(key),
  );
  const count = (key: string | undefined) => (key === undefined ? undefined : (get(object, key) as number));
  const [doneCount, totalCount] = [count(done), count(total)];
  return {
    ...(doneCount === undefined ? {} : { done: doneCount }),
    ...(totalCount === undefined ? {} : { total: totalCount }),
  };
}
