/**
 * What every front end lowers its syntax to: the few forms of statements and expressions that decide what a function
 * gives back. Everything after this file (flow, model, rules) knows no language's syntax.
 */

/** Offsets in the file's text, UTF-16 code units, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Expression = Span &
  (
    | { readonly kind: 'text'; readonly parts: readonly (string | Expression)[] }
    | { readonly kind: 'constant'; readonly value: number | boolean | null }
    | { readonly kind: 'object'; readonly entries: readonly Entry[]; readonly spreads: readonly Expression[] }
    /** `spreads` are elements that stand for many: `...xs`, comprehensions. */
    | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly spreads: readonly Expression[] }
    /** One of `options`, told apart by `condition`: a ternary (two options), `or`, `??`, `&&`. */
    | { readonly kind: 'choice'; readonly condition: Expression | undefined; readonly options: readonly Expression[] }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'member'; readonly object: Expression; readonly name: string }
    | Call
    | { readonly kind: 'function'; readonly value: FunctionIr }
    | { readonly kind: 'not'; readonly operand: Expression }
    /** A comparison; `isNegated` for `!=`, `is not`, `not in`. */
    | { readonly kind: 'compare'; readonly parts: readonly Expression[]; readonly operator: string }
    /** `operator`: the one that tells, where there is one: `typeof`. */
    | { readonly kind: 'other'; readonly parts: readonly Expression[]; readonly operator?: string }
  );

export type Call = Span & {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Expression[];
  /** Keyword arguments. */
  readonly named: readonly Entry[];
  readonly isNew: boolean;
};

export interface Entry extends Span {
  /** Undefined for a computed key. */
  readonly key: string | undefined;
  readonly value: Expression;
}

export type Target =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: string; readonly key: string | undefined }
  | { readonly kind: 'pattern'; readonly names: readonly string[] };

export type Block = readonly Statement[];

export interface Arm {
  /** Undefined for `else` and `default`. */
  readonly condition: Expression | undefined;
  readonly body: Block;
}

export interface CatchClause extends Span {
  /** The caught classes; empty when everything is caught. */
  readonly types: readonly string[];
  readonly variable: string | undefined;
  readonly body: Block;
  /** What stands inside it, also when that does nothing: `pass`. */
  readonly inside?: Span | undefined;
}

export type Statement = Span &
  /** `isImplicit`: the expression body of an arrow function. */
  (
    | { readonly kind: 'return'; readonly value: Expression | undefined; readonly isImplicit: boolean }
    | { readonly kind: 'throw'; readonly value: Expression | undefined }
    | {
        readonly kind: 'assign';
        readonly target: Target;
        readonly value: Expression | undefined;
        /** `+=` and its like: adds to what was there. */
        readonly isAugmented: boolean;
      }
    | { readonly kind: 'expression'; readonly value: Expression }
    | { readonly kind: 'branch'; readonly subject: Expression | undefined; readonly arms: readonly Arm[] }
    | {
        readonly kind: 'loop';
        readonly variables: readonly string[];
        readonly iterable: Expression | undefined;
        readonly body: Block;
      }
    | TryStatement
    | {
        readonly kind: 'block';
        readonly binds: readonly string[];
        readonly uses: readonly Expression[];
        readonly body: Block;
      }
    | { readonly kind: 'function'; readonly value: FunctionIr }
    | { readonly kind: 'class'; readonly value: ClassIr }
    | { readonly kind: 'jump' }
  );

export type TryStatement = Span & {
  readonly kind: 'try';
  readonly body: Block;
  readonly catches: readonly CatchClause[];
  readonly orElse: Block;
  readonly finale: Block;
};

export interface Parameter {
  /** Undefined for a pattern; its names are then in `names`. */
  readonly name: string | undefined;
  readonly names: readonly string[];
  /** The declared type as written. */
  readonly type: string | undefined;
  /** It has a default, so that a call may leave it out. */
  readonly hasDefault?: boolean;
}

export interface FunctionIr extends Span {
  readonly name: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Block;
  readonly decorators: readonly Expression[];
  readonly returnType: string | undefined;
  /** The class that it is a method of. */
  readonly owner: string | undefined;
  readonly isExported: boolean;
  readonly isDefaultExport: boolean;
}

export interface ClassIr extends Span {
  readonly name: string | undefined;
  /** Names of the base classes as written. */
  readonly bases: readonly string[];
  readonly body: Block;
  readonly isDefaultExport: boolean;
  /** Where its name stands, for languages whose classes are tools. */
  readonly nameSpan?: Span | undefined;
  /** Its attributes, for the same. */
  readonly decorators?: readonly Expression[];
}

export interface ImportIr extends Span {
  /** The module as written, for example `.helpers` or `./results.js`. */
  readonly module: string;
  /** The imported name; `*` for the module itself, `default` for its default export. */
  readonly name: string;
  readonly local: string;
}

export interface ModuleIr {
  readonly body: Block;
  readonly imports: readonly ImportIr[];
}
