import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/systemClock.ts';
import type { Confidence, Finding } from '../protocol/finding.ts';
import { type LintConfig, settingsFor } from './config/config.ts';
import { type ParsedConfig, parseConfig } from './config/parseConfig.ts';
import { noFacts } from './facts.ts';
import { Evaluator } from './flow/evaluator.ts';
import { handlerModel } from './flow/handlerModel.ts';
import { indexModule, type ModuleIndex } from './flow/moduleIndex.ts';
import { Program } from './flow/program.ts';
import { languageOf as languageOfPath } from './languages/extensions.ts';
import { type FrontEnd, frontEnds, type LanguageId as Language } from './languages/frontEnd.ts';
import type { Handler, HandlerModel } from './model.ts';
import { Pacer } from './pacer.ts';
import { findingsOf } from './report.ts';
import { isBinary, mayHoldHandlers } from './sdkScan.ts';
import { SourceText } from './syntax.ts';
import { type ToolDefinition, toolDefinitions } from './toolDefinitions.ts';
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
  /** The document is open in an editor: its parse is kept for the next keystroke, until it is forgotten. */
  readonly isEdited?: boolean;
  /** `faultline.config.json`, read and checked by the caller. Its own confidence counts before the one above. */
  readonly config?: LintConfig;
  /** Reads a file that a relative import may lead to; undefined when there is none. Without it imports are not followed. */
  readonly readFile?: (path: string) => Promise<string | undefined>;
}

export type SkipReason = 'no-sdk' | 'too-large' | 'binary' | 'cancelled' | 'language' | 'excluded';

