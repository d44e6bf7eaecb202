import type { StdioDefinition } from '../../../protocol/definition.ts';

/** A folder with what to watch in it, as a glob relative to it. */
export interface WatchTarget {
  readonly folder: string;
  readonly glob: string;
}

/** Sources, not what a server may write while it runs: that would restart it for ever. */
const SOURCES = '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,py,go,rs,rb,php,java,kt,cs,swift}';
const SCRIPT = /\.(?:js|mjs|cjs|jsx|ts|mts|cts|tsx|py|rb|php|jar|dll)$/i;
/** Folders of what is built from sources that lie beside them. */
const OUTPUTS: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'lib', 'src', 'bin', 'target']);
/** Options whose value is the folder of the server: `uv run --directory`, `npm --prefix`, `pnpm -C`. */
const FOLDER_OPTIONS: ReadonlySet<string> = new Set(['--directory', '--project', '--prefix', '-C', '--cwd']);
/** Changes under these are no changes of the source. */
const IGNORED =
  /(?:^|[\\/])(?:node_modules|\.git|\.venv|venv|__pycache__|\.mypy_cache|\.pytest_cache|\.ruff_cache)(?:[\\/]|$)/;

/**
 * What to watch for a server to be restarted when its source changes: `globs` where the user names them, relative to
 * `root`, else the folder of the script that its command line starts. Nothing for a package that a runner downloads.
 */
export function watchTargets(
  { command, args, cwd }: StdioDefinition,
  root: string | undefined,
  globs?: readonly string[],
): readonly WatchTarget[] {
  const base = cwd ?? root;
  if (globs !== undefined) {
    return base === undefined ? [] : globs.map((glob) => ({ folder: base, glob }));
  }
  const option = args.findIndex((arg) => FOLDER_OPTIONS.has(arg));
  const named = option < 0 ? undefined : args[option + 1];
  const script = [command, ...args].find((word) => SCRIPT.test(word) && !word.startsWith('-'));
  const folder = named ?? (script === undefined ? undefined : folderOf(script));
  const absolute = folder === undefined ? undefined : absoluteFrom(base, folder);
  return absolute === undefined ? [] : [{ folder: absolute, glob: SOURCES }];
}

/** Whether a change of this file is one of a server's source. */
export function isSource(file: string): boolean {
  return !IGNORED.test(file);
}

/** The folder with the sources of a script: above `dist`, `src` and the like. */
function folderOf(script: string): string {
  const parts = script.split(/[\\/]/).slice(0, -1);
  while (parts.length > 1 && OUTPUTS.has(parts.at(-1) ?? '')) {
    parts.pop();
  }
  if (parts.length === 1 && OUTPUTS.has(parts[0] ?? '')) {
    parts[0] = '.';
  }
  return parts.join('/') || (script.startsWith('/') ? '/' : '.');
}

function absoluteFrom(base: string | undefined, folder: string): string | undefined {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(folder)) {
    return folder;
  }
  if (base === undefined) {
    return undefined;
  }
  const relative = folder.replace(/^\.[\\/]?/, '');
  return relative === '' ? base : `${base}/${relative}`;
}
