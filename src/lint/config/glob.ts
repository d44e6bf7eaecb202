import ignore, { type Ignore } from 'ignore';

/** Longer patterns are slips, or meant to be slow. */
const MAX_GLOB = 256;

/** Which paths a list of patterns names. */
export interface Globs {
  readonly isEmpty: boolean;
  /** `path`: relative, with forward slashes. */
  matches(path: string): boolean;
}

/** Whether a pattern may be used at all. */
export const isGlob = (pattern: unknown): pattern is string =>
  typeof pattern === 'string' && pattern.trim() !== '' && pattern.length <= MAX_GLOB;

/**
 * Patterns as in `.gitignore`, later ones before earlier ones: `*` within a folder, `**` across folders, `!` takes back. One
 * without a slash matches at any depth, one that names a folder everything in it.
 */
export function globsOf(patterns: readonly string[]): Globs {
  const matcher: Ignore = ignore({ ignorecase: false }).add(patterns.map((pattern) => pattern.replace(/^\.\//, '')));
  return {
    isEmpty: patterns.length === 0,
    // A path that leads out of the folder is none of ours.
    matches: (path) => ignore.isPathValid(path) && matcher.ignores(path),
  };
}
