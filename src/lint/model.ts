import type { DeclaredType, Effect, TransportUse } from './facts.ts';
import type { Exit, FunctionFlow, PathContext, Site } from './flow/functionFlow.ts';
import type { PlacedCall } from './flow/placedCalls.ts';
import type { Call, Expression, FunctionIr, ImportIr, Span, Statement, TryStatement } from './ir.ts';

/**
 * The language-neutral handler model: what a file registers with an MCP server, and what each of it can give back.
 * Rules read this and nothing else.
 */

/** How the SDK's tools fail; decides what a raised error becomes and which fix fits (lint.md, table of fixes). */
export type SdkFamily =
  | 'py-mcpserver-v2'
  | 'py-fastmcp-v1'
  | 'py-fastmcp-standalone'
  | 'py-lowlevel-v1'
  | 'py-lowlevel-v2'
  | 'ts-mcpserver-v1'
  | 'ts-mcpserver-v2'
  | 'ts-lowlevel-v1'
  | 'ts-lowlevel-v2'
  | 'ts-fastmcp'
  | 'ts-mcp-framework'
  | 'ts-xmcp'
  | 'go-mark3labs'
  | 'go-official'
  | 'go-official-lowlevel'
  | 'csharp'
  | 'java-sdk'
  | 'java-spring'
  | 'java-quarkus'
  | 'kotlin-sdk'
  | 'rust-rmcp'
  | 'rust-rmcp-content'
  | 'php-official'
  | 'php-mcp'
  | 'php-laravel'
  | 'ruby-mcp'
  | 'ruby-fast-mcp'
  | 'unknown';

/** An error flag as written: not a literal means that nothing can be said. */
export type Flag = 'true' | 'false' | 'absent' | 'unknown';

/** One thing that an expression may turn out to be, with the place where it is written. */
export interface Alternative {
  readonly shape: Shape;
  readonly span: Span;
  readonly context: PathContext;
  /** The assignment that it came from; undefined when it stands in the exit itself. */
  readonly assignedAt: Site | undefined;
  /** It is one of several that a condition in the expression chooses between. */
  readonly choice: Choice | undefined;
  /** It came in by an argument of the function that it is given back by. */
  readonly isGiven?: boolean;
}

export interface Choice {
  readonly condition: Expression | undefined;
  /** Which option of a ternary. */
  readonly index: number;
}

/** Everything that an expression may be. Empty when nothing is known. */
export type Value = readonly Alternative[];

export interface ObjectEntry extends Span {
  readonly key: string;
  readonly value: Value;
  readonly source: Expression;
}

export type Shape =
  /** `text` starts with the first words; a hole for what is not constant is `HOLE`. */
  | { readonly kind: 'text'; readonly text: string; readonly isCaught: boolean; readonly source: Expression }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'constant'; readonly value: boolean | number }
  | { readonly kind: 'object'; readonly entries: readonly ObjectEntry[]; readonly isOpen: boolean }
  /** A tool result: content blocks beside an error flag. */
  | {
      readonly kind: 'result';
      readonly flag: Flag;
      readonly blocks: Value;
      readonly structured: Value;
      readonly flagEntry: Span | undefined;
      readonly firstEntry: Span | undefined;
      readonly isCall: boolean;
    }
  /** One text block of a result. */
  | { readonly kind: 'block'; readonly text: Value; readonly source: Expression }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly isOpen: boolean }
  /** The caught error itself, or its text. */
  | { readonly kind: 'caught'; readonly source: Expression }
  | { readonly kind: 'helper'; readonly helper: Helper }
  /** `name`: the last name of a variable, member or called function. */
  | {
      readonly kind: 'unknown';
      readonly isCaught: boolean;
      readonly isCall: boolean;
      readonly name: string | undefined;
      readonly source: Expression;
    };

/** Stands in a text for what is not constant. */
export const HOLE = '\u{fffc}';

