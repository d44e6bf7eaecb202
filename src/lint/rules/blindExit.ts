import { reportOf, sdkOf } from './common.ts';
import type { Rule } from './rule.ts';

const messages = { exit: 'lint.blindExit.exit' } as const;

/** FL014: a handler ends the process, and with it every call in flight (docs/rules/FL014.md). */
export const blindExit: Rule = {
  meta: { code: 'FL014', name: 'blind-exit', severity: 'warning' },
  messages,
  check(context) {
    return context.model.effects().flatMap(({ effect, call, handlers, flow, site }) => {
      if (effect.kind !== 'exit' || handlers.length === 0) {
        return [];
      }
      const isOwn = handlers.some((handler) => handler.flow === flow);
      const request = {
        kind: 'exit',
        sdk: sdkOf(handlers),
        call,
        statement: site.statement,
        context: site.context,
        tool: handlers[0]?.name ?? '',
      } as const;
      const fixes = () => (isOwn ? (context.fixes.mend?.(request) ?? []) : []);
      const confidence = isOwn ? 'high' : 'medium';
      return [reportOf({ span: call, message: messages.exit, confidence, handlers, fixes }, context)];
    });
  },
};
