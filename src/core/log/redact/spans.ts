/** A part of a text that has to go. `kind` names it in the placeholder; `quote` is set around what is no string yet. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly quote?: string;
}

/** Takes what a scanner finds, in any order. */
export type AddSpan = (span: Span) => void;

/**
 * The spans in order and apart from each other. Of two that overlap the longer stays; of two alike the first that was
 * added, so that scanners that know more have to come first.
 */
export function apart(spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const span of sorted) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) {
      kept.push(span);
    } else if (span.end > last.end) {
      kept[kept.length - 1] = { ...last, end: span.end };
    }
  }
  return kept;
}

/** The text with each span replaced; everything else byte for byte. Spans are in order and apart. */
export function replaceSpans(text: string, spans: readonly Span[], replacement: (span: Span) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const span of spans) {
    parts.push(text.slice(from, span.start), replacement(span));
    from = span.end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
