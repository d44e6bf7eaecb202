// Its own bundle, loaded by the first file that needs a parser: web-tree-sitter is large.
import { Edit, Language, Parser, type Point, type Tree, type TreeCursor } from 'web-tree-sitter';
import type { Pacer } from './pacer.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/** Trees kept for incremental parsing: about as many as files open in an editor. */
const KEPT_TREES = 12;

interface KeptTree {
  readonly tree: Tree;
  readonly text: string;
  readonly grammar: string;
}

/** Characters that parse in a few milliseconds: no need to look at the clock meanwhile, or to keep the tree. */
const SMALL_TEXT = 16_384;
/** Nodes copied between two looks at the clock. */
const COPY_STEP = 2048;

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
    await Parser.init({ wasmBinary: await load('web-tree-sitter.wasm') });
    return new TreeSitter(load);
  }

  /**
   * Parses `text`; `undefined` when `pacer` says on the way that it is no longer wanted. A file parsed before under the
   * same `path` is parsed incrementally. Rejects when the grammar cannot be read.
   */
  parse(path: string, text: string, grammar: string, pacer: Pacer): Promise<SyntaxTree | undefined> {
    const result = this.#turn.then(() => this.#parse(path, text, grammar, pacer));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #parse(path: string, text: string, grammar: string, pacer: Pacer): Promise<SyntaxTree | undefined> {
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
    if (text.length < SMALL_TEXT) {
      tree.delete();
    } else {
      this.#keep(path, { tree, text, grammar });
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

/** Types that are told by their text alone: what is inside them is never asked for. */
const LEAVES: ReadonlySet<string> = new Set([
  'identifier',
  'property_identifier',
  'private_property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
  'type_identifier',
  'predefined_type',
  'type_annotation',
  'type_arguments',
  'type_parameters',
  'interface_declaration',
  'type_alias_declaration',
  'enum_declaration',
  'ambient_declaration',
  'string_fragment',
  'string_start',
  'string_content',
  'string_end',
  'escape_sequence',
  'type_conversion',
  'format_specifier',
  'number',
  'integer',
  'float',
  'true',
  'false',
  'none',
  'null',
  'undefined',
  'this',
  'super',
  'regex',
  'type',
  'dotted_name',
  'relative_import',
  'comment',
  'break_statement',
  'continue_statement',
  'pass_statement',
  'interpreted_string_literal_content',
]);

const isComment = (name: string) => name === 'comment' || name === 'line_comment' || name === 'block_comment';

/** The only unnamed nodes that are asked for: operators stand in fields. */
const OPERATOR = /^(?:and|or|not|in|is|is not|not in|instanceof|typeof|[-+*/%<>=!&|?^~@]+)$/;

/** Types whose children stand in no field that is asked for: most nodes are in one of these. */
const WITHOUT_FIELDS: ReadonlySet<string> = new Set([
  'module',
  'program',
  'block',
  'statement_block',
  'class_body',
  'switch_body',
  'expression_statement',
  'return_statement',
  'lexical_declaration',
  'variable_declaration',
  'parenthesized_expression',
  'await',
  'await_expression',
  'arguments',
  'argument_list',
  'array',
  'list',
  'tuple',
  'set',
  'object',
  'dictionary',
  'object_pattern',
  'pattern_list',
  'expression_list',
  'template_string',
  'template_substitution',
  'concatenated_string',
  'string',
  'formal_parameters',
  'parameters',
  'named_imports',
  'import_clause',
  'decorator',
  'source_file',
  'compilation_unit',
  'statement_list',
  'literal_value',
  'literal_element',
  'declaration_list',
  'compound_statement',
  'body_statement',
  'then',
  'hash',
  'modifiers',
  'match_block',
  'switch_block',
  'field_initializer_list',
  'spread_element',
  'as_expression',
  'non_null_expression',
]);

interface NodeType {
  readonly name: string;
  readonly isNamed: boolean;
  readonly isLeaf: boolean;
  readonly hasFields: boolean;
  /** Strings whose prefix tells whether anything stands in them. */
  readonly isPrefixed: boolean;
  /** A comment, or a mark or keyword that is no operator. */
  readonly isSkipped: boolean;
}

const nodeTypes = new WeakMap<Language, readonly NodeType[]>();

function nodeTypesOf(language: Language): readonly NodeType[] {
  const known = nodeTypes.get(language);
  if (known !== undefined) {
    return known;
  }
  // Ruby's strings have no prefix that tells of interpolations.
  const opensStrings = language.types.includes('string_array');
  const made = language.types.map((name, id) => {
    const isNamed = language.nodeTypeIsNamed(id);
    const isLeaf = LEAVES.has(name);
    const hasFields = !WITHOUT_FIELDS.has(name);
    const isPrefixed = name === 'string' && !opensStrings;
    const isSkipped = isComment(name) || (!isNamed && !OPERATOR.test(name));
    return { name, isNamed, isLeaf, hasFields, isPrefixed, isSkipped };
  });
  nodeTypes.set(language, made);
  return made;
}

/** Shared by all leaves: half of a tree. Nothing is ever added to it. */
const NO_CHILDREN: SyntaxNode[] = [];

/** What a node of a type that the grammar does not list is: broken text. */
const BROKEN: NodeType = {
  name: 'ERROR',
  isNamed: true,
  isLeaf: false,
  hasFields: true,
  isPrefixed: false,
  isSkipped: false,
};

/** Its children, once it is closed; nothing else of a node is ever set again. */
interface OpenNode extends SyntaxNode {
  children: SyntaxNode[];
}

/** Copies a tree into plain nodes. Walks with a cursor, so that depth costs no stack. */
async function copyTree(tree: Tree, text: string, pacer: Pacer): Promise<SyntaxTree | undefined> {
  const { language } = tree;
  const types = nodeTypesOf(language);
  const { hasError } = tree.rootNode;
  const cursor = tree.walk();
  const root = nodeAt(cursor, types[cursor.nodeTypeId] ?? BROKEN, undefined);
  // Children wait on one stack until their parent closes: lists that grow one by one are most of what is collected.
  const waiting: SyntaxNode[] = [];
  const open: { readonly node: OpenNode; readonly from: number; readonly hasFields: boolean }[] = [];
  let inside = { node: root, from: 0, hasFields: false };
  const close = () => {
    if (waiting.length > inside.from) {
      inside.node.children = waiting.splice(inside.from);
    }
  };
  let isInside = cursor.gotoFirstChild();
  for (let count = 1; isInside; count++) {
    if (count % COPY_STEP === 0 && pacer.isDue && !(await pacer.goOn())) {
      cursor.delete();
      return undefined;
    }
    const type = types[cursor.nodeTypeId] ?? BROKEN;
    const fieldId = inside.hasFields && !type.isSkipped ? cursor.currentFieldId : 0;
    let isLast = false;
    if (!type.isSkipped && (type.isNamed || fieldId !== 0)) {
      const node = nodeAt(cursor, type, fieldId === 0 ? undefined : (language.fields[fieldId] ?? undefined));
      waiting.push(node);
      const isOpened = type.isNamed && !type.isLeaf && !(type.isPrefixed && isPlainString(text, node.start));
      if (isOpened && cursor.gotoFirstChild()) {
        open.push(inside);
        inside = { node, from: waiting.length, hasFields: type.hasFields };
        continue;
      }
      // Behind the end of a node only what the parser made up can stand, and only in broken text.
      isLast = node.end === inside.node.end && !hasError;
    }
    while (isLast || !cursor.gotoNextSibling()) {
      close();
      const outer = open.pop();
      if (outer === undefined || !cursor.gotoParent()) {
        isInside = false;
        break;
      }
      isLast = inside.node.end === outer.node.end && !hasError;
      inside = outer;
    }
  }
  cursor.delete();
  return { root, hasError };
}

/** A string without interpolations: all but Python's f-strings and t-strings. */
function isPlainString(text: string, start: number): boolean {
  const prefix = /["'`]/.exec(text.slice(start, start + 4))?.index ?? 0;
  return !/[ft]/i.test(text.slice(start, start + prefix));
}

function nodeAt(cursor: TreeCursor, { name, isNamed }: NodeType, field: string | undefined): OpenNode {
  return { type: name, field, isNamed, start: cursor.startIndex, end: cursor.endIndex, children: NO_CHILDREN };
}
