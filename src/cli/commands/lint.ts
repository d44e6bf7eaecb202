import path from 'node:path';
import process from 'node:process';
import { text as readAll } from 'node:stream/consumers';
import { assertNever } from '../../base/assertNever.ts';
import { languageOf, type SkipReason } from '../../lint/engine.ts';
import type { ToolDefinition } from '../../lint/toolDefinitions.ts';
import type { Confidence, Finding } from '../../protocol/finding.ts';
import { VERSION } from '../../protocol/version.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { type LocatedFinding, lintAsGithub, lintAsJson, lintAsText, type Seen } from '../formats/lintReport.ts';
import { lintAsSarif } from '../formats/sarif.ts';
import { ConfigFinder } from '../lint/configFinder.ts';
import type { Evidence } from '../lint/evidence.ts';
import { inOrder } from '../lint/inOrder.ts';
import { configFor, type FileLinter, type FileResult, type FixMode, lintFile } from '../lint/lintFile.ts';
import { TextLinter } from '../lint/lintText.ts';
import { sourceFiles } from '../sourceFiles.ts';
import type { Terminal } from '../terminal.ts';

export interface LintCommandOptions {
  readonly format: 'text' | 'json' | 'sarif' | 'github';
  /** Absent: what the configuration says, or medium. */
  readonly confidence?: Confidence;
  readonly maxWarnings?: number;
  readonly fix?: boolean;
  readonly fixDryRun?: boolean;
  /** Lint stdin as if it were `stdinFilename`. */
  readonly stdin?: boolean;
  readonly stdinFilename?: string;
  /** Where tools were seen failing silently: `log`, a session, or a log or session file. */
  readonly evidence?: string;
}

/** Files that are read while one is parsed; more would only take memory. */
const AT_ONCE = 4;

const skipped: Readonly<Record<Exclude<SkipReason, 'no-sdk' | 'excluded'>, string>> = {
  'too-large': 'larger than 1 MB',
  binary: 'not text',
  cancelled: 'cancelled',
  language: 'not in a language that is linted',
};

/** `faultline lint`: prints the findings of all source files under `paths`, or of stdin. Nothing of them is run. */
export async function lint(
  paths: readonly string[],
  options: LintCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const evidence = options.evidence === undefined ? undefined : await evidenceFrom(options.evidence, terminal);
  if (evidence === 'none') {
    return exitCodes.failed;
  }
  const run = new Run(terminal, evidence);
  const linter: FileLinter = {
    texts: new TextLinter(options.confidence ?? 'medium'),
    configs: new ConfigFinder((file, problem) => run.fail(file, problem)),
    ignoresConfidence: options.confidence !== undefined,
    fix: fixMode(options),
  };
  try {
    const resolved = (name: string) => path.resolve(terminal.cwd, name);
    const fixedText =
      options.stdin === true
        ? await lintStdin(resolved(options.stdinFilename ?? 'stdin'), linter, run)
        : await lintPaths(paths.map(resolved), linter, run);
    run.tellFixed(linter.fix);
    const printed = report(run, options, terminal);
    // Mended text takes stdout's place, as with other tools, so that an editor can filter through it.
    if (fixedText === undefined) {
      await terminal.out(printed);
    } else {
      terminal.err(printed);
      await terminal.out(fixedText);
    }
  } finally {
    linter.texts.dispose();
  }
  return run.hasFailed ? exitCodes.failed : verdict(run.findings, options.maxWarnings);
}

/** Loaded only when it is asked for: it reads databases, and judges what is in them. */
async function evidenceFrom(wanted: string, terminal: Terminal): Promise<Evidence | 'none'> {
  const { readEvidence } = await import('../lint/evidence.ts');
  const read = await readEvidence(wanted, terminal);
  if ('problem' in read) {
    terminal.err(`faultline: ${read.problem}\n`);
    return 'none';
  }
  return read;
}

/** What a run has come to so far. */
class Run {
  readonly findings: LocatedFinding[] = [];
  files = 0;
  fixed = 0;
  fixedFiles = 0;
  hasFailed = false;
  readonly #terminal: Terminal;
  readonly #evidence: Evidence | undefined;

  constructor(terminal: Terminal, evidence: Evidence | undefined) {
    this.#terminal = terminal;
    this.#evidence = evidence;
  }

