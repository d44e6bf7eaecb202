/**
 * Where a module that is named from the root of the sources lies, seen from one of them: the folders of `from` up to where
 * the names of `module` begin, and those names. The first `least` names must all be there. Undefined when they are not.
 */
export function fromRoot(from: string, module: readonly string[], least: number): string | undefined {
  const separator = separatorOf(from);
  const folders = from.split(/[\\/]/).slice(0, -1);
  for (let at = folders.length - least; at >= 0 && module.length >= least; at--) {
    if (module.slice(0, least).every((name, index) => folders[at + index] === name)) {
      return [...folders.slice(0, at), ...module].join(separator);
    }
  }
  return undefined;
}

export const separatorOf = (path: string) => (path.includes('\\') && !path.includes('/') ? '\\' : '/');

/**
 * Resolves `relative` against the folder of the file `from`. Works on both separators and keeps that of `from`; needs no
 * file system.
 */
export function joinPath(from: string, relative: string): string {
  const separator = separatorOf(from);
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
