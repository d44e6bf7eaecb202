import type { Expression } from '../../ir.ts';
import type { SyntaxNode } from '../../syntax.ts';
import { readEscapes } from '../lowering.ts';
import { nameOf, textOfParts } from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';

/** A bare name after a dollar; the grammar takes it for text. */
const TEMPLATE = /\\.|\$([A-Za-z_]\w{0,100})/gs;

/** Lowers a string with its templates. */
export function lowerString(node: SyntaxNode, at: Lowering): Expression {
  const isRaw = node.type === 'multiline_string_literal';
  const quote = isRaw ? 3 : 1;
  const parts: (string | Expression)[] = [];
  let from = node.start + quote;
  const end = Math.max(from, node.end - quote);
  for (const inner of node.children.filter(({ type }) => type === 'interpolation')) {
    addText(from, inner.start, isRaw, parts, at);
    parts.push(at.expression(inner.children[0]));
    from = inner.end;
  }
  addText(from, end, isRaw, parts, at);
  return textOfParts(node, parts.length === 0 ? [''] : parts);
}

function addText(start: number, end: number, isRaw: boolean, parts: (string | Expression)[], at: Lowering): void {
  const text = at.source.text.slice(start, end);
  let from = 0;
  const add = (until: number) => {
    const piece = text.slice(from, until);
    const read = isRaw ? piece.replace(/\s+/g, ' ') : readEscapes(piece);
    if (read !== '') {
      parts.push(parts.length === 0 && isRaw ? read.trimStart() : read);
    }
  };
  for (const match of text.matchAll(TEMPLATE)) {
    const name = match[1];
    if (name !== undefined) {
      add(match.index);
      parts.push(nameOf({ start: start + match.index + 1, end: start + match.index + 1 + name.length }, name));
      from = match.index + match[0].length;
    }
  }
  add(text.length);
}