export type LintResult =
  | { readonly kind: 'linted'; readonly findings: readonly Finding[]; readonly tools: readonly ToolDefinition[] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** Reads `tree-sitter-<grammar>.wasm` and `web-tree-sitter.wasm`, from wherever the caller keeps them. */
export interface GrammarLoader {
  load(file: string): Promise<Uint8Array>;
}

/** Larger files are skipped: they are generated, or data. */
export const MAX_BYTES = 1024 * 1024;
/** Files that one lint reads beside its own, and how large they may be. */
const MAX_IMPORTED = 24;
const MAX_IMPORTED_CHARS = 256_000;
const MAX_ROUNDS = 3;

/** Checks a configuration; beside the engine because it knows every rule, which are in the engine's bundle. */
export function readConfig(value: unknown, root: string): ParsedConfig {
  return parseConfig(value, root);
}

/** The language of a path by its extension; undefined when the lint does not know it. */
export function languageOf(path: string): LanguageId | undefined {
  return languageOfPath(path);
}

/** Lints one file at a time, without ever running it. Grammars load on first use and stay. */
export class LintEngine {
  readonly #grammars: GrammarLoader;
  readonly #clock: Clock;
  #parser: Promise<TreeSitter> | undefined;
  #isDisposed = false;

  constructor(grammars: GrammarLoader, clock: Clock = systemClock) {
    this.#grammars = grammars;
    this.#clock = clock;
  }

  /**
   * The findings of a document, in order of their lines. Broken syntax is linted as far as it parses. Rejects only when
   * a grammar cannot be read.
   */
  async lint(document: LintDocument, options: LintOptions): Promise<LintResult> {
    const frontEnd = frontEnds[document.languageId];
    const pacer = new Pacer(this.#clock, () => this.#isDisposed || options.signal?.aborted === true);
    const reason = skipReason(document, frontEnd, pacer);
    if (reason !== undefined) {
      return { kind: 'skipped', reason };
    }
    const settings = settingsFor(options.config, document.path, options.confidence);
    if (settings === 'excluded') {
      return { kind: 'skipped', reason: 'excluded' };
    }
    const source = new SourceText(document.text);
    const program = await this.#programOf(document, source, frontEnd, options, pacer);
    const model = program === undefined ? undefined : await this.#modelOf(program, frontEnd, options, pacer);
    if (program === undefined || model === undefined) {
      return { kind: 'skipped', reason: 'cancelled' };
    }
    const findings = await findingsOf(model, program, source, frontEnd, settings, pacer);
    if (findings === undefined) {
      return { kind: 'skipped', reason: 'cancelled' };
    }
    return { kind: 'linted', findings, tools: toolDefinitions(model, source) };
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

  async #programOf(
    { path, text }: LintDocument,
    source: SourceText,
    frontEnd: FrontEnd,
    { isEdited = false }: LintOptions,
    pacer: Pacer,
  ): Promise<Program | undefined> {
    const parser = await this.#treeSitter();
    const { grammar, parsable } = frontEnd;
    const tree = pacer.isCancelled
      ? undefined
      : await parser.parse({ path, text: parsable?.(text) ?? text, grammar, isEdited }, pacer);
    if (tree === undefined || !(await pacer.goOn())) {
      return undefined;
    }
    const ir = await frontEnd.lower(tree.root, source, pacer);
    return ir !== undefined && (await pacer.goOn()) ? new Program(indexModule(path, ir), frontEnd.dialect) : undefined;
  }

  /** Builds the handler model; reads the files that it turns out to need, and builds it again. */
  async #modelOf(
    program: Program,
    frontEnd: FrontEnd,
    options: LintOptions,
    pacer: Pacer,
  ): Promise<HandlerModel | undefined> {
    let model = await modelOf(program, frontEnd, pacer);
    let readCount = 0;
    for (let round = 0; round < MAX_ROUNDS && program.wanted.size > 0 && options.readFile !== undefined; round++) {
      const wanted = [...program.wanted.keys()].slice(0, MAX_IMPORTED - readCount);
      readCount += wanted.length;
      for (const path of wanted) {
        program.supply(path, await this.#readModule(path, options, frontEnd, pacer));
        if (pacer.isCancelled) {
          return undefined;
        }
      }
      if (wanted.length === 0) {
        break;
      }
      model = await modelOf(program, frontEnd, pacer);
    }
    return model;
  }

  async #readModule(
    path: string,
    { readFile, isEdited = false }: LintOptions,
    frontEnd: FrontEnd,
    pacer: Pacer,
  ): Promise<ModuleIndex | null> {
    const text = await readFile?.(path).catch(() => undefined);
    if (text === undefined || text.length > MAX_IMPORTED_CHARS || isBinary(text) || pacer.isCancelled) {
      return null;
    }
    const language = languageOf(path);
    const { grammar, parsable } = language === undefined ? frontEnd : frontEnds[language];
    const parser = await this.#treeSitter();
    const file = { path: `import:${path}`, text: parsable?.(text) ?? text, grammar, isEdited };
    const tree = await parser.parse(file, pacer);
    const ir = tree === undefined ? undefined : await frontEnd.lower(tree.root, new SourceText(text), pacer);
    return ir === undefined ? null : indexModule(path, ir);
  }
}

function skipReason(document: LintDocument, frontEnd: FrontEnd | undefined, pacer: Pacer): SkipReason | undefined {
  if (frontEnd === undefined) {
    return 'language';
  }
  if (pacer.isCancelled) {
    return 'cancelled';
  }
  // Every character takes a byte at least; what may be too large is measured.
  const { text } = document;
  if (text.length > MAX_BYTES || (text.length * 3 > MAX_BYTES && new TextEncoder().encode(text).length > MAX_BYTES)) {
    return 'too-large';
  }
  if (isBinary(text)) {
    return 'binary';
  }
  return mayHoldHandlers(text, document.languageId) ? undefined : 'no-sdk';
}

async function modelOf(program: Program, frontEnd: FrontEnd, pacer: Pacer): Promise<HandlerModel | undefined> {
  if (!(await pacer.goOn())) {
    return undefined;
  }
  const evaluator = new Evaluator(program);
  const handlers: Handler[] = [];
  for (const handler of frontEnd.discover(program)) {
    if (pacer.isDue ? !(await pacer.goOn()) : pacer.isCancelled) {
      return undefined;
    }
    const exits = evaluator.exitsOf({ ir: handler.ir, module: program.main });
    const givesPlainValues = handler.givesPlainValues ?? frontEnd.givesPlainValues(handler.sdk);
    const declaresPlainValues = frontEnd.declaresPlainValues?.(handler.ir) ?? false;
    handlers.push({ ...handler, givesPlainValues, declaresPlainValues, flow: program.flow(handler.ir), exits });
  }
  return (await pacer.goOn()) ? handlerModel(handlers, program, evaluator, frontEnd.facts ?? noFacts) : undefined;
}
