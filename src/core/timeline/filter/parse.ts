import type { FilterError, FilterNode, ParsedFilter } from './ast.ts';
import { type Token, tokensOf } from './lexer.ts';
import { MAX_DEPTH, MAX_FILTER_LENGTH, MAX_TERMS } from './limits.ts';
import { termNode } from './terms.ts';

/** A token that stands for "the text ends here". */
type End = { readonly kind: 'end'; readonly offset: number; readonly length: 0 };

/** Thrown within this file only, to leave the descent at the first error. */
class Stop {
  readonly error: FilterError;

  constructor(error: FilterError) {
    this.error = error;
  }
}

/**
 * Parses a filter: terms joined by `and` (which may be left out), `or` and `not` or `-`, with parentheses. An empty text lets
 * everything pass. Never throws; the first error is given with its place. Linear, and bounded in length, depth and terms.
 */
export function parseFilter(text: string): ParsedFilter {
  if (text.length > MAX_FILTER_LENGTH) {
    const place = { offset: MAX_FILTER_LENGTH, length: text.length - MAX_FILTER_LENGTH };
    return { kind: 'error', error: { code: 'filter.tooLong', args: { max: MAX_FILTER_LENGTH }, ...place } };
  }
  try {
    return { kind: 'filter', root: new Parser(text).parse() };
  } catch (error) {
    if (error instanceof Stop) {
      return { kind: 'error', error: error.error };
    }
    throw error;
  }
}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly end: End;
  private position = 0;
  private depth = 0;
  private terms = 0;

  constructor(text: string) {
    this.tokens = tokensOf(text);
    this.end = { kind: 'end', offset: text.length, length: 0 };
  }

  parse(): FilterNode {
    if (this.next.kind === 'end') {
      return { kind: 'all', nodes: [] };
    }
    const root = this.any();
    if (this.next.kind === 'close') {
      this.stop('filter.parenthesis.extra', this.next);
    }
    return root;
  }

  private get next(): Token | End {
    return this.tokens[this.position] ?? this.end;
  }

  private any(): FilterNode {
    const nodes = [this.all()];
    while (this.takesKeyword('or')) {
      nodes.push(this.all());
    }
    return joined('any', nodes);
  }

  private all(): FilterNode {
    const nodes = [this.unary()];
    for (;;) {
      const { next } = this;
      if (next.kind === 'end' || next.kind === 'close' || (next.kind === 'keyword' && next.keyword === 'or')) {
        return joined('all', nodes);
      }
      this.takesKeyword('and');
      nodes.push(this.unary());
    }
  }

  private unary(): FilterNode {
    let isNegated = false;
    for (let { next } = this; isNegation(next); next = this.next) {
      isNegated = !isNegated;
      this.position += 1;
    }
    const node = this.primary();
    return isNegated ? { kind: 'not', node } : node;
  }

  private primary(): FilterNode {
    const { next } = this;
    switch (next.kind) {
      case 'open':
        return this.group(next);
      case 'text':
      case 'term': {
        this.position += 1;
        this.terms += 1;
        if (this.terms > MAX_TERMS) {
          this.stop('filter.tooMany', next, { max: MAX_TERMS });
        }
        const node = termNode(next);
        if ('code' in node) {
          throw new Stop(node);
        }
        return node;
      }
      default:
        return this.missing(next);
    }
  }

  private group(open: Token): FilterNode {
    this.position += 1;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) {
      this.stop('filter.tooDeep', open, { max: MAX_DEPTH });
    }
    const node = this.any();
    if (this.next.kind !== 'close') {
      this.stop('filter.parenthesis.open', open);
    }
    this.position += 1;
    this.depth -= 1;
    return node;
  }

  /** Something was to come here, and something else or nothing does. */
  private missing(next: Token | End): never {
    const before = this.tokens[this.position - 1];
    if (before === undefined || next.kind !== 'end') {
      const isExtra = before === undefined && next.kind === 'close';
      this.stop(isExtra ? 'filter.parenthesis.extra' : 'filter.term.before', next, { word: wordOf(next) });
    }
    this.stop('filter.term.after', before, { word: wordOf(before) });
  }

  private takesKeyword(keyword: 'and' | 'or'): boolean {
    const { next } = this;
    const isTaken = next.kind === 'keyword' && next.keyword === keyword;
    this.position += isTaken ? 1 : 0;
    return isTaken;
  }

  private stop(code: string, { offset, length }: Token | End, args: FilterError['args'] = {}): never {
    throw new Stop({ code, args, offset, length });
  }
}

function isNegation(token: Token | End): boolean {
  return token.kind === 'minus' || (token.kind === 'keyword' && token.keyword === 'not');
}

function wordOf(token: Token | End): string {
  switch (token.kind) {
    case 'open':
      return '(';
    case 'close':
      return ')';
    case 'minus':
      return '-';
    case 'keyword':
      return token.keyword;
    default:
      return '';
  }
}

function joined(kind: 'all' | 'any', nodes: readonly FilterNode[]): FilterNode {
  const [only, second] = nodes;
  return only !== undefined && second === undefined ? only : { kind, nodes };
}
