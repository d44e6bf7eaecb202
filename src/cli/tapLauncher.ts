import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import spawn from 'cross-spawn';

// What a tapped client starts, copied out of the extension to a place that stays: finds the newest version that is installed
// and lets its command line be the tap, in this process. Without any, it starts the server itself, untapped: a client must
// never lose its server because an extension was removed.

const MARK = /^--tapped=/;
const VERSIONED = /^faultline\.faultline-(\d+)\.(\d+)\.(\d+)(?:-|$)/;
/** `node:sqlite` without a flag. */
const OLDEST: readonly [number, number] = [22, 13];
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

// Only for this process: the server may be an Electron of its own.
delete process.env['ELECTRON_RUN_AS_NODE'];
const words = process.argv.slice(2).filter((word, index, all) => !MARK.test(word) || all.indexOf('--') < index);
const cli = isRecent(process.versions.node) ? newestCli(path.dirname(process.argv[1] ?? '.')) : undefined;
if (cli === undefined || !runTap(cli)) {
  runServer(words.slice(words.indexOf('--') + 1));
}

/** False when that version cannot be loaded. */
function runTap(script: string): boolean {
  const before = process.argv;
  process.argv = [process.execPath, script, 'tap', ...words];
  try {
    createRequire(script)(script);
    return true;
  } catch (error) {
    process.argv = before;
    process.stderr.write(`faultline: ${String(error)}\n`);
    return false;
  }
}

function runServer([command, ...args]: readonly string[]): void {
  if (command === undefined || !words.includes('--')) {
    process.stderr.write('faultline: nothing to start\n');
    process.exitCode = 127;
    return;
  }
  process.stderr.write('faultline: the extension is not installed any more, so nothing is recorded\n');
  const child = spawn(command, args, { stdio: 'inherit' });
  for (const signal of SIGNALS) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', ({ message }) => {
    process.stderr.write(`faultline: ${message}\n`);
    process.exitCode = 127;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code ?? 1);
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The command line of the newest version beside those that were ever used; of a checkout when there is no other. */
function newestCli(here: string): string | undefined {
  const known = foldersIn(path.join(here, 'where.json'));
  const siblings = [...new Set(known.map((folder) => path.dirname(folder)))].flatMap(installedIn);
  const newest = siblings.sort((a, b) => compare(b.version, a.version)).map(({ folder }) => folder);
  return [...newest, ...known].map((folder) => path.join(folder, 'dist', 'cli.js')).find((file) => existsSync(file));
}

function foldersIn(file: string): readonly string[] {
  try {
    const { folders } = JSON.parse(readFileSync(file, 'utf8')) as { folders?: unknown };
    return Array.isArray(folders) ? folders.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function installedIn(parent: string): readonly { readonly folder: string; readonly version: readonly number[] }[] {
  try {
    const obsolete = obsoleteIn(parent);
    return readdirSync(parent).flatMap((name) => {
      const match = VERSIONED.exec(name);
      return match === null || obsolete.has(name)
        ? []
        : [{ folder: path.join(parent, name), version: match.slice(1).map(Number) }];
    });
  } catch {
    return [];
  }
}

/** Versions that VS Code has uninstalled and not deleted yet. */
function obsoleteIn(parent: string): ReadonlySet<string> {
  try {
    const flags = JSON.parse(readFileSync(path.join(parent, '.obsolete'), 'utf8')) as Record<string, unknown>;
    return new Set(Object.keys(flags).filter((name) => flags[name] === true));
  } catch {
    return new Set();
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function isRecent(version: string): boolean {
  return compare(version.split('.').slice(0, 2).map(Number), OLDEST) >= 0;
}
