import type { ReportFix, ReportTool } from '../../protocol/report.ts';
import type { Problem } from '../../protocol/reportTerms.ts';

/** Points of one occurrence. The table stands in docs/report.md, with why. */
const WEIGHTS = {
  possible_duplicate: 8,
  silent_error: 6,
  used_silent_error: 6,
  give_up: 4,
  timeout: 3,
  transport_error: 3,
  invalid_response: 3,
  ignored_partial: 3,
  blind_retry: 2,
  protocol_error: 1,
  unrepeatable: 1,
  slow: 1,
  huge: 1,
} as const;

/** Fixes that a report tells. */
const MAX_FIXES = 12;

type Counts = readonly (readonly [what: keyof typeof WEIGHTS, count: number])[];

/**
 * What to mend first: for each tool and problem the sum of weight × count, most points first. Ties go by the order
 * of the tools, then by that of `PROBLEMS`.
 */
export function rankFixes(tools: readonly ReportTool[]): readonly ReportFix[] {
  return tools
    .flatMap(fixesOf)
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, MAX_FIXES);
}

/** All points of a tool. */
export function pointsOf(tool: ReportTool): number {
  return fixesOf(tool).reduce((sum, { points }) => sum + points, 0);
}

function fixesOf(tool: ReportTool): readonly ReportFix[] {
  const { outcomes, acts, annotations, silent, bytes, errors } = tool;
  const count = (act: keyof ReportTool['acts']) => acts[act]?.count ?? 0;
  const actRows = (act: keyof ReportTool['acts']) => acts[act]?.rows.at(-1) ?? [];
  const rowsOf = (kind: keyof ReportTool['outcomes']) =>
    errors.find((error) => (error.outcomes[kind] ?? 0) > 0)?.rows ?? [];
  // Of the others nobody could have said it better: they are problems of their own.
  const told = errors.filter((error) => (error.outcomes.tool_error ?? 0) + (error.outcomes.protocol_error ?? 0) > 0);
  const worst = [...told].sort((a, b) => costOf(b) - costOf(a)).find((error) => costOf(error) > 0);
  const fix = (problem: Problem, counts: Counts, rows: readonly number[], more: Partial<ReportFix> = {}): ReportFix => {
    const parts = counts
      .filter(([, times]) => times > 0)
      .map(([what, times]) => ({ what, count: times, weight: WEIGHTS[what] }));
    const points = parts.reduce((sum, part) => sum + part.count * part.weight, 0);
    return { server: tool.server, tool: tool.tool, problem, points, parts, rows: rows.slice(-10), ...more };
  };
  return [
    fix('possible_duplicates', [['possible_duplicate', count('possible_duplicate')]], actRows('possible_duplicate')),
    fix(
      'silent_errors',
      [
        ['silent_error', outcomes.silent_error ?? 0],
        ['used_silent_error', count('used_silent_error')],
      ],
      silent?.rows ?? [],
    ),
    fix(
      'unclear_errors',
      [
        ['blind_retry', told.reduce((sum, { blindRetries }) => sum + blindRetries, 0)],
        ['give_up', told.reduce((sum, { giveUps }) => sum + giveUps, 0)],
      ],
      worst?.rows ?? [],
      worst === undefined ? {} : { template: worst.template },
    ),
    fix('ignored_partials', [['ignored_partial', count('ignored_partial')]], actRows('ignored_partial')),
    fix('timeouts', [['timeout', outcomes.timeout ?? 0]], rowsOf('timeout')),
    fix('transport_errors', [['transport_error', outcomes.transport_error ?? 0]], rowsOf('transport_error')),
    fix('invalid_responses', [['invalid_response', outcomes.invalid_response ?? 0]], rowsOf('invalid_response')),
    fix('protocol_errors', [['protocol_error', outcomes.protocol_error ?? 0]], rowsOf('protocol_error')),
    fix(
      'missing_annotations',
      [['unrepeatable', annotations.missing.length > 0 ? annotations.unrepeatable : 0]],
      rowsOf('timeout'),
    ),
    fix('slow', [['slow', tool.slowCalls]], []),
    fix('huge_results', [['huge', tool.hugeAnswers]], bytes.largestRow === undefined ? [] : [bytes.largestRow]),
  ];
}

/** How much an error's text left its readers without help. */
function costOf({ blindRetries, giveUps }: ReportTool['errors'][number]): number {
  return blindRetries * WEIGHTS.blind_retry + giveUps * WEIGHTS.give_up;
}
