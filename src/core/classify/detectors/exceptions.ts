import type { Detector } from '../evidence.ts';
import { shorten } from '../json.ts';
import { isAboutFailure, isEcho } from './wording.ts';

/** Traces that runtimes print when a program dies. All are looked for at the start of the text only. */
const TRACES: readonly { readonly runtime: string; readonly pattern: RegExp }[] = [
  { runtime: 'Python', pattern: /^(?:[^\n]{0,200}\n){0,2}\s{0,8}Traceback \(most recent call last\):/ },
  {
    runtime: 'JavaScript',
    pattern:
      /^(?:Uncaught )?[\w.]{0,60}(?:Error|Exception)(?: \[\w+\])?: [^\n]{0,500}\n(?:[^\n]{0,300}\n){0,6}?\s{1,8}at \S/,
  },
  {
    runtime: 'Java',
    pattern:
      /^(?:Exception in thread "[^"\n]{0,80}" )?(?:[a-z][\w]{0,40}\.){1,10}[A-Z]\w{0,80}(?:Exception|Error)\b[^\n]{0,500}(?:\n\s{1,8}at |$)/,
  },
  { runtime: '.NET', pattern: /^(?:Unhandled exception[.:]? )?System\.(?:\w{1,60}\.){0,6}\w{0,80}Exception\b/i },
  { runtime: 'Go', pattern: /^panic: [^\n]{0,500}(?:\n|$)/ },
  { runtime: 'Rust', pattern: /^thread '[^'\n]{0,80}' (?:\(\d+\) )?panicked at / },
  { runtime: 'PHP', pattern: /^(?:PHP )?Fatal error: {1,2}Uncaught / },
  { runtime: 'Ruby', pattern: /^[^\n:]{1,200}\.rb:\d{1,6}:in [`'][^\n]{1,100}': / },
];

/** One of these is in every trace: a text without any is not looked at eight times. */
const TRACE_STEMS = /traceback|error|exception|panic|\.rb:/i;

/** A bare exception line, such as `KeyError: 'x'` or `TypeError: fetch failed`, or a system error by its number. */
const EXCEPTION_LINE =
  /^(?:[a-z_][\w]{0,40}\.){0,6}(?:[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception)|Error|KeyboardInterrupt|StopIteration)(?: \[\w{1,40}\])?: \S/;
const SYSTEM_ERROR =
  /^(?:E[A-Z]{3,14}|UND_ERR_[A-Z_]{3,30}|ERR_[A-Z_]{3,40}|net::ERR_[A-Z_]{3,40}|SQLSTATE\[\w{5}\]|ORA-\d{5}|SQLITE_[A-Z_]{3,30}|curl: \(\d{1,3}\)|psycopg2?\.errors\.\w{1,60})(?::| (?=Fail|Could))\s?\S/;

/** SQLAlchemy puts the exception of the driver in front: `(psycopg2.errors.UndefinedTable) relation …`. */
const IN_PARENTHESES =
  /^\((?:[a-z_]\w{0,40}\.){1,5}(?:[A-Z]\w{0,60}(?:Error|Exception)|(?<=\.errors\.)[A-Z]\w{1,60})\) \S/;

/** What engines say when a program trips, without the name of the exception. */
const ENGINE_WORDS =
  /^(?:cannot read propert(?:y|ies) of (?:undefined|null)|(?:undefined|null) is not (?:an object|a function|iterable)|[\w.$]{1,80} is not (?:a function|iterable|defined)$|'?NoneType'? object (?:has no attribute|is not)|list index out of range$|E\d{4,5} [a-z ]{3,40} error\b|nil pointer dereference|invalid memory address|object reference not set)/i;
/** "BucketNotEmpty: The bucket …": the code of a service and its sentence. */
const CODE_AND_SENTENCE =
  /^(?=[A-Za-z]{0,60}(?:Not|NoSuch|Denied|Invalid|Exceeded|Failure|Failed|AlreadyExists|Missing|Unauthorized|Expired|Conflict|Throttl|Unavailable|Timeout|Quota))(?:[A-Z][a-z]{1,24}){2,6}: [A-Z]/;

/** The text is a stack trace or an exception where a result was due. Tools that hand out such text by design pass. */
export const detectException: Detector = (view, { request, nature }) => {
  const first = view.texts[0];
  if (first === undefined || nature.reports || nature.executes || (nature.makesText && isAboutFailure(request))) {
    return [];
  }
  const text = first.text.trimStart().slice(0, 6000);
  const mayBeTrace = !nature.carriesContent && TRACE_STEMS.test(text);
  const trace = mayBeTrace ? TRACES.find(({ pattern }) => pattern.test(text)) : undefined;
  const isLine =
    isOneLine(text, nature.carriesContent) &&
    [EXCEPTION_LINE, SYSTEM_ERROR, IN_PARENTHESES, ENGINE_WORDS, CODE_AND_SENTENCE].some((pattern) =>
      pattern.test(text),
    );
  if ((trace === undefined && !isLine) || isEcho(text, request)) {
    return [];
  }
  const signal = {
    code: trace === undefined ? 'signal.silent.exception' : 'signal.silent.trace',
    strength: 'strong',
    pointer: first.pointer,
    args: { runtime: trace?.runtime ?? '', text: shorten(lastLine(first.text) ?? text) },
  } as const;
  return [{ says: 'failed', signal, cause: trace?.runtime === 'Python' ? (lastLine(first.text) ?? text) : text }];
};

/** Of content, a single line at most is the tool's own word. */
function isOneLine(text: string, isContent: boolean): boolean {
  return text.length <= 600 && !(isContent && text.trim().includes('\n'));
}

/** Python names the exception last. */
function lastLine(text: string): string | undefined {
  return text.slice(-2000).trimEnd().split('\n').at(-1)?.trim();
}
