import type { Expression } from '../../ir.ts';
import type { SyntaxNode } from '../../syntax.ts';
import { readEscapes } from '../lowering.ts';
import { memberOf, nameOf, textOfParts } from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';

/** Lowers a string of Ruby, also several that stand side by side. */
export const lowerString = (node: SyntaxNode, at: Lowering): Expression => textOfParts(node, partsOf(node, at));

function partsOf(node: SyntaxNode, at: Lowering): (string | Expression)[] {
  return node.children.flatMap((child): (string | Expression)[] => {
    switch (child.type) {
      case 'string':
        return partsOf(child, at);
      case 'interpolation':
        return [at.expression(child.children.at(-1))];
      default:
        return [readEscapes(at.text(child))];
    }
  });
}

/** A heredoc's text stands on the lines below; its interpolations are read as far as they are plain reads. */
export function lowerHeredoc(node: SyntaxNode, at: Lowering): Expression {
  const { text } = at.source;
  const tag = /^<<[~-]?(["'`]?)(\w+)\1/.exec(at.text(node))?.[2] ?? '';
  const start = text.indexOf('\n', node.end) + 1;
  const lines = start === 0 ? '' : text.slice(start, start + 600);
  const end = new RegExp(`^\\s*${tag}\\s*$`, 'm').exec(lines)?.index ?? lines.length;
  const parts = lines.slice(0, end).split(/#\{([^{}]*)\}/);
  return textOfParts(
    node,
    parts.map((part, index) => (index % 2 === 1 ? readOf(part, node) : part.replace(/\s+/g, ' '))),
  );
}

function readOf(text: string, span: SyntaxNode): Expression {
  const [head = '', ...rest] = (/^[\w.@]+/.exec(text.trim())?.[0] ?? '').split('.');
  return rest.reduce<Expression>((object, name) => memberOf(span, object, name), nameOf(span, head));
}
