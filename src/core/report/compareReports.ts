import type { Report, ReportTool } from '../../protocol/report.ts';

/** Raised when a field changes its meaning. */
const COMPARISON_VERSION = 1;

/** With fewer calls on either side nothing is said of a part of them. */
export const MIN_CALLS = 30;
/** With fewer answers nothing is said of a percentile that five of a hundred decide. */
export const MIN_ANSWERS = 100;
/** A difference of parts that comes by chance less than once in a hundred times (normal distribution, two-sided). */
const MIN_Z = 2.576;
/** A percentile has no simple test: a difference of less than this may be anything. */
const MIN_LATENCY_RATIO = 1.25;
const MAX_TEMPLATES = 10;

/** `same`: no clear change. `too-few`: nothing can be said of so few calls. */
export type Claim = 'better' | 'worse' | 'same' | 'too-few';

/** One measure on both sides: a part of the calls between 0 and 1, or µs; `undefined` where there is nothing to measure. */
export interface Measure {
  readonly what: 'failure_rate' | 'silent_rate' | 'repeat_rate' | 'timeout_rate' | 'p95';
  readonly unit: 'part' | 'us';
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Calls, or answers, that it was measured on. */
  readonly samplesBefore: number;
  readonly samplesAfter: number;
  readonly claim: Claim;
}

export interface ToolComparison {
  readonly server: string;
  readonly tool: string;
  readonly measures: readonly Measure[];
  /** Error templates of one side alone, the most frequent first. */
  readonly newErrors: readonly { readonly template: string; readonly count: number }[];
  readonly goneErrors: readonly { readonly template: string; readonly count: number }[];
}

/** What one side is called, and what it covers. */
export interface ComparedSide {
  readonly label: string;
  readonly calls: number;
  readonly fromUs: number;
  readonly toUs: number;
}

export interface Comparison {
  readonly faultlineComparison: typeof COMPARISON_VERSION;
  readonly generatedAt: string;
  readonly faultline: string;
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly all: readonly Measure[];
  /** Tools called on both sides; those with a claim first, then by calls. */
  readonly tools: readonly ToolComparison[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** What a measure is taken of: one tool, or all of them. */
interface Sample {
  readonly calls: number;
  readonly failures: number;
  readonly silent: number;
  readonly repeats: number;
  readonly timeouts: number;
}

/** What has changed from one report to another. Tools are the same where their server and name are. */
export function compareReports(
  before: { readonly label: string; readonly report: Report },
  after: { readonly label: string; readonly report: Report },
): Comparison {
  const idOf = ({ server, tool }: ReportTool) => JSON.stringify([server, tool]);
  const old = new Map(before.report.tools.map((tool) => [idOf(tool), tool]));
  const now = new Map(after.report.tools.map((tool) => [idOf(tool), tool]));
  const tools = [...now].flatMap(([id, tool]) => {
    const was = old.get(id);
    return was === undefined ? [] : [{ calls: was.calls + tool.calls, compared: compareTools(was, tool) }];
  });
  return {
    faultlineComparison: COMPARISON_VERSION,
    generatedAt: after.report.generatedAt,
    faultline: after.report.faultline,
    before: sideOf(before),
    after: sideOf(after),
    all: rates(sampleOf(before.report.tools), sampleOf(after.report.tools)),
    tools: tools
      .sort((a, b) => Number(hasClaim(b.compared)) - Number(hasClaim(a.compared)) || b.calls - a.calls)
      .map(({ compared }) => compared),
    onlyBefore: [...old].filter(([id]) => !now.has(id)).map(([, { tool }]) => tool),
    onlyAfter: [...now].filter(([id]) => !old.has(id)).map(([, { tool }]) => tool),
  };
}

function sideOf({ label, report }: { readonly label: string; readonly report: Report }): ComparedSide {
  const { fromUs, toUs } = report.scope;
  return { label, calls: report.totals.calls, fromUs, toUs };
}

function hasClaim({ measures }: ToolComparison): boolean {
  return measures.some(({ claim }) => claim === 'better' || claim === 'worse');
}

function compareTools(before: ReportTool, after: ReportTool): ToolComparison {
  return {
    server: after.server,
    tool: after.tool,
    measures: [...rates(sampleOf([before]), sampleOf([after])), latency(before, after)],
    newErrors: without(after, before),
    goneErrors: without(before, after),
  };
}

function without(tool: ReportTool, other: ReportTool): ToolComparison['newErrors'] {
  const known = new Set(other.errors.map(({ template }) => template));
  return tool.errors
    .filter(({ template }) => !known.has(template))
    .slice(0, MAX_TEMPLATES)
    .map(({ template, count }) => ({ template, count }));
}

function sampleOf(tools: readonly ReportTool[]): Sample {
  const sum = (of: (tool: ReportTool) => number) => tools.reduce((total, tool) => total + of(tool), 0);
  return {
    calls: sum(({ calls }) => calls),
    failures: sum(({ failures }) => failures),
    silent: sum(({ outcomes }) => outcomes.silent_error ?? 0),
    repeats: sum(({ acts }) => acts.blind_retry?.count ?? 0),
    timeouts: sum(({ outcomes }) => outcomes.timeout ?? 0),
  };
}

function rates(before: Sample, after: Sample): readonly Measure[] {
  const rate = (what: Measure['what'], of: (sample: Sample) => number): Measure => ({
    what,
    unit: 'part',
    before: before.calls === 0 ? undefined : of(before) / before.calls,
    after: after.calls === 0 ? undefined : of(after) / after.calls,
    samplesBefore: before.calls,
    samplesAfter: after.calls,
    claim: claimOfParts(of(before), before.calls, of(after), after.calls),
  });
  return [
    rate('failure_rate', ({ failures }) => failures),
    rate('silent_rate', ({ silent }) => silent),
    rate('repeat_rate', ({ repeats }) => repeats),
    rate('timeout_rate', ({ timeouts }) => timeouts),
  ];
}

/** Whether a part of `after` calls is smaller or larger than that of `before` calls, by a test of two proportions. */
export function claimOfParts(was: number, before: number, is: number, after: number): Claim {
  if (before < MIN_CALLS || after < MIN_CALLS) {
    return 'too-few';
  }
  const pooled = (was + is) / (before + after);
  const spread = Math.sqrt(pooled * (1 - pooled) * (1 / before + 1 / after));
  const z = spread === 0 ? 0 : (is / after - was / before) / spread;
  return Math.abs(z) < MIN_Z ? 'same' : z < 0 ? 'better' : 'worse';
}

function latency({ latency: was }: ReportTool, { latency: is }: ReportTool): Measure {
  const [samplesBefore, samplesAfter] = [was?.count ?? 0, is?.count ?? 0];
  const [before, after] = [was?.p95Us, is?.p95Us];
  const isEnough = samplesBefore >= MIN_ANSWERS && samplesAfter >= MIN_ANSWERS;
  const ratio = Math.max(1, after ?? 1) / Math.max(1, before ?? 1);
  const claim = !isEnough
    ? 'too-few'
    : ratio >= MIN_LATENCY_RATIO
      ? 'worse'
      : ratio <= 1 / MIN_LATENCY_RATIO
        ? 'better'
        : 'same';
  return { what: 'p95', unit: 'us', before, after, samplesBefore, samplesAfter, claim };
}
