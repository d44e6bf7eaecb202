import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BenchResult } from './bench.ts';
import { packageExtension, productionBuild } from './production.ts';

/** `bundle.extension`, `bundle.webview`: bytes of what is loaded first, in the host and in the page. */
export async function bundle(): Promise<BenchResult[]> {
  const dist = path.join(await productionBuild(), 'dist');
  return [
    sizeOf('bundle.extension', path.join(dist, 'extension.js'), 150_000),
    result('bundle.webview', loadedBytes(path.join(dist, 'webview.js')), 60_000),
  ];
}

/** `bundle.vsix`: bytes of what is installed. */
export async function bundleVsix(): Promise<BenchResult> {
  return sizeOf('bundle.vsix', await packageExtension(await productionBuild()), 6_000_000);
}

function sizeOf(name: string, file: string, limit: number): BenchResult {
  return result(name, statSync(file).size, limit);
}

/** Bytes of a module and of all that it imports statically: what the page loads before it shows anything. */
function loadedBytes(file: string, seen = new Set<string>()): number {
  if (seen.has(file)) {
    return 0;
  }
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/(?:from|import)\s*"(\.\/[\w-]+\.js)"/g)].map((match) => match[1] ?? '');
  return imports.reduce(
    (sum, imported) => sum + loadedBytes(path.join(path.dirname(file), imported), seen),
    statSync(file).size,
  );
}

function result(name: string, value: number, limit: number): BenchResult {
  return { name, value, unit: 'bytes', goal: `≤ ${limit}`, ok: value <= limit };
}
