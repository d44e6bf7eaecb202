/**
 * Whether a word of a command line names the file at `path` (with forward slashes), absolute or as the end of its path.
 * A variable at its beginning stands for any folder.
 */
export function isLaunched(word: string, path: string): boolean {
  const slashed = word.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const end = slashed.slice(slashed.lastIndexOf('}') + 1).replace(/^\/+/, '');
  return end !== '' && (path === slashed || path.endsWith(`/${end}`));
}
