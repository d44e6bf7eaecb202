import { type AnomalyDetector, type Found, NONE } from './scene.ts';

/** Overrides and embeddings reorder what a person sees. Isolates and marks are what right-to-left text needs. */
const REORDERING = /[\u202a-\u202e]/g;
/** Tag characters spell ASCII that nobody sees; after a black flag they name a region. */
const TAGS = /(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]{0,8})[\u{e0000}-\u{e007f}]/gu;
/** Width nothing, join nothing. A few are line-break hints; joiners belong to emoji and to several scripts. */
const ZERO_WIDTH = /[\u200b\u2060\u2061-\u2064\u180e]/g;
const MANY = 8;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for.
const ESCAPES = /\u001b\[[0-9;?]{0,20}[A-Za-z]|\u001b\]/;
const MAX_TEXT = 100_000;

/** Text that a model reads and a person does not see, or sees differently; and colours meant for a terminal. */
export const detectHiddenText: AnomalyDetector = (scene) => {
  const isRead = scene.sender === 'server' && scene.placed.as === 'settled';
  const found: Found[] = [];
  for (const { text, pointer } of isRead ? scene.texts() : []) {
    const part = text.slice(0, MAX_TEXT);
    if (isPlain(part)) {
      continue;
    }
    const hidden = hiddenIn(part);
    if (hidden !== undefined && !found.some(({ code }) => code === 'hiddenText')) {
      found.push({ code: 'hiddenText', args: hidden, pointer });
    }
    if (ESCAPES.test(part) && !found.some(({ code }) => code === 'terminalEscapes')) {
      found.push({ code: 'terminalEscapes', pointer });
    }
  }
  return found.length === 0 ? NONE : found;
};

/** Printable ASCII and letters below the first character of interest: nearly all text, told in one pass. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x1b || unit === 0x180e || (unit >= 0x200b && unit <= 0x2064) || unit === 0xdb40) {
      return false;
    }
  }
  return true;
}

function hiddenIn(text: string): { readonly count: number; readonly kind: string } | undefined {
  const tags = count(text, TAGS);
  if (tags > 0) {
    return { count: tags, kind: 'U+E0000' };
  }
  const reordering = count(text, REORDERING);
  if (reordering > 0) {
    return { count: reordering, kind: 'U+202A' };
  }
  const zero = count(text, ZERO_WIDTH);
  return zero >= MANY ? { count: zero, kind: 'U+200B' } : undefined;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
