import type { JudgedRequest } from '../../../protocol/call.ts';
import { isArray, isObject } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import type { Detector, DetectorContext, Evidence } from '../evidence.ts';
import { get, shorten } from '../json.ts';
import type { ResultView, TextNode } from '../resultView.ts';
import { isOwnAct } from '../toolNature.ts';
import { CROSS, DENIAL, failureIn, NOTHING_FOUND, TICK, undecorated } from './failureWords.ts';

/** A text about a tool's own act is short; what is longer is likelier to be content that it hands out. */
const SHORT = 500;
const SHORT_LINES = 4;

/** Nothing was done since nothing was to be done. */
const NO_OP =
  /unchanged|up[ -]to[ -]date|no changes?\b|not modified|not needed|nothing to|already (?:up|exists?|done|current|in sync|the same|set|enabled|disabled|installed|present|closed|open)|unverändert|inchangé|sin cambios|sem alterações|无变化|変更なし/i;

/** Words with which a reporting tool speaks of itself, and not of what it looked at. */
const OF_ITSELF =
  /\b(?:connect|reach|read|open|quer(?:y|ying)|search(?:ing)?|fetch(?:ing)?|load(?:ing)?|access|authenticat|run(?:ning)? (?:the )?(?:tests?|linter|checks?|command)|retriev\w+|list(?:ing)?|get(?:ting)?|start(?:ing)?|execut\w+|translat\w+|generat\w+|summari[sz]\w+|transcrib\w+|render\w+|process\w+)\b/i;

/** "Error: …", as programs write and stories do not. */
const FORMAL =
  /^(?:[\w-]{1,20} ){0,3}(?:error|exception|fehler|erreur|errore?|erro|错误|エラー|hata|ошибка|błąd|fout)(?: \d{1,5})?\s?[:：]|^[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana} ]{0,12}(?:失败|失敗|실패)\s?[:：]/iu;

/** The start of the first text announces a failure: a cross, or words of one of a dozen languages. */
export const detectWording: Detector = (view, context) => {
  const first = view.texts[0];
  if (first === undefined || view.data.some(({ value }) => isObject(value) && saysSuccess(value))) {
    return [];
  }
  const { text, pointer } = first;
  const hasCross = CROSS.test(text);
  const head = undecorated(hasCross ? text.replace(CROSS, '') : text);
  const words = failureIn(head);
  if (
    head === '' ||
    (words === undefined && !hasCross) ||
    NOTHING_FOUND.some((pattern) => pattern.test(head)) ||
    isNoStatement(head, context.request)
  ) {
    return [];
  }
  const isShort = text.length <= SHORT && lineCount(text) <= SHORT_LINES;
  if (hasCross && !mayCarryMarks(context) && !hasTickedLine(text) && (words !== undefined || DENIAL.test(head))) {
    return [evidence('signal.silent.cross', pointer, text, words?.isOpening === true || isShort ? 'strong' : 'medium')];
  }
  const isAskedFor = context.nature.makesText && isAboutFailure(context.request);
  if (words === undefined || isAskedFor || !isTrusted(words.isOpening, isShort, first, view, context)) {
    return [];
  }
  const strength = words.isOpening && isShort ? 'strong' : 'medium';
  return [evidence('signal.silent.wording', pointer, text, strength)];
};

/** Given back, asked, or the very thing that the tool is to do. */
function isNoStatement(head: string, request: JudgedRequest): boolean {
  return isEcho(head, request) || /^[^.!\n]{0,200}\?/.test(head) || isOwnAct(request, head);
}

function isTrusted(
  isOpening: boolean,
  isShort: boolean,
  { text }: TextNode,
  view: ResultView,
  { nature }: DetectorContext,
): boolean {
  if (nature.reports || nature.executes) {
    return isOpening && isShort && speaksOfItself(undecorated(text));
  }
  if (nature.makesText) {
    return isOpening && isShort && (FORMAL.test(undecorated(text)) || speaksOfItself(undecorated(text)));
  }
  if (!isOpening) {
    return isShort && !NO_OP.test(text) && !nature.carriesContent && !nature.reads;
  }
  if (nature.carriesContent && !nature.searches) {
    // What was read may itself be a log; a tool that could not read says so in a line, and in no member for content.
    return isShort && lineCount(text) === 1 && !isStructuredContent(text, view);
  }
  return isShort || !nature.carriesContent;
}

/** The same text under a name such as `content` is what the tool says that it brought. */
function isStructuredContent(text: string, view: ResultView): boolean {
  return view.data.some(
    ({ value, isStructured }) =>
      isStructured &&
      isObject(value) &&
      ['content', 'text', 'body', 'markdown'].some((key) => get(value, key) === text),
  );
}

function speaksOfItself(head: string): boolean {
  return /^(?:failed|unable|could not|couldn|cannot|error (?:while )?[a-z]+ing\b)/i.test(head) && OF_ITSELF.test(head);
}

/** Tools whose output is full of crosses by design: check lists, test reports, pages. */
function mayCarryMarks({ nature }: DetectorContext): boolean {
  return nature.reports || nature.carriesContent || nature.makesText || nature.reads;
}

function hasTickedLine(text: string): boolean {
  return text
    .slice(0, 4000)
    .split('\n')
    .some((line) => TICK.test(line));
}

function lineCount(text: string): number {
  return text.trim().split('\n', SHORT_LINES + 2).length;
}

function saysSuccess(value: JsonValue): boolean {
  return isObject(value) && ['success', 'ok', 'succeeded'].some((key) => get(value, key) === true);
}

/** True when the words came from the caller: an echo, a translation, a note that was read back. */
export function isEcho(head: string, request: JudgedRequest): boolean {
  const start = head.slice(0, 40).trim();
  return start.length >= 4 && someArgument(request, (text) => text.includes(start));
}

/** What a text-making tool was given to work on speaks of failure, so what it makes of it may as well. */
export function isAboutFailure(request: JudgedRequest): boolean {
  return someArgument(request, (text) => FAILURE.test(text.slice(0, 5000)));
}

const FAILURE =
  /error|fail|exception|could not|cannot|unable|denied|fehler|nicht|erreur|échec|erro|falh|fallo|错误|失败|エラー|失敗/i;

function someArgument(request: JudgedRequest, test: (text: string) => boolean): boolean {
  return someString(request.params === undefined ? undefined : get(request.params, 'arguments'), test, 0);
}

function someString(value: JsonValue | undefined, test: (text: string) => boolean, depth: number): boolean {
  if (typeof value === 'string') {
    return test(value);
  }
  if (depth > 3 || typeof value !== 'object' || value === null) {
    return false;
  }
  const items = isArray(value) ? value : Object.values(value);
  return items.slice(0, 200).some((item) => someString(item, test, depth + 1));
}

function evidence(code: string, pointer: string, text: string, strength: 'strong' | 'medium'): Evidence {
  return {
    says: 'failed',
    signal: { code, strength, pointer, args: { text: shorten(text) } },
    cause: text,
  };
}
