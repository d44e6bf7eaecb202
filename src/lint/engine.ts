import type { Confidence, Finding } from '../protocol/finding.ts';
import { Evaluator } from './flow/evaluator.ts';
import { indexModule, type ModuleIndex } from './flow/moduleIndex.ts';
import { Program } from './flow/program.ts';
import {
  type FrontEnd,
  frontEnds,
  type LanguageId as Language,
  languageOf as languageOfPath,
} from './languages/frontEnd.ts';
import type { HandlerModel } from './model.ts';
import { returnedError } from './rules/returnedError.ts';
import type { Report, Rule } from './rules/rule.ts';
import { isBinary, mayHoldHandlers } from './sdkScan.ts';
import { Suppressions } from './suppressions.ts';
import { SourceText, type SyntaxTree } from './syntax.ts';
import type { TreeSitter } from './treeSitter.ts';

export type LanguageId = Language;

export interface LintDocument {
  readonly path: string;
  readonly text: string;
  readonly languageId: LanguageId;
}

export interface LintOptions {
  /** The least sure findings that are wanted. */
  readonly confidence: Confidence;
  readonly signal?: AbortSignal;
  /** Reads a file that a relative import may lead to; undefined when there is none. Without it imports are not followed. */
  readonly readFile?: (path: string) => Promise<string | undefined>;
}

export type SkipReason = 'no-sdk' | 'too-large' | 'binary' | 'cancelled' | 'language';

export type LintResult =
  | { readonly kind: 'linted'; readonly findings: readonly Finding[] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** Reads `tree-sitter-<grammar>.wasm` and `web-tree-sitter.wasm`, from wherever the caller keeps them. */
export interface GrammarLoader {
  load(file: string): Promise<Uint8Array>;
}

const MAX_BYTES = 1_000_000;
/** Files that one lint reads beside its own, and how large they may be. */
const MAX_IMPORTED = 24;
const MAX_IMPORTED_BYTES = 256_000;
const MAX_ROUNDS = 3;

const rules: readonly Rule[] = [returnedError];
const LEVELS: Readonly<Record<Confidence, number>> = { low: 1, medium: 2, high: 3 };

/** The language of a path by its extension; undefined when the lint does not know it. */
export function languageOf(path: string): LanguageId | undefined {
  return languageOfPath(path);
}

/** Lints one file at a time, without ever running it. Grammars load on first use and stay. */
export class LintEngine {
  readonly #grammars: GrammarLoader;
  #parser: Promise<TreeSitter> | undefined;
  #isDisposed = false;

  constructor(grammars: GrammarLoader) {
    this.#grammars = grammars;
  }

  /**
   * The findings of a document, in order of their lines. Broken syntax is linted as far as it parses. Rejects only when
   * a grammar cannot be read.
   */
  async lint(document: LintDocument, options: LintOptions): Promise<LintResult> {
    const isCancelled = () => this.#isDisposed || options.signal?.aborted === true;
    const frontEnd = frontEnds[document.languageId];
    const reason = skipReason(document, frontEnd, isCancelled);
    if (reason !== undefined) {
      return { kind: 'skipped', reason };
    }
    const parser = await this.#treeSitter();
    const tree = isCancelled()
      ? undefined
      : await parser.parse(document.path, document.text, frontEnd.grammar, isCancelled);
    if (tree === undefined || isCancelled()) {
      return { kind: 'skipped', reason: 'cancelled' };
    }
    const source = new SourceText(document.text);
    const program = new Program(indexed(document.path, tree, source, frontEnd), frontEnd.dialect);
    let model = modelOf(program, frontEnd);
    let readCount = 0;
    for (let round = 0; round < MAX_ROUNDS && program.wanted.size > 0 && options.readFile !== undefined; round++) {
      const wanted = [...program.wanted.keys()].slice(0, MAX_IMPORTED - readCount);
      readCount += wanted.length;
      for (const path of wanted) {
        program.supply(path, await this.#readModule(path, options.readFile, frontEnd, isCancelled));
        if (isCancelled()) {
          return { kind: 'skipped', reason: 'cancelled' };
        }
      }
      if (wanted.length === 0) {
        break;
      }
      model = modelOf(program, frontEnd);
    }
    if (isCancelled()) {
      return { kind: 'skipped', reason: 'cancelled' };
    }
    return { kind: 'linted', findings: findingsOf(model, program, source, frontEnd, options.confidence) };
  }

  /** Drops what is kept of a closed file. */
  async forget(path: string): Promise<void> {
    const parser = await this.#parser;
    parser?.forget(path);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#parser?.then(
      (parser) => parser.dispose(),
      () => undefined,
    );
  }

  #treeSitter(): Promise<TreeSitter> {
    if (this.#parser === undefined) {
      const load = (file: string) => this.#grammars.load(file);
      this.#parser = import('./treeSitter.ts').then((module) => module.TreeSitter.create(load));
      this.#parser.catch(() => {
        this.#parser = undefined;
      });
    }
    return this.#parser;
  }

  async #readModule(
    path: string,
    readFile: (path: string) => Promise<string | undefined>,
    frontEnd: FrontEnd,
    isCancelled: () => boolean,
  ): Promise<ModuleIndex | null> {
    const text = await readFile(path).catch(() => undefined);
    if (text === undefined || text.length > MAX_IMPORTED_BYTES || isBinary(text)) {
      return null;
    }
    const language = languageOf(path);
    const grammar = language === undefined ? frontEnd.grammar : frontEnds[language].grammar;
    const parser = await this.#treeSitter();
    const tree = isCancelled() ? undefined : await parser.parse(`import:${path}`, text, grammar, isCancelled);
    return tree === undefined ? null : indexed(path, tree, new SourceText(text), frontEnd);
  }
}

