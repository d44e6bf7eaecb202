import { isTool, reportOf } from './common.ts';
import type { Rule } from './rule.ts';

const messages = {
  network: 'lint.noTimeout.network',
  process: 'lint.noTimeout.process',
} as const;

/** FL009: a tool waits for a network or a process for as long as that takes (docs/rules/FL009.md). */
export const noTimeout: Rule = {
  meta: { code: 'FL009', name: 'no-timeout', severity: 'info' },
  messages,
  check(context) {
    return context.model.effects().flatMap(({ effect, call, handlers, flow }) => {
      const tools = handlers.filter(isTool);
      if (effect.kind !== 'wait' || tools.length === 0) {
        return [];
      }
      const isOwn = tools.some((handler) => handler.flow === flow);
      // A few words of the call, not its options: the place to look at.
      const { start, end } = call.callee;
      const span = { start, end };
      const confidence = isOwn ? 'high' : 'medium';
      return [reportOf({ span, message: messages[effect.on], confidence, handlers: tools }, context)];
    });
  },
};