  add(file: string, result: FileResult): void {
    switch (result.kind) {
      case 'linted':
        this.files += 1;
        this.fixed += result.fixed;
        this.fixedFiles += result.fixed > 0 ? 1 : 0;
        this.#addFindings(file, result.findings, result.tools);
        break;
      case 'skipped':
        if (result.reason === 'excluded') {
          break;
        }
        // No reason to fail: shells and hooks name whatever there is, and generated files lie in every tree.
        this.#tell(file, `skipped, ${skipped[result.reason]}`);
        break;
      case 'unreadable':
      case 'broken':
        this.fail(file, result.why);
        break;
      default:
        assertNever(result);
    }
  }

  #addFindings(file: string, found: readonly Finding[], tools: readonly ToolDefinition[]): void {
    const name = shown(file, this.#terminal);
    const unexplained = this.#evidence?.unexplained(found, tools) ?? [];
    // Both are in order of their lines.
    const all = [...found, ...unexplained].sort((a, b) => a.range.startLine - b.range.startLine);
    for (const finding of all) {
      this.findings.push(located(name, finding, this.#evidence?.of(finding)));
    }
  }

  fail(file: string, why: string): void {
    this.hasFailed = true;
    this.#tell(file, why);
  }

  tellFixed(mode: FixMode): void {
    if (mode !== 'none') {
      const verb = mode === 'write' ? 'fixed' : 'would fix';
      const findings = this.fixed === 1 ? '1 finding' : `${this.fixed} findings`;
      const files = this.fixedFiles === 1 ? '1 file' : `${this.fixedFiles} files`;
      this.#terminal.err(`faultline: ${verb} ${findings} in ${files}\n`);
    }
  }

  #tell(file: string, what: string): void {
    this.#terminal.err(`faultline: ${shown(file, this.#terminal)}: ${what}\n`);
  }
}

/** A copy: words cut out of a source file keep all of it in memory, which adds up over a large tree. */
function located(file: string, finding: Finding, evidence: Seen | undefined): LocatedFinding {
  return { file, finding: JSON.parse(JSON.stringify(finding)) as Finding, evidence };
}

async function lintPaths(absolute: readonly string[], linter: FileLinter, run: Run): Promise<undefined> {
  const isSource = (file: string) => languageOf(file) !== undefined;
  const files = sourceFiles(absolute, isSource, (missing) => run.fail(missing, 'not found'));
  const results = inOrder(files, AT_ONCE, async (file) => ({ file, result: await lintFile(file, linter) }));
  for await (const { file, result } of results) {
    run.add(file, result);
  }
}

/** Returns the mended text, when mending was asked for. */
async function lintStdin(file: string, linter: FileLinter, run: Run): Promise<string | undefined> {
  const languageId = languageOf(file);
  const text = await readAll(process.stdin);
  if (languageId === undefined) {
    run.fail(file, 'the name of stdin (--stdin-filename) must end as a file of a linted language does');
    return linter.fix === 'write' ? text : undefined;
  }
  const config = await configFor(file, linter);
  const result = await linter.texts.lint({ path: file, text, languageId, config }, linter.fix !== 'none');
  run.add(file, result);
  // Whatever happened, an editor's text comes back.
  return linter.fix === 'write' ? (result.kind === 'linted' ? result.text : text) : undefined;
}

function fixMode({ fix, fixDryRun }: LintCommandOptions): FixMode {
  return fixDryRun === true ? 'dry' : fix === true ? 'write' : 'none';
}

function report({ findings, files, hasFailed }: Run, { format }: LintCommandOptions, terminal: Terminal): string {
  switch (format) {
    case 'text':
      return lintAsText(findings, files, terminal.style);
    case 'json':
      return lintAsJson(findings);
    case 'sarif':
      return lintAsSarif(findings, VERSION, !hasFailed);
    case 'github':
      return lintAsGithub(findings);
  }
}

/** Hints never fail a run. With a number of tolerated warnings, errors still fail and notes no longer do. */
function verdict(findings: readonly LocatedFinding[], maxWarnings: number | undefined): ExitCode {
  const count = (severity: string) => findings.filter(({ finding }) => finding.severity === severity).length;
  const isTooMuch =
    maxWarnings === undefined ? findings.length > count('hint') : count('error') > 0 || count('warning') > maxWarnings;
  return isTooMuch ? exitCodes.found : exitCodes.clean;
}

/** A file as reports name it: relative to the working directory where it is inside, with forward slashes. */
function shown(file: string, { cwd }: Terminal): string {
  const relative = path.relative(cwd, file);
  return (relative.startsWith('..') ? file : relative === '' ? '.' : relative).split(path.sep).join('/');
}
