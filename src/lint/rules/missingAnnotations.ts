import { isTool, reportOf } from './common.ts';
import type { Rule } from './rule.ts';

const messages = { missing: 'lint.missingAnnotations.missing' } as const;

/** FL010: a tool does not say whether it may be called again (docs/rules/FL010.md). */
export const missingAnnotations: Rule = {
  meta: { code: 'FL010', name: 'missing-annotations', severity: 'hint' },
  messages,
  check(context) {
    const seen = new Set<number>();
    return context.model.handlers.flatMap((handler) => {
      const { registration } = handler;
      // A loop registers several tools in one place.
      if (!isTool(handler) || registration?.annotations !== 'missing' || seen.has(registration.span.start)) {
        return [];
      }
      seen.add(registration.span.start);
      return [
        reportOf(
          { span: registration.span, message: messages.missing, confidence: 'high', handlers: [handler] },
          context,
        ),
      ];
    });
  },
};
