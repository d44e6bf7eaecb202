// Its own bundle, loaded by the first file that needs a parser: web-tree-sitter is large.
import { Edit, Language, Parser, type Point, type Tree } from 'web-tree-sitter';
import { copyTree } from './copyTree.ts';
import type { Pacer } from './pacer.ts';
import type { SyntaxTree } from './syntax.ts';
import { treeModule } from './treeWalk.ts';

/** Trees kept for incremental parsing: about as many as files open in an editor. */
const KEPT_TREES = 12;

/** A text to parse. */
export interface Parsable {
  /** What the tree is kept under. */
  readonly path: string;
  readonly text: string;
  readonly grammar: string;
  /** Another text of the same path follows soon: it is then parsed incrementally. */
  readonly isEdited?: boolean;
}

interface KeptTree {
  readonly tree: Tree;
  readonly text: string;
  readonly grammar: string;
}

/** Characters that parse in a few milliseconds: no need to look at the clock meanwhile, or to keep the tree. */
const SMALL_TEXT = 16_384;

/** The runtime is one for all in a process; two that start at once would be woven into each other. */
let started: Promise<void> | undefined;

async function start(load: (file: string) => Promise<Uint8Array>): Promise<void> {
  try {
    treeModule.wasmBinary = await load('web-tree-sitter.wasm');
    await Parser.init(treeModule);
  } catch (error) {
    // It may be there next time.
    started = undefined;
    throw error;
  } finally {
    delete treeModule.wasmBinary;
  }
}

/** Parses with grammars that `load` reads, each on first use. `dispose` frees parsers and trees. */
export class TreeSitter {
  readonly #load: (file: string) => Promise<Uint8Array>;
  readonly #parsers = new Map<string, Promise<Parser>>();
  readonly #kept = new Map<string, KeptTree>();
  /** A parser pauses inside a file, so files take turns. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(load: (file: string) => Promise<Uint8Array>) {
    this.#load = load;
  }

  /** Starts the runtime. Rejects when `web-tree-sitter.wasm` cannot be read. */
  static async create(load: (file: string) => Promise<Uint8Array>): Promise<TreeSitter> {
    started ??= start(load);
    await started;
    return new TreeSitter(load);
  }

  /**
   * Parses a text; `undefined` when `pacer` says on the way that it is no longer wanted. Rejects when the grammar cannot be
   * read.
   */
  parse(file: Parsable, pacer: Pacer): Promise<SyntaxTree | undefined> {
    const result = this.#turn.then(() => this.#parse(file, pacer));
    // Without its result: the last tree would live on until the next.
    const end = () => undefined;
    this.#turn = result.then(end, end);
    return result;
  }

  async #parse({ path, text, grammar, isEdited = false }: Parsable, pacer: Pacer): Promise<SyntaxTree | undefined> {
    const parser = await this.#parser(grammar);
    const kept = this.#kept.get(path);
    this.#kept.delete(path);
    if (kept !== undefined && kept.grammar === grammar) {
      kept.tree.edit(editBetween(kept.text, text));
    }
    const old = kept?.grammar === grammar ? kept.tree : undefined;
    const tree = await parseInStretches(parser, text, old, pacer);
    kept?.tree.delete();
    if (tree === undefined) {
      return undefined;
    }
    const copy = await copyTree(tree, text, pacer);
    if (isEdited && text.length >= SMALL_TEXT) {
      this.#keep(path, { tree, text, grammar });
    } else {
      tree.delete();
    }
    return copy;
  }

  #keep(path: string, entry: KeptTree): void {
    this.#kept.set(path, entry);
    const [oldest] = this.#kept;
    if (this.#kept.size > KEPT_TREES && oldest !== undefined) {
      oldest[1].tree.delete();
      this.#kept.delete(oldest[0]);
    }
  }

  /** Drops what is kept of a closed file. */
  forget(path: string): void {
    this.#kept.get(path)?.tree.delete();
    this.#kept.delete(path);
  }

  dispose(): void {
    for (const { tree } of this.#kept.values()) {
      tree.delete();
    }
    this.#kept.clear();
    for (const parser of this.#parsers.values()) {
      parser.then(
        (ready) => ready.delete(),
        () => undefined,
      );
    }
    this.#parsers.clear();
  }

  #parser(grammar: string): Promise<Parser> {
    const known = this.#parsers.get(grammar);
    if (known !== undefined) {
      return known;
    }
    const parser = this.#load(`tree-sitter-${grammar}.wasm`)
      .then((bytes) => Language.load(bytes))
      .then((language) => new Parser().setLanguage(language));
    this.#parsers.set(grammar, parser);
    // A grammar that could not be read may be there next time.
    parser.catch(() => this.#parsers.delete(grammar));
    return parser;
  }
}

/** Parses with pauses: a parser that was stopped resumes where it left off. */
async function parseInStretches(
  parser: Parser,
  text: string,
  old: Tree | undefined,
  pacer: Pacer,
): Promise<Tree | undefined> {
  // The type says that the callback gives nothing back; true stops the parser.
  const progressCallback = () => pacer.isDue;
  const options = text.length < SMALL_TEXT ? undefined : { progressCallback };
  for (;;) {
    const tree = parser.parse(text, old, options);
    if (tree !== null) {
      return tree;
    }
    if (!(await pacer.goOn())) {
      parser.reset();
      return undefined;
    }
  }
}

/** The smallest edit that turns `before` into `after`: what lies between their common start and their common end. */
function editBetween(before: string, after: string): Edit {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) {
    start++;
  }
  let tail = 0;
  while (
    tail < shortest - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  const oldEndIndex = before.length - tail;
  const newEndIndex = after.length - tail;
  return new Edit({
    startIndex: start,
    oldEndIndex,
    newEndIndex,
    startPosition: pointAt(before, start),
    oldEndPosition: pointAt(before, oldEndIndex),
    newEndPosition: pointAt(after, newEndIndex),
  });
}

function pointAt(text: string, index: number): Point {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: index - lineStart };
}
