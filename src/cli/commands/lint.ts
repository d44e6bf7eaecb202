import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assertNever } from '../../base/assertNever.ts';
import { LintEngine, languageOf, type SkipReason } from '../../lint/engine.ts';
import type { Confidence, Finding } from '../../protocol/finding.ts';
import { loadAsset } from '../assets.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { type LocatedFinding, lintAsGithub, lintAsJson, lintAsText } from '../formats/lintReport.ts';
import { lintAsSarif } from '../formats/sarif.ts';
import { sourceFiles } from '../sourceFiles.ts';
import type { Terminal } from '../terminal.ts';
import { VERSION } from '../version.ts';

export interface LintCommandOptions {
  readonly format: 'text' | 'json' | 'sarif' | 'github';
  readonly confidence: Confidence;
  readonly maxWarnings?: number;
}

const skipped: Readonly<Record<Exclude<SkipReason, 'no-sdk'>, string>> = {
  'too-large': 'too large',
  binary: 'not text',
  cancelled: 'cancelled',
  language: 'not in a language that is linted',
};

/** `faultline lint`: prints the findings of all source files under `paths`. Nothing of them is run. */
export async function lint(
  paths: readonly string[],
  options: LintCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const engine = new LintEngine({ load: loadAsset });
  const findings: LocatedFinding[] = [];
  let files = 0;
  let hasFailed = false;
  const tell = (file: string, what: string) => terminal.err(`faultline: ${shown(file, terminal)}: ${what}\n`);
  const fail = (file: string, why: string) => {
    hasFailed = true;
    tell(file, why);
  };
  const absolute = paths.map((name) => path.resolve(terminal.cwd, name));
  const isSource = (file: string) => languageOf(file) !== undefined;
  try {
    for await (const file of sourceFiles(absolute, isSource, (missing) => fail(missing, 'not found'))) {
      const result = await lintFile(engine, file, options.confidence);
      switch (result.kind) {
        case 'linted':
          files += 1;
          findings.push(...result.findings.map((finding) => ({ file: shown(file, terminal), finding })));
          break;
        case 'skipped':
          // No reason to fail: shells and hooks name whatever there is, and generated files lie in every tree.
          tell(file, `skipped, ${skipped[result.reason]}`);
          break;
        case 'unreadable':
          fail(file, 'cannot be read');
          break;
        default:
          assertNever(result);
      }
    }
  } finally {
    engine.dispose();
  }
  await terminal.out(report(findings, files, options, terminal));
  return hasFailed ? exitCodes.failed : verdict(findings, options.maxWarnings);
}

type FileResult =
  | { readonly kind: 'linted'; readonly findings: readonly Finding[] }
  | { readonly kind: 'skipped'; readonly reason: keyof typeof skipped }
  | { readonly kind: 'unreadable' };

/** Lints one file. One that uses no MCP SDK is clean without being parsed. */
async function lintFile(engine: LintEngine, file: string, confidence: Confidence): Promise<FileResult> {
  const languageId = languageOf(file);
  if (languageId === undefined) {
    return { kind: 'skipped', reason: 'language' };
  }
  const text = await readText(file);
  if (text === undefined) {
    return { kind: 'unreadable' };
  }
  const result = await engine.lint({ path: file, text, languageId }, { confidence, readFile: readText });
  await engine.forget(file);
  if (result.kind === 'linted') {
    return result;
  }
  return result.reason === 'no-sdk' ? { kind: 'linted', findings: [] } : { kind: 'skipped', reason: result.reason };
}

function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

function report(
  findings: readonly LocatedFinding[],
  files: number,
  { format }: LintCommandOptions,
  terminal: Terminal,
): string {
  switch (format) {
    case 'text':
      return lintAsText(findings, files, terminal.style);
    case 'json':
      return lintAsJson(findings);
    case 'sarif':
      return lintAsSarif(findings, VERSION);
    case 'github':
      return lintAsGithub(findings);
  }
}

/** With a number of tolerated warnings, errors still fail and notes no longer do. */
function verdict(findings: readonly LocatedFinding[], maxWarnings: number | undefined): ExitCode {
  const count = (severity: string) => findings.filter(({ finding }) => finding.severity === severity).length;
  const isTooMuch =
    maxWarnings === undefined ? findings.length > 0 : count('error') > 0 || count('warning') > maxWarnings;
  return isTooMuch ? exitCodes.found : exitCodes.clean;
}

/** A file as reports name it: relative to the working directory where it is inside, with forward slashes. */
function shown(file: string, { cwd }: Terminal): string {
  const relative = path.relative(cwd, file);
  return (relative.startsWith('..') ? file : relative === '' ? '.' : relative).split(path.sep).join('/');
}
