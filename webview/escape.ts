/**
 * Characters that a reader cannot see or that reorder what he sees: controls, format characters (bidirectional marks,
 * zero-width spaces, tags, soft hyphens), lone surrogates, line and paragraph separators, and the fillers that draw
 * nothing. Unicode TR36 and TR39 name them as means of spoofing.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

function escapeCharacter(character: string): string {
  switch (character) {
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    default: {
      const code = character.codePointAt(0) ?? 0;
      return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
    }
  }
}

/** Server text for a place of one line: every hidden character, line ends too, as a visible escape. */
export function escapeLine(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

export interface TextSegment {
  readonly text: string;
  /** True when `text` stands for a hidden character, so that it can look different from the same text sent literally. */
  readonly isEscape: boolean;
  readonly isMarked: boolean;
}

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** `ranges` sorted, clipped to `length` and without overlaps or empty ones. */
function normalize(ranges: readonly TextRange[], length: number): TextRange[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  const result: TextRange[] = [];
  let from = 0;
  for (const range of sorted) {
    const start = Math.max(from, range.start);
    const end = Math.min(length, range.end);
    if (start < end) {
      result.push({ start, end });
      from = end;
    }
  }
  return result;
}

function pushEscaped(segments: TextSegment[], text: string, isMarked: boolean): void {
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[0];
    if (character === '\n' || character === '\t') {
      continue;
    }
    if (match.index > from) {
      segments.push({ text: text.slice(from, match.index), isEscape: false, isMarked });
    }
    segments.push({ text: escapeCharacter(character), isEscape: true, isMarked });
    from = match.index + character.length;
  }
  if (from < text.length) {
    segments.push({ text: text.slice(from), isEscape: false, isMarked });
  }
}

/**
 * Server text of several lines, cut where its look changes: marked ranges (UTF-16 offsets, in any order, out of range
 * tolerated) and hidden characters. Line feeds and tabs stay. Linear in the text.
 */
export function segmentsOf(text: string, ranges: readonly TextRange[]): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let from = 0;
  for (const range of normalize(ranges, text.length)) {
    pushEscaped(segments, text.slice(from, range.start), false);
    pushEscaped(segments, text.slice(range.start, range.end), true);
    from = range.end;
  }
  pushEscaped(segments, text.slice(from), false);
  return segments;
}
