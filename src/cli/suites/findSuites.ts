import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { SUITE_ENDING } from '../../core/replay/suites/suiteFile.ts';

/** The suite files that paths name, absolute: a file whatever it is called, and below a folder every suite. */
export async function findSuites(
  paths: readonly string[],
  cwd: string,
): Promise<readonly string[] | { readonly problem: string }> {
  const found = new Set<string>();
  for (const each of paths) {
    const full = path.resolve(cwd, each);
    const info = await stat(full).catch(() => undefined);
    if (info === undefined) {
      return { problem: `there is no file or folder ${each}` };
    }
    const files = info.isDirectory() ? await suitesBelow(full) : [full];
    if (files.length === 0) {
      return { problem: `there is no suite (*${SUITE_ENDING}) in ${each}` };
    }
    for (const file of files) {
      found.add(file);
    }
  }
  return [...found];
}

async function suitesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) {
      found.push(...(await suitesBelow(full)));
    } else if (entry.isFile() && entry.name.endsWith(SUITE_ENDING)) {
      found.push(full);
    }
  }
  return found;
}
