import type { Language, Tree, TreeCursor } from 'web-tree-sitter';
import type { Pacer } from './pacer.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/** Nodes copied between two looks at the clock. */
const COPY_STEP = 2048;

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

/**
 * Copies a tree into plain nodes; undefined when `pacer` says on the way that it is no longer wanted. Walks with a cursor,
 * so that depth costs no stack.
 */
export async function copyTree(tree: Tree, text: string, pacer: Pacer): Promise<SyntaxTree | undefined> {
  const { language } = tree;
  const types = nodeTypesOf(language);
  const { hasError } = tree.rootNode;
  const cursor = tree.walk();
  const root = nodeAt(cursor, types[cursor.nodeTypeId] ?? BROKEN, undefined);
  // Children wait on one stack until their parent closes: lists that grow one by one are most of what is collected.
  const waiting: SyntaxNode[] = [];
  const open: OpenNode[] = [];
  /** For each open node, how many waited before its children. */
  const opened: number[] = [];
  let inside = root;
  let from = 0;
  let hasFields = false;
  let isInside = cursor.gotoFirstChild();
  for (let count = 1; isInside; count++) {
    if (count % COPY_STEP === 0 && pacer.isDue && !(await pacer.goOn())) {
      cursor.delete();
      return undefined;
    }
    const type = types[cursor.nodeTypeId] ?? BROKEN;
    const fieldId = hasFields && !type.isSkipped ? cursor.currentFieldId : 0;
    let isLast = false;
    if (!type.isSkipped && (type.isNamed || fieldId !== 0)) {
      const node = nodeAt(cursor, type, fieldId === 0 ? undefined : (language.fields[fieldId] ?? undefined));
      waiting.push(node);
      const isOpened = type.isNamed && !type.isLeaf && !(type.isPrefixed && isPlainString(text, node.start));
      if (isOpened && cursor.gotoFirstChild()) {
        open.push(inside);
        opened.push(from);
        inside = node;
        from = waiting.length;
        ({ hasFields } = type);
        continue;
      }
      isLast = !hasError && onlyCloses(text, node, inside);
    }
    while (isLast || !cursor.gotoNextSibling()) {
      if (waiting.length > from) {
        inside.children = waiting.splice(from);
      }
      const outer = open.pop();
      if (outer === undefined || !cursor.gotoParent()) {
        isInside = false;
        break;
      }
      isLast = !hasError && onlyCloses(text, inside, outer);
      inside = outer;
      from = opened.pop() ?? 0;
      hasFields = open.length > 0 && !WITHOUT_FIELDS.has(inside.type);
    }
  }
  cursor.delete();
  return { root, hasError };
}

/** Characters looked at behind a node: more than white space before a bracket ever takes. */
const MAX_CLOSING = 64;

/**
 * Whether nothing but white space, commas and closing brackets stands between the ends of a node and of its parent: no
 * node is made of these, but for the braces of an interpolation in C#. In broken text one may be, of nothing at all.
 */
function onlyCloses(text: string, { end: from }: SyntaxNode, { end: to, type }: SyntaxNode): boolean {
  if (to - from > MAX_CLOSING || (type === 'interpolation' && to > from)) {
    return false;
  }
  for (let at = from; at < to; at++) {
    switch (text.charCodeAt(at)) {
      case 0x09:
      case 0x0a:
      case 0x0d:
      case 0x20:
      case 0x29: // )
      case 0x2c: // ,
      case 0x5d: // ]
      case 0x7d: // }
        break;
      case 0x3b: // ; alone ends its statement; with others it may be an empty one.
        if (to - from > 1) {
          return false;
        }
        break;
      default:
        return false;
    }
  }
  return true;
}

/** A string without interpolations: all but Python's f-strings and t-strings. */
function isPlainString(text: string, start: number): boolean {
  for (let at = start; at < start + 4; at++) {
    const character = text[at];
    if (character === '"' || character === "'" || character === '`') {
      return true;
    }
    if (character === 'f' || character === 'F' || character === 't' || character === 'T') {
      // Only what stands before a quote is a prefix.
      return !/["'`]/.test(text.slice(at, start + 4));
    }
  }
  return true;
}

function nodeAt(cursor: TreeCursor, { name, isNamed }: NodeType, field: string | undefined): OpenNode {
  return { type: name, field, isNamed, start: cursor.startIndex, end: cursor.endIndex, children: NO_CHILDREN };
}
