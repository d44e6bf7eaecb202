import type { NamePattern } from './ast.ts';

/** A pattern of what a person wrote: `*` stands for any text, unless it was quoted. */
export function patternOf(text: string, isQuoted: boolean): NamePattern {
  const lower = text.toLowerCase();
  return { pieces: isQuoted ? [lower] : lower.split('*') };
}

/** Is `name`, in lower case, what the pattern describes? The pieces are sought one after the other, each once. */
export function isMatch({ pieces }: NamePattern, name: string): boolean {
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) {
    return name === first;
  }
  if (!name.startsWith(first)) {
    return false;
  }
  let at = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, at);
    if (found < 0) {
      return false;
    }
    at = found + piece.length;
  }
  return at + last.length <= name.length && name.endsWith(last);
}
