import type { Language } from 'web-tree-sitter';

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

/** What copying must know of the nodes of a type. */
export interface NodeType {
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

/** The types of a grammar by their number. */
export function nodeTypesOf(language: Language): readonly NodeType[] {
  const known = nodeTypes.get(language);
  if (known !== undefined) {
    return known;
  }
  // Its strings have no prefix that tells of interpolations.
  const isRuby = language.types.includes('string_array');
  const made = language.types.map((name, id) => {
    const isNamed = language.nodeTypeIsNamed(id);
    const isLeaf = LEAVES.has(name);
    const hasFields = !WITHOUT_FIELDS.has(name);
    const isPrefixed = name === 'string' && !isRuby;
    const isSkipped = isComment(name) || (!isNamed && !OPERATOR.test(name));
    return { name, isNamed, isLeaf, hasFields, isPrefixed, isSkipped };
  });
  nodeTypes.set(language, made);
  return made;
}

/** What a node of a type that the grammar does not list is: broken text. */
export const BROKEN: NodeType = {
  name: 'ERROR',
  isNamed: true,
  isLeaf: false,
  hasFields: true,
  isPrefixed: false,
  isSkipped: false,
};
