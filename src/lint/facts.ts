import { type Found, type ModuleIndex, pathOf } from './flow/moduleIndex.ts';
import type { PlacedCall } from './flow/placedCalls.ts';
import type { Call, Expression } from './ir.ts';

/** What a call does beside giving a value. */
export type Effect =
  /** Writes to the stream that a stdio server speaks JSON-RPC on. */
  | { readonly kind: 'stdout' }
  /** Ends the process. */
  | { readonly kind: 'exit' }
  /** Waits for a network or a process without an end. */
  | { readonly kind: 'wait'; readonly on: 'network' | 'process' };

/** What a server speaks over: `both` when that is decided elsewhere. */
export type TransportUse = 'stdio' | 'http' | 'both';

export type DeclaredType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** `isinstance(x, str)`, `typeof x === 'string'`; `isNegated` when it holds for everything else. */
export interface TypeTest {
  readonly subject: Expression;
  readonly types: readonly DeclaredType[];
  readonly isNegated: boolean;
}

/** What the rules must know of one language beside the value of its expressions. Every question has a safe "no". */
export interface LanguageFacts {
  /** A quick look at a call, to pass over those that surely have no effect. */
  mayHaveEffect(call: Call, index: ModuleIndex): boolean;
  effectOf(placed: PlacedCall, index: ModuleIndex): Effect | undefined;
  /** What a call starts a server on; undefined when it starts none. */
  startOf(found: Found<Call>, index: ModuleIndex): TransportUse | undefined;
  typeTestOf(expression: Expression): TypeTest | undefined;
  /** A file whose text this does not match has no stack trace in it; undefined when that cannot be told. */
  readonly traceWords?: RegExp;
  /** The same of the body of an answer. */
  readonly bodyWords?: RegExp;
  /** The text of a stack trace, of the caught error or any other. */
  isStackTrace(expression: Expression): boolean;
  /** The body of an answer from elsewhere, as it came: `response.text`, `await res.text()`. */
  isRawBody(expression: Expression): boolean;
  /** The names of exceptions that say "it is not there" rather than "it failed". */
  isAbsence(className: string): boolean;
}

/** For a language that tells nothing of this. */
export const noFacts: LanguageFacts = {
  mayHaveEffect: () => false,
  effectOf: () => undefined,
  startOf: () => undefined,
  typeTestOf: () => undefined,
  isStackTrace: () => false,
  isRawBody: () => false,
  isAbsence: () => false,
};

const LOGS =
  /^(?:trace|debug|verbose|info|notice|warn|warning|error|exception|critical|fatal|log|print|println|printf)$/i;
const LOGGERS =
  /(?:^|[._])(?:_?log(?:ger|ging)?|console|ctx|context|stderr|warnings|winston|pino)(?:$|[._])|Logger$|Log$/i;

/** Whether a call only tells someone at the server or in the client's log, and nothing in the result. */
export function isLogging(call: Call): boolean {
  const { callee } = call;
  if (callee.kind === 'name') {
    return (
      /^(?:print|log|debug|warn|println)$/i.test(callee.name) || /^log(?:Error|Warning|Debug|Info)$/i.test(callee.name)
    );
  }
  if (callee.kind !== 'member') {
    return false;
  }
  const object = callee.object.kind === 'call' ? pathOf(callee.object.callee) : pathOf(callee.object);
  return (
    callee.name === 'print_exc' ||
    (object !== undefined && LOGGERS.test(object) && (LOGS.test(callee.name) || callee.name === 'write'))
  );
}
