import { parseFilter } from '../../core/timeline/filter/parse.ts';
import { sentence } from '../formats/verdictText.ts';

/** A stretch of wall time, µs: from the first moment on, up to before the other. Either may be open. */
export interface Period {
  readonly fromUs: number;
  readonly untilUs: number;
}

const ALWAYS: Period = { fromUs: Number.NEGATIVE_INFINITY, untilUs: Number.POSITIVE_INFINITY };

/** A moment as `since:` of the filter takes it: a date, a time, or how long ago. A sentence when it is none. */
function readMomentOf(text: string, nowUs: number): number | { readonly problem: string } {
  const parsed = parseFilter(`since:${text}`);
  if (parsed.kind === 'error') {
    return { problem: `${JSON.stringify(text)} is no moment: ${sentence(parsed.error.code, parsed.error.args)}` };
  }
  const { root } = parsed;
  if (root.kind !== 'time') {
    return { problem: `${JSON.stringify(text)} is no moment such as 2026-01-31, 2026-01-31T14:00 or 7d` };
  }
  return 'agoUs' in root.at ? nowUs - root.at.agoUs : root.at.wallUs;
}

/** From a moment on; always when there is none. */
export function readSince(since: string | undefined, nowUs: number): Period | { readonly problem: string } {
  if (since === undefined) {
    return ALWAYS;
  }
  const fromUs = readMomentOf(since, nowUs);
  return typeof fromUs === 'number' ? { ...ALWAYS, fromUs } : fromUs;
}

/** `FROM..UNTIL`, either of them a moment or nothing; `undefined` when the text is not of this form. */
export function readPeriod(text: string, nowUs: number): Period | { readonly problem: string } | undefined {
  const at = text.indexOf('..');
  if (at < 0) {
    return undefined;
  }
  const [from, until] = [text.slice(0, at), text.slice(at + 2)];
  const fromUs = from === '' ? ALWAYS.fromUs : readMomentOf(from, nowUs);
  const untilUs = until === '' ? ALWAYS.untilUs : readMomentOf(until, nowUs);
  if (typeof fromUs !== 'number') {
    return fromUs;
  }
  if (typeof untilUs !== 'number') {
    return untilUs;
  }
  return fromUs < untilUs ? { fromUs, untilUs } : { problem: `${text} ends before it begins` };
}
