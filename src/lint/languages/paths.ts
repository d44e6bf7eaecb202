/**
 * Resolves `relative` against the folder of the file `from`. Works on both separators and keeps that of `from`; needs no
 * file system.
 */
export function joinPath(from: string, relative: string): string {
  const separator = from.includes('\\') && !from.includes('/') ? '\\' : '/';
  const parts = from.split(/[\\/]/).slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '' && part !== '.') {
      parts.push(part);
    }
  }
  return parts.join(separator);
}
