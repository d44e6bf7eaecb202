/** `key:value` as the filter language writes it: in quotes where the value has more than letters, digits, dots and dashes. */
export function termOf(key: string, value: string): string {
  return `${key}:${/^[\p{L}\p{N}_.][\p{L}\p{N}_.-]*$/u.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`;
}

/** Does the filter have exactly this term, outside of parentheses and not negated? */
export function hasTerm(text: string, key: string, value: string): boolean {
  return termsOf(text).includes(termOf(key, value));
}

/** The filter with all terms of the key taken out, and `term` put at its end when it is given. */
export function withTerm(text: string, isOfKey: (term: string) => boolean, term: string | undefined): string {
  const kept = termsOf(text).filter((each) => !isOfKey(each));
  if (term === undefined) {
    return kept.join(' ');
  }
  // `or` binds weaker than the space between terms.
  const isAlternative = kept.some((each) => each.toLowerCase() === 'or');
  return [...(isAlternative ? [`(${kept.join(' ')})`] : kept), term].join(' ');
}

/** The filter cut at spaces that are not within quotes. */
export function termsOf(text: string): string[] {
  return text.match(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/g) ?? [];
}
