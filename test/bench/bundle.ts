import { statSync } from 'node:fs';
import path from 'node:path';
import type { BenchResult } from './bench.ts';
import { packageExtension, productionBuild } from './production.ts';

/** `bundle.extension`, `bundle.webview`: bytes of what is loaded first, in the host and in the page. */
export async function bundle(): Promise<BenchResult[]> {
  const dist = path.join(await productionBuild(), 'dist');
  return [
    sizeOf('bundle.extension', path.join(dist, 'extension.js'), 150_000),
    sizeOf('bundle.webview', path.join(dist, 'webview.js'), 60_000),
  ];
}

/** `bundle.vsix`: bytes of what is installed. */
export async function bundleVsix(): Promise<BenchResult> {
  return sizeOf('bundle.vsix', await packageExtension(await productionBuild()), 6_000_000);
}

function sizeOf(name: string, file: string, limit: number): BenchResult {
  const value = statSync(file).size;
  return { name, value, unit: 'bytes', goal: `≤ ${limit}`, ok: value <= limit };
}
