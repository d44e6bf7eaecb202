import type { Expression } from '../../ir.ts';
import type { SyntaxNode } from '../../syntax.ts';
import { readEscapes } from '../lowering.ts';
import { textOfParts } from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';

const NOT_VALUES = new Set(['interpolation_brace', 'interpolation_format_clause', 'interpolation_alignment_clause']);

/** Lowers a string literal of C# in any of its forms. */
export function lowerString(node: SyntaxNode, at: Lowering): Expression {
  const text = at.text(node);
  switch (node.type) {
    case 'verbatim_string_literal':
      return textOfParts(node, [text.slice(2, -1).replaceAll('""', '"')]);
    case 'raw_string_literal':
      return textOfParts(node, [unquoted(text).trim()]);
    case 'interpolated_string_expression':
      return textOfParts(
        node,
        node.children.flatMap((child): (string | Expression)[] => {
          switch (child.type) {
            case 'string_content':
              return [readEscapes(at.text(child)).replaceAll('{{', '{').replaceAll('}}', '}')];
            case 'escape_sequence':
              return [readEscapes(at.text(child))];
            case 'interpolation':
              return [at.expression(child.children.find(({ type }) => !NOT_VALUES.has(type)))];
            default:
              return [];
          }
        }),
      );
    default:
      return textOfParts(node, [readEscapes(text.slice(1, -1))]);
  }
}

/** As many quotes open a raw string as close it. */
function unquoted(text: string): string {
  const quotes = /^"*/.exec(text)?.[0].length ?? 0;
  return text.slice(quotes, Math.max(quotes, text.length - quotes));
}
