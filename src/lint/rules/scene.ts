import type { PathContext } from '../flow/functionFlow.ts';
import { partsOf } from '../flow/moduleIndex.ts';
import type { Expression } from '../ir.ts';
import type { Alternative, Helper, Value, ValuedExit } from '../model.ts';
import type { ToolNature } from './wording.ts';

/** 3 is high, 2 medium, 1 low. */
export type Level = 1 | 2 | 3;

/** Why a value counts as an error that is returned as a success. */
export interface Evidence {
  readonly level: Level;
  /** Names a message of the rule. */
  readonly reason: 'text' | 'object' | 'caught' | 'catch' | 'guard' | 'helper' | 'variable';
  /** The expression that holds the error's text, when one does. */
  readonly text: Expression | undefined;
  /** `text` is text as it stands, and needs no conversion. */
  readonly isTextual: boolean;
  readonly alternative: Alternative;
  /** The result object around the text. */
  readonly result: Alternative | undefined;
  /** It refuses the call or its arguments: never a report about something else. */
  readonly isRefusal: boolean;
  /** It is told by structured data, which a caller in another file could read. */
  readonly isStructured: boolean;
  /** Something that is no error may be given back in its place. */
  readonly isConditional: boolean;
  /** It is the only error among what may be given back. */
  readonly isOnlyError: boolean;
}

/** An error that is written in a helper which also succeeds: the finding belongs there. */
export interface InnerEvidence {
  readonly helper: Helper;
  readonly exit: ValuedExit;
  readonly evidence: Evidence;
}

/** Makes evidence of the alternative at hand; `text` is where its error's text stands. */
export type Found = (
  level: Level,
  reason: Evidence['reason'],
  text?: { readonly source: Expression; readonly value?: Value },
  isStructured?: boolean,
) => Evidence;

export interface Scene {
  readonly tool: ToolNature;
  readonly toolName: string | undefined;
  /** Inside the text of a block or a message, where nothing can set a flag. */
  readonly isInText: boolean;
  /** No value of this handler can carry an error flag. */
  readonly isPlain: boolean;
  /** Its declared result says so. */
  readonly isTyped: boolean;
  readonly exitContext: PathContext;
  /** The function at hand is called in a catch. */
  readonly isCalledInCatch: boolean;
  readonly inner: InnerEvidence[];
  readonly depth: number;
}

/** The surer of two. */
export const stronger = (a: Evidence | undefined, b: Evidence | undefined) =>
  a === undefined || (b !== undefined && b.level > a.level) ? b : a;

/** Whether a value was made, or is returned, in a catch; what a caller handed in has nothing to do with the catch here. */
export const isInCatch = ({ context, isGiven }: Alternative, scene: Scene) =>
  context.catchClause !== undefined || (isGiven !== true && scene.exitContext.catchClause !== undefined);

/** Whether a condition leads to a value or to its return. */
export const isGuarded = ({ context }: Alternative, scene: Scene) =>
  context.guards.length > 0 || scene.exitContext.guards.length > 0;

/** Whether it stands in another attempt that a catch makes. */
export const isRetry = ({ context }: Alternative, scene: Scene) => context.isRetry || scene.exitContext.isRetry;

/** Whether the nearest condition asks whether a file or folder is there: what a tool needs, not what it searches for. */
export function isAboutExistence({ context }: Alternative, { exitContext }: Scene): boolean {
  const guard = context.guards.at(-1) ?? exitContext.guards.at(-1);
  return guard !== undefined && asksExistence(guard.condition, 3);
}

const EXISTS = /^(?:exists|existsSync|pathExists|fileExists|file_exists|is_?dir|is_?file|isDirectory|Exists)$/;

function asksExistence(condition: Expression, depth: number): boolean {
  if (condition.kind === 'call') {
    const { callee } = condition;
    return (callee.kind === 'name' || callee.kind === 'member') && EXISTS.test(callee.name);
  }
  return depth > 0 && partsOf(condition).some((part) => asksExistence(part, depth - 1));
}
