/** Longest filter, UTF-16 code units. */
export const MAX_FILTER_LENGTH = 1000;

/** Parentheses within one another. */
export const MAX_DEPTH = 32;

/** Terms of one filter: each row is tested against them. */
export const MAX_TERMS = 100;
