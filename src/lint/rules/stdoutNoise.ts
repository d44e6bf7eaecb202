import type { Confidence } from '../../protocol/finding.ts';
import type { Site } from '../flow/functionFlow.ts';
import { pathOf } from '../flow/moduleIndex.ts';
import type { Block, Span } from '../ir.ts';
import type { HandlerModel, PlacedEffect } from '../model.ts';
import { reportOf, wordsOf } from './common.ts';
import type { Rule } from './rule.ts';

const messages = {
  handler: 'lint.stdoutNoise.handler',
  start: 'lint.stdoutNoise.start',
} as const;

/** FL008: a stdio server writes other things than messages to stdout (docs/rules/FL008.md). */
export const stdoutNoise: Rule = {
  meta: { code: 'FL008', name: 'stdout-noise', severity: 'error' },
  messages,
  check(context) {
    const { model } = context;
    const use = transportOf(model);
    return use === 'http'
      ? []
      : model.effects().flatMap((placed) => {
          const confidence = confidenceOf(placed, use, model);
          return confidence === undefined
            ? []
            : [
                reportOf(
                  {
                    span: placed.call,
                    message: placed.handlers.length > 0 ? messages.handler : messages.start,
                    confidence,
                    handlers: placed.handlers,
                    fixes: () =>
                      context.fixes.mend?.({ kind: 'stdout', call: placed.call, isSafe: use === 'stdio' }) ?? [],
                  },
                  context,
                ),
              ];
        });
  },
};

type Use = 'stdio' | 'http' | 'both' | 'unknown';

function transportOf({ starts }: HandlerModel): Use {
  const hasStdio = starts.some(({ transport }) => transport !== 'http');
  const hasHttp = starts.some(({ transport }) => transport !== 'stdio');
  return hasStdio ? (hasHttp ? 'both' : 'stdio') : hasHttp ? 'http' : 'unknown';
}

function confidenceOf(placed: PlacedEffect, use: Use, model: HandlerModel): Confidence | undefined {
  if (placed.effect.kind !== 'stdout' || isRedirected(placed.site)) {
    return undefined;
  }
  if (placed.handlers.length > 0) {
    return use === 'stdio' ? 'high' : use === 'both' ? 'medium' : 'low';
  }
  const isBefore =
    placed.isAtStart && use !== 'unknown' && !isOfAnotherMode(placed, model) && !namesHttp(placed) && !isLast(placed);
  return isBefore ? 'medium' : undefined;
}

/** Inside `with redirect_stdout(…)`. */
function isRedirected(site: Site): boolean {
  for (let at: Site | undefined = site; at !== undefined; at = at.outer?.site) {
    const { statement } = at;
    const uses = statement.kind === 'block' ? statement.uses : [];
    if (uses.some((use) => use.kind === 'call' && /redirect|capture/i.test(pathOf(use.callee) ?? ''))) {
      return true;
    }
  }
  return false;
}

/** It stands beside the start of an HTTP server, or in what that calls back. */
function isOfAnotherMode({ site, within }: PlacedEffect, { starts }: HandlerModel): boolean {
  if (within.some((call) => starts.some((start) => start.call === call && start.transport === 'http'))) {
    return true;
  }
  for (let at: Site | undefined = site; at !== undefined; at = at.outer?.site) {
    const own = starts.filter(({ call }) => isInside(call, at.block));
    if (own.length > 0) {
      return own.every(({ transport }) => transport === 'http');
    }
  }
  return false;
}

/** "Listening on port 3000": what another mode says of itself. */
const namesHttp = ({ call }: PlacedEffect) =>
  /\b(?:https?|sse|ports?|listening)\b/i.test(call.args.map(wordsOf).join(' '));

const isInside = (span: Span, block: Block) =>
  block.some((statement) => span.start >= statement.start && span.end <= statement.end);

/** The process ends with it, or the server has ended: help, versions, good-byes. */
function isLast({ site, flow }: PlacedEffect): boolean {
  const clause = site.context.catchClause;
  const isGoodbye = clause?.types.some((type) => /KeyboardInterrupt|SystemExit|CancelledError/.test(type)) === true;
  const after = site.block.slice(site.index + 1);
  const ends = after.some(
    (statement) =>
      statement.kind === 'return' ||
      statement.kind === 'throw' ||
      (statement.kind === 'expression' &&
        statement.value.kind === 'call' &&
        /(?:^|\.)_?exit$|^quit$/.test(pathOf(statement.value.callee) ?? '')),
  );
  // A return at the end of `main` ends nothing that an earlier one would not.
  return isGoodbye || (ends && site.block !== flow.ir.body) || clause !== undefined;
}
