import { FAILURE_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { AgentEvidence, Recovery, ReportTool } from '../../protocol/report.ts';
import { type AgentAct, HUGE_BYTES, SLOW_US } from '../../protocol/reportTerms.ts';
import { BoundedMap } from '../classify/boundedMap.ts';
import { LatencyHistogram } from '../timeline/histogram.ts';
import type { ArgumentDifference } from './argumentChanges.ts';
import { ErrorTemplates } from './errorTemplates.ts';
import type { ListedTool } from './listedTools.ts';

/** Rows that are named of each thing. */
const MAX_ROWS = 10;
/** Kinds of recoveries that are told apart. */
const MAX_RECOVERIES = 20;
/** Only an answer says how long a tool takes: a limit, a person or a lost connection ended the others. */
const UNANSWERED: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>([
  'pending',
  'timeout',
  'cancelled',
  'transport_error',
]);

/** A call that will not change any more. */
export interface FinishedCall {
  readonly key: number;
  readonly outcome: OutcomeKind;
  readonly attempts: number;
  readonly startUs: number;
  /** What the last attempt took; absent while pending. */
  readonly durationUs: number | undefined;
  readonly requestBytes: number;
  readonly answerBytes: number;
  /** Of a failure: what the caller was told, secrets replaced. */
  readonly text: string;
  /** It may have been carried out, and nobody may repeat it without knowing that this is harmless. */
  readonly isUnrepeatable: boolean;
  readonly acts: ReadonlySet<AgentAct>;
}

interface Acted {
  count: number;
  calls: number;
  readonly newest: BoundedMap<string, AgentEvidence>;
}

/** What became of the calls of one tool of one server. Bounded. */
export class ToolTotals {
  readonly server: string;
  readonly tool: string;
  calls = 0;
  failures = 0;
  readonly outcomes: Partial<Record<OutcomeKind, number>> = {};
  private attempts = 0;
  private readonly latency = new LatencyHistogram();
  private maxUs = 0;
  private slowCalls = 0;
  private requestBytes = 0;
  private answerBytes = 0;
  private largest: { readonly bytes: number; readonly key: number } | undefined;
  private hugeAnswers = 0;
  private firstUs = Number.POSITIVE_INFINITY;
  private lastUs = 0;
  private unrepeatable = 0;
  private readonly silentRows: number[] = [];
  private readonly templates = new ErrorTemplates();
  private readonly acts = new Map<AgentAct, Acted>();
  private readonly recoveries = new Map<string, { -readonly [K in keyof Recovery]: Recovery[K] }>();

  constructor(server: string, tool: string) {
    this.server = server;
    this.tool = tool;
  }

  add(call: FinishedCall): void {
    const { key, outcome, attempts, startUs, durationUs, answerBytes } = call;
    this.calls += 1;
    this.attempts += attempts;
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    this.firstUs = Math.min(this.firstUs, startUs);
    this.lastUs = Math.max(this.lastUs, startUs);
    this.requestBytes += call.requestBytes;
    this.answerBytes += answerBytes;
    if (answerBytes > (this.largest?.bytes ?? 0)) {
      this.largest = { bytes: answerBytes, key };
    }
    this.hugeAnswers += answerBytes >= HUGE_BYTES ? 1 : 0;
    const isFailure = FAILURE_KINDS.has(outcome);
    if (durationUs !== undefined && !UNANSWERED.has(outcome)) {
      this.latency.add(durationUs, isFailure);
      this.maxUs = Math.max(this.maxUs, durationUs);
      this.slowCalls += durationUs > SLOW_US ? 1 : 0;
    }
    if (outcome === 'silent_error') {
      pushNewest(this.silentRows, key);
    }
    if (isFailure) {
      this.failures += 1;
      this.unrepeatable += call.isUnrepeatable ? 1 : 0;
      this.templates.add({ key, outcome, text: call.text, us: startUs, acts: call.acts });
    }
  }

  /** Takes what an agent did; a loop that goes on comes again under its `id`. */
  act(id: string, evidence: AgentEvidence): void {
    const { kind, count } = evidence;
    const acted = this.acts.get(kind) ?? { count: 0, calls: 0, newest: new BoundedMap(MAX_ROWS) };
    this.acts.set(kind, acted);
    const known = acted.newest.get(id);
    acted.count += known === undefined ? 1 : 0;
    acted.calls += count - (known?.count ?? 0);
    acted.newest.set(id, evidence);
  }

  recover({ changes, omitted }: ArgumentDifference, exchanges: readonly number[]): void {
    const id = JSON.stringify(changes.map(({ pointer, kind }) => [pointer, kind]));
    const known = this.recoveries.get(id);
    if (known !== undefined) {
      known.count += 1;
      Object.assign(known, { changes, omitted, exchanges });
    } else if (this.recoveries.size < MAX_RECOVERIES) {
      this.recoveries.set(id, { count: 1, changes, omitted, exchanges });
    }
  }

  /** `listed`: the tool as its server listed it, where that was recorded. */
  result(listed: ListedTool | undefined): ReportTool {
    const { percentiles, count } = this.latency.result();
    const silent = this.outcomes.silent_error ?? 0;
    return {
      server: this.server,
      tool: this.tool,
      calls: this.calls,
      attempts: this.attempts,
      failures: this.failures,
      outcomes: this.outcomes,
      ...(percentiles === undefined ? {} : { latency: { count, ...percentiles, maxUs: this.maxUs } }),
      slowCalls: this.slowCalls,
      bytes: {
        requests: this.requestBytes,
        answers: this.answerBytes,
        largestAnswer: this.largest?.bytes ?? 0,
        ...(this.largest === undefined ? {} : { largestRow: this.largest.key }),
      },
      hugeAnswers: this.hugeAnswers,
      firstUs: this.calls === 0 ? 0 : this.firstUs,
      lastUs: this.lastUs,
      errors: this.templates.result(),
      otherErrors: this.templates.others,
      acts: Object.fromEntries(
        [...this.acts].map(([kind, { count: acts, calls, newest }]) => [
          kind,
          { count: acts, calls, rows: [...newest.values()].map(({ exchanges }) => exchanges.slice(-MAX_ROWS)) },
        ]),
      ),
      recoveries: [...this.recoveries.values()].sort((a, b) => b.count - a.count),
      ...(silent === 0 ? {} : { silent: { count: silent, rows: this.silentRows } }),
      annotations: {
        isListed: listed !== undefined,
        missing: listed?.missing ?? [],
        unrepeatable: listed?.isRepeatable === true ? 0 : this.unrepeatable,
      },
    };
  }
}

function pushNewest(rows: number[], key: number): void {
  rows.push(key);
  if (rows.length > MAX_ROWS) {
    rows.shift();
  }
}
