import type { TypeTest } from '../facts.ts';
import { alwaysLeaves, reaching, type Site } from '../flow/functionFlow.ts';
import { mentions } from '../flow/mentions.ts';
import type { Expression } from '../ir.ts';
import type { DeclaredParameter, Handler } from '../model.ts';
import { isTool, reportOf } from './common.ts';
import type { Report, Rule, RuleContext } from './rule.ts';
import { validatesArguments } from './sdkFailures.ts';

const messages = {
  type: 'lint.revalidatedSchema.type',
  missing: 'lint.revalidatedSchema.missing',
} as const;

/** FL007: a tool checks again what its declared schema already refuses (docs/rules/FL007.md). */
export const revalidatedSchema: Rule = {
  meta: { code: 'FL007', name: 'revalidated-schema', severity: 'hint' },
  messages,
  check(context) {
    return context.model.handlers.flatMap((handler) =>
      isTool(handler) && handler.registration !== undefined && isChecked(handler)
        ? checkHandler(handler, handler.registration.parameters, context)
        : [],
    );
  },
};

/** A server that comes from elsewhere registers by the high-level interface when it has one to register with. */
const isChecked = ({ sdk }: Handler) => validatesArguments(sdk) || sdk === 'unknown';

function checkHandler(
  handler: Handler,
  parameters: readonly DeclaredParameter[],
  context: RuleContext,
): readonly Report[] {
  const reports: Report[] = [];
  if (parameters.length === 0) {
    return reports;
  }
  for (const [statement, site] of handler.flow.sites) {
    if (statement.kind !== 'branch') {
      continue;
    }
    for (const arm of statement.arms) {
      if (arm.condition === undefined || !alwaysLeaves(arm.body)) {
        continue;
      }
      for (const test of testsIn(arm.condition, false, context)) {
        const parameter = parameters.find((it) => isParameter(test.subject, it, site, handler));
        const message = parameter === undefined ? undefined : refuses(test, parameter, site);
        if (parameter !== undefined && message !== undefined) {
          const args = { parameter: parameter.name };
          const confidence = message === messages.type ? 'high' : 'medium';
          reports.push(reportOf({ span: test.span, message, confidence, handlers: [handler], args }, context));
        }
      }
    }
  }
  return reports;
}

interface PlacedTest extends TypeTest {
  readonly span: Expression;
}

/** The type tests that make a condition true by themselves: it is one, or has one between `or`s. */
function testsIn(condition: Expression, isNegated: boolean, context: RuleContext): readonly PlacedTest[] {
  const test = context.facts.typeTestOf(condition);
  if (test !== undefined) {
    return [{ ...test, isNegated: test.isNegated !== isNegated, span: condition }];
  }
  if (condition.kind === 'not') {
    return testsIn(condition.operand, !isNegated, context).map((it) => ({ ...it, span: condition }));
  }
  // `a or b` has both as options, `a and b` only the second.
  return condition.kind === 'choice' && condition.options[0] === condition.condition && !isNegated
    ? condition.options.flatMap((option) => testsIn(option, isNegated, context))
    : [];
}

/** Whether the schema refuses everything that the test is true for. */
function refuses(test: TypeTest, { type, isRequired, name }: DeclaredParameter, site: Site): string | undefined {
  const [tested] = test.types;
  if (tested === 'null') {
    return !test.isNegated && isRequired ? messages.missing : undefined;
  }
  const isSame = test.types.includes(type) || (type === 'integer' && test.types.includes('number'));
  // An optional one may be tested away first: `if x is not None: if not isinstance(x, list)`.
  const isPresent = isRequired || site.context.guards.some(({ condition }) => mentions(condition, name, 4));
  return test.isNegated && isSame && isPresent ? messages.type : undefined;
}

/** The parameter itself, before anything else was put in its place. */
function isParameter(subject: Expression, { name }: DeclaredParameter, site: Site, { ir, flow }: Handler): boolean {
  if (subject.kind === 'member') {
    const [first] = ir.parameters;
    return subject.name === name && subject.object.kind === 'name' && subject.object.name === first?.name;
  }
  return (
    subject.kind === 'name' &&
    subject.name === name &&
    ir.parameters.some(({ names }) => names.includes(name)) &&
    reaching(name, site, flow.sites).every(({ kind }) => kind === 'entry')
  );
}
