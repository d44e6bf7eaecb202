// Its own bundle, loaded by the first file that needs a parser: web-tree-sitter is large.
import { Edit, Language, Parser, type Point, type Tree, type TreeCursor } from 'web-tree-sitter';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/** Trees kept for incremental parsing: about as many as files open in an editor. */
const KEPT_TREES = 12;

interface KeptTree {
  readonly tree: Tree;
  readonly text: string;
  readonly grammar: string;
}

/** Parses with grammars that `load` reads, each on first use. Not re-entrant; `dispose` frees parsers and trees. */
export class TreeSitter {
  readonly #load: (file: string) => Promise<Uint8Array>;
  readonly #parsers = new Map<string, Promise<Parser>>();
  readonly #kept = new Map<string, KeptTree>();

  private constructor(load: (file: string) => Promise<Uint8Array>) {
    this.#load = load;
  }

  /** Starts the runtime. Rejects when `web-tree-sitter.wasm` cannot be read. */
  static async create(load: (file: string) => Promise<Uint8Array>): Promise<TreeSitter> {
    await Parser.init({ wasmBinary: await load('web-tree-sitter.wasm') });
    return new TreeSitter(load);
  }

  /**
   * Parses `text`; `undefined` when `isCancelled` became true on the way. A file parsed before under the same `path` is
   * parsed incrementally. Rejects when the grammar cannot be read.
   */
  async parse(
    path: string,
    text: string,
    grammar: string,
    isCancelled: () => boolean,
  ): Promise<SyntaxTree | undefined> {
    const parser = await this.#parser(grammar);
    const kept = this.#kept.get(path);
    const old = kept?.grammar === grammar ? kept : undefined;
    if (old !== undefined) {
      old.tree.edit(editBetween(old.text, text));
    }
    const progressCallback = () => isCancelled();
    const tree = parser.parse(text, old?.tree, { progressCallback });
    kept?.tree.delete();
    this.#kept.delete(path);
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    this.#kept.set(path, { tree, text, grammar });
    for (const [oldest, { tree: oldTree }] of this.#kept) {
      if (this.#kept.size <= KEPT_TREES) {
        break;
      }
      oldTree.delete();
      this.#kept.delete(oldest);
    }
    return copyTree(tree);
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

/** Copies a tree into plain nodes. Walks with a cursor, so that depth costs no stack. */
function copyTree(tree: Tree): SyntaxTree {
  const { language } = tree;
  const cursor = tree.walk();
  const root = nodeAt(cursor, language);
  const open: SyntaxNode[] = [root];
  let isInside = cursor.gotoFirstChild();
  while (isInside) {
    const parent = open[open.length - 1] ?? root;
    const isNamed = cursor.nodeIsNamed;
    if (isNamed || cursor.currentFieldId !== 0) {
      const node = nodeAt(cursor, language);
      if (node.type !== 'comment') {
        parent.children.push(node);
        if (isNamed && cursor.gotoFirstChild()) {
          open.push(node);
          continue;
        }
      }
    }
    while (!cursor.gotoNextSibling()) {
      open.pop();
      if (open.length === 0 || !cursor.gotoParent()) {
        isInside = false;
        break;
      }
    }
  }
  cursor.delete();
  return { root, hasError: tree.rootNode.hasError };
}

function nodeAt(cursor: TreeCursor, language: Language): SyntaxNode {
  const fieldId = cursor.currentFieldId;
  return {
    type: language.types[cursor.nodeTypeId] ?? 'ERROR',
    field: fieldId === 0 ? undefined : (language.fields[fieldId] ?? undefined),
    isNamed: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  };
}
