/**
 * `npm run bench [-- NAME…]`: prints one result a line as JSON on stdout, and what goes on to stderr. A name selects by its
 * beginning. Ends with 1 when a goal is missed or a benchmark could not run.
 */
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { type BenchResult, progress } from './bench.ts';

interface Benchmark {
  /** Of its results. */
  readonly names: readonly string[];
  readonly file: string;
  /** Its function in that file: no arguments, a promise of one result or more. */
  readonly run: string;
}

/** Each is loaded only when it is to run, so that one that is broken or slow to load harms no other. */
const BENCHMARKS: readonly Benchmark[] = [
  { names: ['transport.frame12MiB'], file: 'transportFrame.ts', run: 'transportFrame' },
  { names: ['log.append'], file: 'logAppend.ts', run: 'logAppend' },
  {
    names: ['log.rebuild', 'log.bytesPerRow', 'log.page200', 'log.search1M'],
    file: 'millionEvents.ts',
    run: 'millionEvents',
  },
  { names: ['filter.100k', 'filter.100kStep'], file: 'filterRows.ts', run: 'filter100k' },
  { names: ['filter.1M', 'filter.1MStep'], file: 'filterRows.ts', run: 'filter1M' },
  {
    names: ['timeline.overview1M', 'timeline.overviewTask1M', 'timeline.charts1M', 'timeline.range1M'],
    file: 'timelineOverview.ts',
    run: 'timelineOverview',
  },
  { names: ['host.loopDelayP99'], file: 'loopDelay.ts', run: 'loopDelay' },
  { names: ['lint.vsParse'], file: 'lintParse.ts', run: 'lintParse' },
  { names: ['lint.keystroke1k'], file: 'lintKeystroke.ts', run: 'lintKeystroke' },
  { names: ['lint.files1000', 'lint.files1000Memory'], file: 'lintFiles.ts', run: 'lintFiles' },
  { names: ['lint.cancel1MiB'], file: 'lintCancel.ts', run: 'lintCancel' },
  {
    names: ['client.overhead200B', 'client.overhead64K', 'client.overhead5M', 'client.judge200B'],
    file: 'clientOverhead.ts',
    run: 'clientOverhead',
  },
  { names: ['pool.twoSickOfTwenty'], file: 'pool.ts', run: 'twoSickOfTwenty' },
  { names: ['pool.faults10k'], file: 'pool.ts', run: 'faults10k' },
  { names: ['activation.require', 'activation.activate'], file: 'activation.ts', run: 'activation' },
  {
    names: ['tap.stdio200B', 'tap.stdio64K', 'tap.stdio5M', 'tap.stdioP99', 'tap.start', 'tap.rss'],
    file: 'tapStdio.ts',
    run: 'tapStdio',
  },
  { names: ['tap.http200B', 'tap.http64K', 'tap.http5M', 'tap.httpP99'], file: 'tapHttp.ts', run: 'tapHttp' },
  {
    names: ['otlp.millionCpu', 'otlp.millionOverProjection', 'otlp.millionWire', 'otlp.millionMemory'],
    file: 'otlpMillion.ts',
    run: 'otlpMillion',
  },
  { names: ['report.10k'], file: 'report.ts', run: 'report10k' },
  { names: ['report.1MPerCall', 'report.1MMemory'], file: 'report.ts', run: 'report1M' },
  { names: ['bundle.extension', 'bundle.webview'], file: 'bundle.ts', run: 'bundle' },
  { names: ['bundle.vsix'], file: 'bundle.ts', run: 'bundleVsix' },
];

const selectors = process.argv.slice(2);
const isSelected = (name: string) => selectors.length === 0 || selectors.some((selector) => name.startsWith(selector));

async function resultsOf({ file, run }: Benchmark): Promise<readonly BenchResult[]> {
  const module: Record<string, () => Promise<BenchResult | readonly BenchResult[]>> = await import(
    pathToFileURL(path.join(import.meta.dirname, file)).href
  );
  const results = await module[run]?.();
  if (results === undefined) {
    throw new Error(`${file} has no function ${run}`);
  }
  return [results].flat() as readonly BenchResult[];
}

let isGood = true;
const selected = BENCHMARKS.filter(({ names }) => names.some(isSelected));
if (selected.length === 0) {
  progress(`no benchmark begins with ${selectors.join(' or ')}`);
  isGood = false;
}
for (const benchmark of selected) {
  try {
    for (const result of (await resultsOf(benchmark)).filter(({ name }) => isSelected(name))) {
      process.stdout.write(`${JSON.stringify(result)}\n`);
      isGood &&= result.ok;
    }
  } catch (error) {
    progress(`${benchmark.names.join(', ')} could not run: ${error instanceof Error ? error.stack : error}`);
    isGood = false;
  }
}
process.exitCode = isGood ? 0 : 1;
