import type { TextArgs } from '../../base/text.ts';
import type { Confidence, Fix, Severity, SourceRange } from '../../protocol/finding.ts';
import type { Span } from '../ir.ts';
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
}

/** What one language knows about mending. */
export interface FixBuilder {
  returnedError(request: ReturnedErrorFix): readonly Fix[];
}

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
