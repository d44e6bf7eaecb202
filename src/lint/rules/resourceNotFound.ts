import { letsThrough } from '../flow/swallow.ts';
import type { Handler, SdkFamily, ValuedExit } from '../model.ts';
import { reportOf, thrownOf, wordsOf } from './common.ts';
import { judge } from './evidence.ts';
import type { Report, Rule, RuleContext } from './rule.ts';

const messages = {
  text: 'lint.resourceNotFound.text',
  plain: 'lint.resourceNotFound.plain',
} as const;

/** FL013: a missing resource is answered with text, or with an error that does not say so (docs/rules/FL013.md). */
export const resourceNotFound: Rule = {
  meta: { code: 'FL013', name: 'resource-not-found', severity: 'info' },
  messages,
  check(context) {
    return context.model.handlers
      .filter(({ kind }) => kind === 'resource')
      .flatMap((handler) => handler.exits.flatMap((exit) => checkExit(exit, handler, context)));
  },
};

/** What an SDK has for it; without an entry there is nothing better than a plain error. */
const ERRORS: Readonly<Partial<Record<SdkFamily, string>>> = {
  'py-mcpserver-v2': 'ResourceNotFoundError',
  'py-fastmcp-standalone': 'NotFoundError',
  'ts-mcpserver-v1': 'McpError',
  'ts-lowlevel-v1': 'McpError',
  'ts-mcpserver-v2': 'ResourceNotFoundError',
  'ts-lowlevel-v2': 'ResourceNotFoundError',
};

const PLAIN =
  /^(?:Error|TypeError|RangeError|Exception|ValueError|KeyError|LookupError|RuntimeError|FileNotFoundError|IndexError)$/;
const MISSING =
  /\bnot found\b|\bno such\b|\bnot exist\b|n['’]t exist\b|\bunknown\b|\bno \w+ (?:with|named|called|for)\b/i;

function checkExit(valued: ValuedExit, handler: Handler, context: RuleContext): readonly Report[] {
  const { exit } = valued;
  const { site } = exit;
  if (site === undefined) {
    return [];
  }
  if (exit.kind === 'throw') {
    const thrown = thrownOf(exit.value);
    const instead = ERRORS[handler.sdk];
    const isMissing = thrown !== undefined && PLAIN.test(thrown.className) && MISSING.test(wordsOf(thrown.message));
    return isMissing && instead !== undefined && site.context.tries.every(letsThrough)
      ? [
          reportOf(
            {
              span: site.statement,
              message: messages.plain,
              confidence: 'high',
              handlers: [handler],
              args: { error: thrown.className, instead },
            },
            context,
          ),
        ]
      : [];
  }
  const level =
    judge(valued, { flow: handler.flow, givesPlainValues: true, declaresPlainValues: false }, undefined).own?.level ??
    0;
  return level >= 2
    ? [
        reportOf(
          {
            span: site.statement,
            message: messages.text,
            confidence: level === 3 ? 'high' : 'medium',
            handlers: [handler],
          },
          context,
        ),
      ]
    : [];
}