function skipReason(
  document: LintDocument,
  frontEnd: FrontEnd | undefined,
  isCancelled: () => boolean,
): SkipReason | undefined {
  if (frontEnd === undefined) {
    return 'language';
  }
  if (isCancelled()) {
    return 'cancelled';
  }
  if (document.text.length > MAX_BYTES) {
    return 'too-large';
  }
  if (isBinary(document.text)) {
    return 'binary';
  }
  return mayHoldHandlers(document.text, frontEnd.family === 'python') ? undefined : 'no-sdk';
}

function indexed(path: string, tree: SyntaxTree, source: SourceText, frontEnd: FrontEnd): ModuleIndex {
  return indexModule(path, frontEnd.lower(tree.root, source));
}

function modelOf(program: Program, frontEnd: FrontEnd): HandlerModel {
  const evaluator = new Evaluator(program);
  return {
    handlers: frontEnd.discover(program).map((handler) => ({
      ...handler,
      flow: program.flow(handler.ir),
      exits: evaluator.exitsOf({ ir: handler.ir, module: program.main }),
    })),
  };
}

function findingsOf(
  model: HandlerModel,
  program: Program,
  source: SourceText,
  frontEnd: FrontEnd,
  confidence: Confidence,
): readonly Finding[] {
  const suppressions = new Suppressions(source);
  const fixes = frontEnd.fixes(program, source);
  const findings: Finding[] = [];
  for (const rule of rules) {
    for (const report of rule.check({ model, source, fixes })) {
      const isWanted = LEVELS[report.confidence] >= LEVELS[confidence];
      if (isWanted && !suppressions.covers(rule.meta.code, report.range.startLine)) {
        findings.push(findingOf(rule, report));
      }
    }
  }
  return findings.sort((a, b) => a.range.startLine - b.range.startLine || a.range.startColumn - b.range.startColumn);
}

function findingOf(rule: Rule, report: Report): Finding {
  const { span: _, ...rest } = report;
  return { rule: rule.meta.code, name: rule.meta.name, severity: rule.meta.severity, ...rest };
}
