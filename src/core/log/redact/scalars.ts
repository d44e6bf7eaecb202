import type { Span } from './spans.ts';

/** A string with its quotes, or a number. */
export interface Scalar {
  readonly index: number;
  readonly value: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gy;

/** The strings and numbers of a JSON text, keys among them. */
export function* scalarsOf(text: string): Generator<Scalar> {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22 || code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      TOKEN.lastIndex = at;
      const value = TOKEN.exec(text)?.[0];
      if (value !== undefined) {
        yield { index: at, value };
        at += value.length - 1;
      }
    }
  }
}

/** The spans widened to the whole strings and numbers that they touch: cruder, and JSON in any case. */
export function wholeScalars(text: string, spans: readonly Span[]): readonly Span[] {
  const widened: Span[] = [];
  let next = 0;
  for (const { index, value } of scalarsOf(text)) {
    const end = index + value.length;
    while (next < spans.length && (spans[next]?.end ?? 0) <= index) {
      next++;
    }
    const span = spans[next];
    if (span !== undefined && span.start < end) {
      widened.push({ start: index, end, kind: span.kind, quote: '"' });
    }
  }
  return widened;
}
