import type { TextArgs } from '../../base/text.ts';
import type { Confidence, Fix, Severity, SourceRange } from '../../protocol/finding.ts';
import type { LanguageFacts } from '../facts.ts';
import type { PathContext } from '../flow/functionFlow.ts';
import type { Call, CatchClause, Expression, Span, Statement } from '../ir.ts';
import type { HandlerModel, SdkFamily, ValuedExit } from '../model.ts';
import type { SourceText } from '../syntax.ts';
import type { Evidence } from './scene.ts';

export interface RuleMeta {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
}

/** What a rule found, before suppressions and the confidence limit. */
export interface Report {
  readonly confidence: Confidence;
  readonly span: Span;
  readonly range: SourceRange;
  /** A key of the rule's messages. */
  readonly message: string;
  readonly args: TextArgs;
  readonly tools: readonly string[];
  readonly sdk: SdkFamily;
  /** Made only for findings that are wanted. */
  readonly fixes: () => readonly Fix[];
}

export interface RuleContext {
  readonly model: HandlerModel;
  readonly source: SourceText;
  readonly fixes: FixBuilder;
  readonly facts: LanguageFacts;
}

/** What one language knows about mending. */
export interface FixBuilder {
  returnedError(request: ReturnedErrorFix): readonly Fix[];
  /** Fixes of the other rules; a language without them has none. */
  mend?(request: MendRequest): readonly Fix[];
}

/** What is to be mended, told without syntax. */
export type MendRequest =
  /** A write to stdout: to go to stderr. */
  | { readonly kind: 'stdout'; readonly call: Call; readonly isSafe: boolean }
  /** A throw that becomes a protocol error: to become an error result. */
  | {
      readonly kind: 'protocolError';
      readonly sdk: SdkFamily;
      readonly statement: Statement;
      readonly message: Expression | undefined;
      readonly context: PathContext;
    }
  /** A stack trace in a text: to become the error's message. */
  | { readonly kind: 'stackTrace'; readonly trace: Expression; readonly clause: CatchClause | undefined }
  /** A catch that swallows an error thrown on purpose: to let that class through. */
  | { readonly kind: 'lostRaise'; readonly clause: CatchClause; readonly className: string }
  /** The end of the process: to become an error. */
  | {
      readonly kind: 'exit';
      readonly sdk: SdkFamily;
      readonly call: Call;
      readonly statement: Statement;
      readonly context: PathContext;
      readonly tool: string;
    }
  /** An error flag under the name that another SDK gives it. */
  | { readonly kind: 'flagName'; readonly flag: Span; readonly name: string }
  /** A text where the SDK wants a result. */
  | { readonly kind: 'bareText'; readonly text: Expression };

export interface ReturnedErrorFix {
  readonly sdk: SdkFamily;
  readonly evidence: Evidence;
  readonly exit: ValuedExit;
  /** The exit is a helper's, not the handler's own. */
  readonly isInner: boolean;
}

/** One rule, one file: it reads the handler model and knows no language's syntax. */
export interface Rule {
  readonly meta: RuleMeta;
  /** Codes of sentences in `protocol/texts/lint.ts`, by the rule's own names. */
  readonly messages: Readonly<Record<string, string>>;
  check(context: RuleContext): readonly Report[];
}
