/** Lines and characters that comments may fill in a row: below, crossing them time and again costs next to nothing. */
const MAX_LINES = 64;
const MAX_CHARS = 4096;

/** What tells where a string or a comment begins and ends. */
const MARKS = /\\.|"""|'''|["'#\n]/gs;

/**
 * `text` with long stretches of comments turned to one blank line of that length, so that every offset stays. The grammar's scanner looks for
 * the next statement anew at each comment, all the way across those that follow: a few thousand in a row would take it
 * many seconds, in steps too long to be stopped between. Nothing else is lost, as trees hold no comments and
 * suppressions are read from the text itself. Lines of a lone `\`, which it crosses the same way, go with them.
 */
export function blankLongComments(text: string): string {
  if (!mayHoldLong(text)) {
    return text;
  }
  const parts: string[] = [];
  let copied = 0;
  let lines = 0;
  let runStart = 0;
  let openString: string | undefined;
  /** Gives back where what is not yet in `parts` begins. */
  const endRun = (end: number): number => {
    const isLong = lines > MAX_LINES || (lines > 0 && end - runStart > MAX_CHARS);
    lines = 0;
    if (!isLong) {
      return copied;
    }
    const lineEnd = text[end - 1] === '\n' ? '\n' : '';
    parts.push(text.slice(copied, runStart), ' '.repeat(end - runStart - lineEnd.length), lineEnd);
    return end;
  };
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start) + 1 || text.length;
    if (openString === undefined && holdsNoCode(text, start, next)) {
      runStart = lines === 0 ? start : runStart;
      lines++;
    } else {
      copied = endRun(start);
      openString = openStringAfter(text, start, next, openString);
    }
    start = next;
  }
  copied = endRun(text.length);
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

/** A look without regard to strings, in which what looks like comments is none: cheaper, and enough for nearly all files. */
function mayHoldLong(text: string): boolean {
  let lines = 0;
  let runStart = 0;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start) + 1 || text.length;
    if (holdsNoCode(text, start, next)) {
      runStart = lines === 0 ? start : runStart;
      lines++;
      if (lines > MAX_LINES || next - runStart > MAX_CHARS) {
        return true;
      }
    } else {
      lines = 0;
    }
    start = next;
  }
  return false;
}

/** Whether a line is blank, a comment or a lone `\`. */
function holdsNoCode(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && ' \t\f\r\n'.includes(text.charAt(at))) {
    at++;
  }
  const first = text.charAt(at);
  return at === end || first === '#' || (first === '\\' && text.slice(at + 1, end).trim() === '');
}

/** The quotes of the string that is still open behind a line that begins inside of `open`. */
function openStringAfter(text: string, start: number, end: number, open: string | undefined): string | undefined {
  let inside = open;
  MARKS.lastIndex = start;
  for (let match = MARKS.exec(text); match !== null && match.index < end; match = MARKS.exec(text)) {
    const [mark] = match;
    if (inside === undefined) {
      if (mark === '#') {
        return undefined;
      }
      inside = mark === '\n' || mark.startsWith('\\') ? undefined : mark;
    } else if (mark === inside || (inside.length === 1 && mark.startsWith(inside))) {
      inside = undefined;
    }
  }
  return inside?.length === 3 ? inside : undefined;
}
