import { scalarsOf } from './scalars.ts';
import type { AddSpan } from './spans.ts';

const MAX_PATTERN = 500;
const MAX_CHOICES = 10;

export interface RefusedPattern {
  readonly kind: 'refused';
  readonly source: string;
  /** `log.redact.<reason>` in `protocol/texts/log.ts` says it. */
  readonly reason: 'syntax' | 'slow' | 'empty';
}

export type CompiledPattern = { readonly kind: 'pattern'; readonly pattern: RegExp } | RefusedPattern;

/** Compiles what a person has written; refuses what could hold the editor for minutes on a hostile text. */
export function compilePattern(source: string): CompiledPattern {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'g');
  } catch {
    return { kind: 'refused', source, reason: 'syntax' };
  }
  if (pattern.test('')) {
    return { kind: 'refused', source, reason: 'empty' };
  }
  return isSlow(source) ? { kind: 'refused', source, reason: 'slow' } : { kind: 'pattern', pattern };
}

/**
 * May the time grow faster than the text by more than its first power? True for a repeated group that repeats or branches
 * within, for back-references and look-behinds, for two unbounded repetitions in one pattern, and for many parts that may be
 * there or not: on the safe side. One unbounded repetition is let through, though a run of what it repeats costs its square.
 */
function isSlow(source: string): boolean {
  if (source.length > MAX_PATTERN || /\\[1-9k]|\(\?<?[=!]/.test(source)) {
    return true;
  }
  const plain = source.replace(/\\./g, 'a').replace(/\[(?:[^\]])*\]/g, 'a');
  if (/\([^()]*[*+{|][^()]*\)\??(?:[*+]|\{\d+,\d{0,}\})/.test(plain) || /\)[*+]/.test(plain)) {
    return true;
  }
  return (plain.match(/[*+]|\{\d+,\}/g) ?? []).length > 1 || choicesIn(plain) > MAX_CHOICES;
}

/** Parts that may match in several ways, each of which doubles what is tried when the rest does not match. */
function choicesIn(plain: string): number {
  const optional = plain.match(/(?<!\()\?|\{\d+,\d+\}/g) ?? [];
  const branching = plain.match(/\([^()|]*\|/g) ?? [];
  return optional.length + branching.length;
}

/** Matches in running text. */
export function findPatterns(text: string, patterns: readonly RegExp[], add: AddSpan): void {
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      if (match[0] !== '') {
        add({ start: match.index, end: match.index + match[0].length, kind: 'custom' });
      }
    }
  }
}

/** Matches within the strings and numbers of JSON, so that what comes out is JSON: whole numbers, never half an escape. */
export function findPatternsInJson(text: string, patterns: readonly RegExp[], add: AddSpan): void {
  for (const { index, value } of scalarsOf(text)) {
    const isString = value.startsWith('"');
    const start = isString ? index + 1 : index;
    const content = isString ? value.slice(1, -1) : value;
    findPatterns(content, patterns, (span) => {
      if (isString) {
        add({ kind: span.kind, ...wholeEscapes(content, span.start, span.end, start) });
      } else {
        add({ start, end: start + content.length, kind: span.kind, quote: '"' });
      }
    });
  }
}

/** The range widened to whole escapes. */
function wholeEscapes(content: string, from: number, to: number, offset: number): { start: number; end: number } {
  let start = from;
  let end = to;
  const escapes = /\\(?:u[0-9a-fA-F]{4}|.)/g;
  escapes.lastIndex = Math.max(0, content.lastIndexOf('\\', from) - 64);
  // Begin at the first of a row of backslashes, so that pairs are counted from their beginning.
  while (escapes.lastIndex > 0 && content.charCodeAt(escapes.lastIndex - 1) === 0x5c) {
    escapes.lastIndex--;
  }
  for (let match = escapes.exec(content); match !== null && match.index < to; match = escapes.exec(content)) {
    const escapeEnd = match.index + match[0].length;
    if (match.index < from && escapeEnd > from) {
      start = match.index;
    }
    if (match.index < to && escapeEnd > to) {
      end = escapeEnd;
    }
  }
  return { start: offset + start, end: offset + end };
}
