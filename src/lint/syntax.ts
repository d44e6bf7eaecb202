import type { SourceRange } from '../protocol/finding.ts';

/**
 * A node of a parsed file, copied out of the parser: plain data without a lifetime. Only named nodes and fields are kept,
 * comments are dropped. Offsets are UTF-16 code units, the end exclusive.
 */
export interface SyntaxNode {
  readonly type: string;
  readonly field: string | undefined;
  readonly isNamed: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** True when the parser met text that the grammar does not know; the tree is usable all the same. */
  readonly hasError: boolean;
}

/** The first child of `node` in `field`. */
export function childOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  for (const child of node.children) {
    if (child.field === field) {
      return child;
    }
  }
  return undefined;
}

/** The first child of `node` of one of `types`. */
export function childOfType(node: SyntaxNode, ...types: readonly string[]): SyntaxNode | undefined {
  return node.children.find((child) => types.includes(child.type));
}

/** A text with its line starts, to turn offsets into ranges. */
export class SourceText {
  readonly text: string;
  readonly #lineStarts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  /** The line break that the text uses. */
  get lineBreak(): string {
    const first = this.#lineStarts[1];
    return first !== undefined && this.text[first - 2] === '\r' ? '\r\n' : '\n';
  }

  slice(span: { readonly start: number; readonly end: number }): string {
    return this.text.slice(span.start, span.end);
  }

  /** The 0-based line of an offset, found by bisection. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  lineStart(line: number): number {
    return this.#lineStarts[line] ?? this.text.length;
  }

  /** The white space that the line of `offset` starts with. */
  indentAt(offset: number): string {
    const start = this.lineStart(this.lineAt(offset));
    return /^[ \t]*/.exec(this.text.slice(start, offset))?.[0] ?? '';
  }

  range(start: number, end: number): SourceRange {
    const startLine = this.lineAt(start);
    const endLine = this.lineAt(end);
    return {
      startLine,
      startColumn: start - this.lineStart(startLine),
      endLine,
      endColumn: end - this.lineStart(endLine),
    };
  }
}
