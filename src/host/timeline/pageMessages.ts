import * as z from 'zod/mini';
import { COPY_FORMATS } from '../../core/export/copyAs/copySource.ts';
import { MAX_FILTER_LENGTH } from '../../core/timeline/filter/limits.ts';
import { OUTCOME_KINDS } from '../../protocol/outcome.ts';
import type { TimelineRequests } from '../../protocol/webview.ts';

/** Keys may be negative (a chain head's own first attempt) and fractional (an item of a batch). */
const key = z.number();
const natural = z.int().check(z.nonnegative());
const outcomes = z.array(z.enum(OUTCOME_KINDS));
const filterText = z.string().check(z.maxLength(MAX_FILTER_LENGTH));

const range = z.object({ fromUs: z.number(), toUs: z.optional(z.number()) });

/** Bars of the widest strip that anybody has; more is a broken page. */
const MAX_BUCKETS = 4096;
const buckets = z.int().check(z.positive(), z.maximum(MAX_BUCKETS));

/** Rows that a page may ask for at once; more is a broken page, not a tall screen. */
const MAX_ROWS = 1000;

/** UTF-16 code units that a page may put on the clipboard: it never holds more of a message. */
const MAX_COPIED = 1_000_000;

const params = {
  ready: z.object({ placement: z.enum(['sidebar', 'editor']) }),
  rows: z.object({ from: natural, count: natural.check(z.maximum(MAX_ROWS)) }),
  setFilter: z.object({ hiddenOutcomes: outcomes, text: filterText, range: z.optional(range) }),
  complete: z.object({ text: filterText, cursor: natural }),
  pickFilter: z.object({ hiddenOutcomes: outcomes, text: filterText }),
  overview: z.object({ buckets, isByServer: z.boolean() }),
  charts: z.object({ buckets }),
  rowNear: z.object({ fromUs: z.number(), toUs: z.number(), server: z.optional(z.string()) }),
  setExpanded: z.object({ key, isExpanded: z.boolean() }),
  details: z.object({ key }),
  indexOf: z.object({ key }),
  nextFailure: z.object({ from: z.optional(key), direction: z.union([z.literal(1), z.literal(-1)]) }),
  replay: z.object({ key }),
  editReplay: z.object({ key }),
  copy: z.object({ key, format: z.enum(COPY_FORMATS) }),
  copyText: z.object({ text: z.string().check(z.maxLength(MAX_COPIED)) }),
  openPayload: z.object({ seq: natural, isRaw: z.optional(z.boolean()) }),
  image: z.object({ seq: natural, pointer: z.string().check(z.maxLength(1000)) }),
  selectForCompare: z.object({ key }),
  compareWithSelected: z.object({ key }),
  compare: z.object({ key, base: key, ignoreVolatile: z.boolean() }),
  openTextDiff: z.object({ key, base: key }),
  goToToolSource: z.object({ key }),
  runCommand: z.object({
    command: z.enum(['runDemo', 'connectAll', 'openInEditor', 'clear', 'stopFaults', 'manageTrust']),
  }),
} satisfies { [M in keyof TimelineRequests]: z.ZodMiniType };

const request = z.object({ type: z.literal('request'), id: natural, method: z.string(), params: z.unknown() });
const selection = z.object({ type: z.literal('selection'), key: z.optional(key) });

/** A message of the page that has the form of the contract. */
export type ValidMessage =
  | { readonly type: 'selection'; readonly key: number | undefined }
  | {
      [M in keyof TimelineRequests]: {
        readonly type: 'request';
        readonly id: number;
        readonly method: M;
        readonly params: TimelineRequests[M]['params'];
      };
    }[keyof TimelineRequests];

/** What came from the page, checked. `invalid` carries the id to answer, where there was one. */
export type PageMessage =
  | ValidMessage
  | { readonly type: 'invalid'; readonly id: number | undefined; readonly problem: string };

/** Checks a message of the page against the contract. Never throws. */
export function readPageMessage(message: unknown): PageMessage {
  const selected = selection.safeParse(message);
  if (selected.success) {
    return { type: 'selection', key: selected.data.key };
  }
  const outer = request.safeParse(message);
  if (!outer.success) {
    return { type: 'invalid', id: undefined, problem: z.prettifyError(outer.error) };
  }
  const { id, method } = outer.data;
  if (!Object.hasOwn(params, method)) {
    return { type: 'invalid', id, problem: `unknown method ${method}` };
  }
  const inner = params[method as keyof typeof params].safeParse(outer.data.params);
  if (!inner.success) {
    return { type: 'invalid', id, problem: z.prettifyError(inner.error) };
  }
  return { type: 'request', id, method, params: inner.data } as ValidMessage;
}
