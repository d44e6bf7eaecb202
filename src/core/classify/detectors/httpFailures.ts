import type { Detector } from '../evidence.ts';
import { shorten } from '../json.ts';

const REASONS =
  'bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|not acceptable|request time-?out|conflict|gone|payload too large|unprocessable (?:entity|content)|too many requests|internal server error|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out';

/** How HTTP clients word a refused request. All anchored at the start of the text. */
const HTTP_TEXTS: readonly RegExp[] = [
  new RegExp(`^(?:http(?:/\\d(?:\\.\\d)?)? |status(?: code)?[: ]{1,2})?[45]\\d\\d[:\\s–-]{1,3}(?:${REASONS})\\b`, 'i'),
  /^http(?: error)?!?[ :,(]{1,3}(?:status(?: code)?[ :=]{0,2})?[45]\d\d\b(?! (?:is|means|stands|code))/i,
  /^request failed with (?:status|http)(?: status)?(?: code)?[: ]{1,2}[45]\d\d\b/i,
  /^(?:the )?(?:api|server|upstream|service|backend|remote server|endpoint)(?: server)? (?:returned|responded with|answered|replied with)(?: an?)?(?: http)?(?: error)?(?: status)?(?: code)?[: ]{1,2}\(?[45]\d\d\b/i,
  /^(?:\w+ ){0,3}(?:api|http) (?:error|failure)[ :(]{1,3}[45]\d\d\b/i,
  new RegExp(`^(?:${REASONS})[.!]?\\s*$`, 'i'),
];

const HTML =
  /^(?:\uFEFF)?\s{0,50}(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--[^>]{0,500}-->\s{0,20})?<(?:!doctype html|html)\b/i;
const ERROR_TITLE = new RegExp(
  `(?:^|\\b)(?:[45]\\d\\d\\b|error\\b|${REASONS}|gateway|access denied|attention required|just a moment|service down|maintenance|problem loading|sign in|log ?in\\b|anmelden|connexion|iniciar sesión)`,
  'i',
);
/** An error page is small; a real page that mentions an error is not. */
const MAX_ERROR_PAGE = 20_000;

/** The text is what an HTTP client or a gateway says of a refused request. Tools that relay pages pass. */
export const detectHttpFailure: Detector = (view, { nature }) => {
  const first = view.texts[0];
  if (first === undefined || nature.reports || nature.makesText) {
    return [];
  }
  const head = first.text.trimStart().slice(0, 400);
  if (HTTP_TEXTS.some((pattern) => pattern.test(head)) && first.text.length <= 2000) {
    return [evidence('signal.silent.http', first.pointer, head, first.text)];
  }
  if (
    nature.handlesPages ||
    nature.carriesContent ||
    nature.executes ||
    first.text.length > MAX_ERROR_PAGE ||
    !HTML.test(first.text)
  ) {
    return [];
  }
  const title = titleOf(first.text);
  return ERROR_TITLE.test(title) ? [evidence('signal.silent.html', first.pointer, title, plain(first.text))] : [];
};

/** What the page calls itself: its title and its first heading. */
function titleOf(html: string): string {
  const between = (open: RegExp, close: string): string => {
    const start = open.exec(html);
    const from = start === null ? -1 : start.index + start[0].length;
    const to = from < 0 ? -1 : html.toLowerCase().indexOf(close, from);
    return to < 0 ? '' : html.slice(from, Math.min(to, from + 200)).trim();
  };
  return `${between(/<title[^>]{0,100}>/i, '</title')} ${plain(between(/<h[12][^>]{0,100}>/i, '</h'))}`.trim();
}

function plain(html: string): string {
  return html
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function evidence(code: string, pointer: string, text: string, cause: string) {
  return {
    says: 'failed',
    signal: { code, strength: 'strong', pointer, args: { text: shorten(text) } },
    cause,
  } as const;
}
