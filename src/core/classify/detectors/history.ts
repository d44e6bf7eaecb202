import type { ToolHistory } from '../../../protocol/call.ts';
import { isObject } from '../../../protocol/json.ts';
import type { Detector, DetectorContext, Evidence } from '../evidence.ts';
import { get, getString, isEmptyValue, shorten } from '../json.ts';
import { openingOf } from '../memory/toolMemory.ts';
import type { ResultView, TextNode } from '../resultView.ts';
import { TELLS_FAILURE } from './failureLanguages.ts';
import { DENIAL, NOTHING_FOUND, undecorated } from './failureWords.ts';
import { isEcho } from './wording.ts';

/** Fewer answers say nothing of what a tool is like. */
const ENOUGH = 3;
/** A tool's word on its own act is short. */
const SHORT = 300;
/** Of an object that replaces what was promised: it has words in one of these, and nothing else to say. */
const MESSAGE = ['message', 'detail', 'error', 'reason', 'msg', 'description', 'title'];

/**
 * A tool against its own earlier answers: empty where they never were, a message where they had data, or words of failure
 * in an answer that begins as none of them did. Searches may well find nothing, and reports may well be bad.
 */
export const detectUnlikeBefore: Detector = (view, context) => {
  const { history } = context.request;
  const { nature } = context;
  if (history === undefined || history.successes < ENOUGH || nature.reports || nature.executes || nature.makesText) {
    return [];
  }
  const found = empty(view, history, context) ?? otherShape(view, history) ?? otherWords(view, history, context);
  return found === undefined ? [] : [found];
};

/** Nothing at all, from a tool that always had something. */
function empty(
  view: ResultView,
  { successes, withContent }: ToolHistory,
  { nature }: DetectorContext,
): Evidence | undefined {
  const isEmpty =
    !view.hasOtherBlocks &&
    view.texts.every(({ text }) => /^(?:null|undefined|none|nil)?$/i.test(text.trim())) &&
    view.data.every(({ value }) => isObject(value) && Object.values(value).every((member) => member === null));
  return isEmpty && withContent === successes && !nature.searches
    ? failed('emptyUnlikeBefore', { count: successes }, view.texts[0]?.pointer ?? view.data[0]?.pointer, '')
    : undefined;
}

/** `{message: "Bad credentials"}` where there always were the members of what was asked for. */
function otherShape(view: ResultView, { successes, withData, members }: ToolHistory): Evidence | undefined {
  const node = view.data.find(({ value }) => isObject(value));
  if (node === undefined || !isObject(node.value) || withData < successes || members.length === 0) {
    return undefined;
  }
  const object = node.value;
  const hasNone = members.every((key) => isEmptyValue(get(object, key)));
  const key = MESSAGE.find((one) => (getString(object, one) ?? '').trim() !== '' && !members.includes(one));
  const words = key === undefined ? '' : (getString(object, key) ?? '');
  const isOnlyThat = Object.keys(object).length <= 4;
  return hasNone && isOnlyThat && words !== '' && !NOTHING_FOUND.some((pattern) => pattern.test(words))
    ? failed(
        'shapeUnlikeBefore',
        { count: successes, members: members.slice(0, 3).join(', '), text: shorten(words) },
        node.pointer,
        words,
      )
    : undefined;
}

/** A sentence that denies something, where there always was data or where the tool never spoke so. */
function otherWords(
  view: ResultView,
  history: ToolHistory,
  { request, nature }: DetectorContext,
): Evidence | undefined {
  const first = view.texts[0];
  if (first === undefined || view.data.length > 0 || first.text.length > SHORT || first.text.trim().includes('\n')) {
    return undefined;
  }
  const head = undecorated(first.text);
  const wasData = history.withData === history.successes;
  // A tool that begins each answer otherwise, or now with data and now with words, has no habit to break.
  const hasHabit = wasData || (history.withData === 0 && history.openings.length * ENOUGH <= history.successes);
  const isNew = hasHabit && !history.openings.includes(openingOf(first.text));
  const isNothing = NOTHING_FOUND.some((pattern) => pattern.test(head)) || /^[^.!\n]{0,200}\?/.test(head);
  if (!isNew || isNothing || isEcho(head, request) || (nature.carriesContent && !wasData)) {
    return undefined;
  }
  return tells(first, wasData) ? failed('unlikeBefore', said(history, first), first.pointer, first.text) : undefined;
}

/** Any denial will do where there were always data; of a tool that speaks, only a verb of failure. */
function tells({ text }: TextNode, wasData: boolean): boolean {
  return wasData ? DENIAL.test(text) || TELLS_FAILURE.test(text) : TELLS_FAILURE.test(text);
}

function said({ successes }: ToolHistory, { text }: TextNode) {
  return { count: successes, text: shorten(text) };
}

function failed(code: string, args: Evidence['signal']['args'], pointer: string | undefined, cause: string): Evidence {
  const at = pointer === undefined ? {} : { pointer };
  return { says: 'failed', signal: { code: `signal.silent.${code}`, strength: 'medium', ...at, args }, cause };
}
