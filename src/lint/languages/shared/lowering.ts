import type {
  Arm,
  Block,
  CatchClause,
  ClassIr,
  Expression,
  FunctionIr,
  ImportIr,
  ModuleIr,
  Span,
  Statement,
} from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { type LoweringContext, lowerNested, lowerTopLevel, MAX_DEPTH } from '../lowering.ts';

/** How one language's nodes are lowered; `at` gives depth-guarded recursion. */
export interface Syntax {
  expression(node: SyntaxNode, at: Lowering): Expression;
  statement(node: SyntaxNode, at: Lowering): readonly Statement[];
}

/** One file's lowering: recursion with a bound on depth, and what the nodes around tell. */
export class Lowering implements LoweringContext {
  readonly source: SourceText;
  readonly #syntax: Syntax;
  depth = 0;
  pending: Statement[] = [];
  owner: string | undefined;
  /** Names of the methods of the class around, which may be called by their bare names. */
  siblings: ReadonlySet<string> = new Set();
  /** The name that the method around has for its object. */
  receiver: string | undefined;
  /** Declared results of the function around. */
  results: readonly string[] = [];
  /** Variables that hold a caught error here. */
  caught: readonly string[] = [];
  readonly imports: ImportIr[] = [];

  constructor(source: SourceText, syntax: Syntax) {
    this.source = source;
    this.#syntax = syntax;
  }

  text(node: SyntaxNode | undefined): string {
    return node === undefined ? '' : this.source.text.slice(node.start, node.end);
  }

  /** The text of the first child of `node` in `field`; empty when there is none. */
  fieldText(node: SyntaxNode, field: string): string {
    return this.text(childOf(node, field));
  }

  expression(node: SyntaxNode | undefined): Expression {
    return lowerNested(node, this, this.#syntax.expression);
  }

  expressions(nodes: readonly SyntaxNode[]): Expression[] {
    return nodes.map((node) => this.expression(node));
  }

  statement(node: SyntaxNode | undefined): Block {
    if (node === undefined || this.depth > MAX_DEPTH) {
      return [];
    }
    this.depth++;
    const lowered = this.#syntax.statement(node, this);
    this.depth--;
    return lowered;
  }

  /** The statements that the children of `node` are. */
  block(node: SyntaxNode | undefined): Block {
    return node === undefined ? [] : node.children.flatMap((child) => this.statement(child));
  }

  /** Recursion that goes through neither of the above; `undefined` where nesting is deeper than anyone writes. */
  deeper<T>(lower: () => T): T | undefined {
    if (this.depth > MAX_DEPTH) {
      return undefined;
    }
    this.depth++;
    const lowered = lower();
    this.depth--;
    return lowered;
  }

  field(node: SyntaxNode, name: string): Expression {
    return this.expression(childOf(node, name));
  }

  /** Runs `lower` with some of what is around changed, and changes it back. */
  within<T>(
    changes: Partial<Pick<Lowering, 'owner' | 'siblings' | 'receiver' | 'results' | 'caught'>>,
    lower: () => T,
  ): T {
    const { owner, siblings, receiver, results, caught } = this;
    Object.assign(this, changes);
    const made = lower();
    Object.assign(this, { owner, siblings, receiver, results, caught });
    return made;
  }
}

/** Lowers a whole file; methods of one class that stand apart are brought together. Undefined when no longer wanted. */
export async function lowerFile(
  root: SyntaxNode,
  source: SourceText,
  pacer: Pacer,
  syntax: Syntax,
): Promise<ModuleIr | undefined> {
  const lowering = new Lowering(source, syntax);
  const body = await lowerTopLevel(root, lowering, pacer, (node) => lowering.block(node));
  return body === undefined ? undefined : { body: joinClasses(body), imports: lowering.imports };
}

/** One class of a name for all of its parts: Go's methods, Rust's `impl` blocks, partial and reopened classes. */
function joinClasses(body: Block): Block {
  const parts = new Map<string, ClassIr[]>();
  for (const statement of body) {
    if (statement.kind === 'class' && statement.value.name !== undefined) {
      const known = parts.get(statement.value.name);
      if (known === undefined) {
        parts.set(statement.value.name, [statement.value]);
      } else {
        known.push(statement.value);
      }
    }
  }
  const done = new Set<string>();
  return body.flatMap((statement): Block => {
    const name = statement.kind === 'class' ? statement.value.name : undefined;
    const same = name === undefined ? undefined : parts.get(name);
    if (statement.kind !== 'class' || name === undefined || same === undefined || same.length === 1) {
      return [statement];
    }
    if (done.has(name)) {
      return [];
    }
    done.add(name);
    const value: ClassIr = {
      ...statement.value,
      bases: [...new Set(same.flatMap(({ bases }) => bases))],
      body: same.flatMap((part) => part.body),
    };
    return [{ ...statement, value }];
  });
}

/** `named` is where the class has its name. */
export const classStatement = (
  span: Span,
  name: string | undefined,
  bases: readonly string[],
  body: Block,
  { nameSpan: named, decorators }: Pick<ClassIr, 'decorators' | 'nameSpan'> = {},
): Statement => {
  const { start, end } = span;
  const nameSpan = named === undefined ? undefined : { start: named.start, end: named.end };
  const value = { start, end, name, bases, body, isDefaultExport: false, nameSpan, ...(decorators && { decorators }) };
  return { start, end, kind: 'class', value };
};

export const functionStatement = (value: FunctionIr): Statement => ({
  start: value.start,
  end: value.end,
  kind: 'function',
  value,
});

export const branchOf = ({ start, end }: Span, arms: readonly Arm[], subject?: Expression): Statement => ({
  start,
  end,
  kind: 'branch',
  subject,
  arms,
});

export const loopOf = (
  { start, end }: Span,
  variables: readonly string[],
  iterable: Expression | undefined,
  body: Block,
): Statement => ({ start, end, kind: 'loop', variables, iterable, body });

export const tryOf = (
  { start, end }: Span,
  body: Block,
  catches: readonly CatchClause[],
  finale: Block = [],
  orElse: Block = [],
): Statement => ({ start, end, kind: 'try', body, catches, orElse, finale });

/** The value that a switch compares with the values of a case. */
export function caseCondition(subject: Expression, values: readonly Expression[]): Expression | undefined {
  const [first] = values;
  if (first === undefined) {
    return undefined;
  }
  const compare = (value: Expression): Expression => ({
    start: value.start,
    end: value.end,
    kind: 'compare',
    operator: '===',
    parts: [subject, value],
  });
  return values.length === 1
    ? compare(first)
    : { start: first.start, end: values.at(-1)?.end ?? first.end, kind: 'other', parts: values.map(compare) };
}
