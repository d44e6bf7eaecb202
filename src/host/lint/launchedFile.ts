/**
 * Whether a word of a command line names the file at `path` (with forward slashes), absolute or as the end of its path.
 * A variable at its beginning stands for any folder.
 */
export function isLaunched(word: string, path: string): boolean {
  // VS Code writes the letter of a drive small.
  const slashed = word
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
  const end = slashed.slice(slashed.lastIndexOf('}') + 1).replace(/^\/+/, '');
  return end !== '' && (path === slashed || path.endsWith(`/${end}`));
}
