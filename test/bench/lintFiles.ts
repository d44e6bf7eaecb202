// Last finding: 4.3 to 5.9 s on two cores, the latter beside eight other busy processes; 130 MB for a quarter, 176 MB for all.
// The command line as it is shipped, on files as long as those of public servers are in the middle: start, reading, linting and
// report.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { type BenchResult, rounded } from './bench.ts';
import { generatedServer } from './lintSources.ts';
import { productionBuild } from './production.ts';

const GOAL_S = 15;
/** Four times the files may take this much of the memory: nothing is kept of a file but its findings, 13 of each here. */
const GOAL_GROWTH = 1.5;
const FILES = 1000;
const LINES = 250;

/** Tells the peak of the process's memory when it ends, on a line of stderr that nothing else writes. */
const TELL_PEAK = `data:text/javascript,${encodeURIComponent(
  String.raw`process.on('exit', () => process.stderr.write('\npeak ' + process.resourceUsage().maxRSS + '\n'))`,
)}`;

/** `lint.files1000` and `lint.files1000Memory`: 1,000 servers of 250 lines, and their memory beside that of a quarter. */
export async function lintFiles(): Promise<BenchResult[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-files-'));
  try {
    const cli = path.join(await productionBuild(), 'dist', 'cli.js');
    writeServers(path.join(folder, 'all'), FILES);
    writeServers(path.join(folder, 'quarter'), FILES / 4);
    const quarter = await lintFolder(cli, path.join(folder, 'quarter'));
    const all = await lintFolder(cli, path.join(folder, 'all'));
    const growth = all.peakKb / quarter.peakKb;
    return [
      {
        name: 'lint.files1000',
        value: rounded(all.seconds),
        unit: 's',
        goal: `≤ ${GOAL_S}`,
        ok: all.seconds <= GOAL_S,
      },
      {
        name: 'lint.files1000Memory',
        value: Math.round(all.peakKb / 1024),
        unit: 'MB',
        baseline: Math.round(quarter.peakKb / 1024),
        ratio: rounded(growth),
        goal: `≤ ${GOAL_GROWTH}`,
        ok: growth <= GOAL_GROWTH,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeServers(folder: string, count: number): void {
  mkdirSync(folder);
  for (let index = 0; index < count; index++) {
    const file = `server${index}.${index % 2 === 0 ? 'py' : 'ts'}`;
    writeFileSync(path.join(folder, file), generatedServer(file, LINES, index * 10).text);
  }
}

async function lintFolder(cli: string, folder: string): Promise<{ readonly seconds: number; readonly peakKb: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', TELL_PEAK, cli, 'lint', '--format', 'json', folder]);
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  const seconds = (performance.now() - start) / 1000;
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1];
  if (code !== 1 || peak === undefined || (JSON.parse(stdout) as readonly unknown[]).length === 0) {
    throw new Error(`faultline lint ended with ${code}: ${stderr}`);
  }
  return { seconds, peakKb: Number(peak) };
}