/** A call of a function whose body is known. */
export interface Helper {
  readonly ir: FunctionIr;
  readonly flow: FunctionFlow;
  readonly call: Call | undefined;
  /** False when it lives in another file. */
  readonly isLocal: boolean;
  readonly exits: readonly ValuedExit[];
}

export interface ValuedExit {
  readonly exit: Exit;
  readonly value: Value;
}

export type HandlerKind = 'tool' | 'resource' | 'prompt';

/**
 * How sure it is that a function is a handler: registered in sight, declared or seen to give back what only tools do, or
 * shaped like one.
 */
export type Certainty = 'registered' | 'declared' | 'shaped';

/** How a tool is declared where it is registered. */
export interface Registration {
  /** What names it there: the decorator, or the name that the call gives. */
  readonly span: Span;
  /** Hints for the client such as `readOnlyHint`; unknown when the options come from elsewhere. */
  readonly annotations: 'given' | 'missing' | 'unknown';
  /** Parameters whose type the SDK checks before the handler runs. */
  readonly parameters: readonly DeclaredParameter[];
}

export interface DeclaredParameter {
  readonly name: string;
  readonly type: DeclaredType;
  /** Neither optional nor nullable: the handler never sees it empty. */
  readonly isRequired: boolean;
}

export interface Handler {
  readonly kind: HandlerKind;
  /** The tool's name; undefined for a low-level handler, which serves all tools. */
  readonly name: string | undefined;
  readonly sdk: SdkFamily;
  readonly certainty: Certainty;
  /** Undefined for low-level handlers, and where the registration is not in sight. */
  readonly registration?: Registration | undefined;
  /** What it gives back is content as it stands: no value can carry an error flag. */
  readonly givesPlainValues: boolean;
  /** Its declared result says so, whatever helpers in other files make. */
  readonly declaresPlainValues: boolean;
  readonly ir: FunctionIr;
  readonly flow: FunctionFlow;
  readonly exits: readonly ValuedExit[];
}

/** A function of the file that handlers run: one of them, or one that they call. */
export interface Reached {
  readonly ir: FunctionIr;
  readonly flow: FunctionFlow;
  readonly handlers: readonly Handler[];
  /** The handlers that what it throws gets out of, uncaught. */
  readonly escapes: readonly Handler[];
  /** It is a handler itself. */
  readonly isHandler: boolean;
}

export interface PlacedEffect extends PlacedCall {
  readonly effect: Effect;
  readonly flow: FunctionFlow;
  /** The handlers that run it. */
  readonly handlers: readonly Handler[];
  /** It runs when the server starts: at the top of the file, or beside the call that starts it. */
  readonly isAtStart: boolean;
}

export interface StatementCalls {
  readonly statement: Statement;
  readonly callees: readonly FunctionIr[];
}

/** A call that starts a server. */
export interface ServerStart {
  readonly call: Call;
  readonly transport: TransportUse;
}

export interface OwnedTry {
  readonly statement: TryStatement;
  readonly owner: FunctionIr;
}

export interface HandlerModel {
  readonly handlers: readonly Handler[];
  readonly imports: readonly ImportIr[];
  readonly starts: readonly ServerStart[];
  /** Every try in a function of the file, run by a handler or not: without one that matters no rule need ask what is. */
  readonly tries: readonly OwnedTry[];
  /** The functions that handlers run; worked out when first asked for, as are the rest. */
  reached(): readonly Reached[];
  /** The functions whose value is what a tool gives back, each with those tools. */
  outputs(): ReadonlyMap<FunctionIr, readonly Handler[]>;
  effects(): readonly PlacedEffect[];
  /** The statements of a function that call functions of this file, with those. */
  callsIn(ir: FunctionIr): readonly StatementCalls[];
  flowOf(ir: FunctionIr): FunctionFlow;
  /** The exits of a function of this file with what each may give back. */
  exitsOf(ir: FunctionIr): readonly ValuedExit[];
}
