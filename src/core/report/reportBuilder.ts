import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { FAILURE_KINDS, OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { Report, ReportTool } from '../../protocol/report.ts';
import { REPORT_VERSION } from '../../protocol/reportTerms.ts';
import { BehaviourTracker } from '../classify/behaviour/behaviourTracker.ts';
import { AgentTracker, type FoundEvidence } from './agentTracker.ts';
import { argumentChanges } from './argumentChanges.ts';
import { agentCallKey } from './callKey.ts';
import { ListedTools } from './listedTools.ts';
import { finished, follow, type OpenCall, openCall } from './openCalls.ts';
import { pointsOf, rankFixes } from './ranking.ts';
import { RequestTexts } from './requestTexts.ts';
import { TimeBuckets } from './timeBuckets.ts';
import { ToolTotals } from './toolTotals.ts';

/** Calls that may still change; beyond them the oldest one counts as it is. */
const MAX_OPEN = 4096;
const MAX_TOOLS = 1000;

export interface ReportOptions {
  /** Calls alike in a row that make a loop. */
  readonly loopLimit?: number;
  /** Whether a call is told of: asked once, with the snapshot in which it begins. All are when absent. */
  readonly isWanted?: (exchange: Exchange) => boolean;
  /** Replaces secrets: what was recorded was redacted by the rules of then. */
  readonly redact: (text: string, isJson: boolean) => string;
}

/** What a report says of itself. */
export interface ReportFrame extends Pick<Report, 'generatedAt' | 'faultline'> {
  readonly scope: Omit<Report['scope'], 'fromUs' | 'toUs'>;
}

/**
 * Makes the usability report of exchanges as they come. Holds what may still change and totals by tool, whatever the length
 * of the recording; the same events give the same report.
 */
export class ReportBuilder {
  private readonly options: ReportOptions;
  private readonly behaviours: BehaviourTracker;
  private readonly agents: AgentTracker;
  private readonly listed = new ListedTools();
  private readonly requests = new RequestTexts();
  private readonly open = new Map<number, OpenCall>();
  /** Calls that are not told of, the newest: their attempts are not either. */
  private readonly unwanted = new Set<number>();
  private readonly tools = new Map<string, ToolTotals>();
  private readonly buckets = new TimeBuckets();
  private leftOutCalls = 0;
  private injectedCalls = 0;
  private fromUs = Number.POSITIVE_INFINITY;
  private toUs = 0;

  constructor(options: ReportOptions) {
    this.options = options;
    const { loopLimit } = options;
    this.behaviours = new BehaviourTracker(loopLimit === undefined ? {} : { loopLimit });
    this.agents = new AgentTracker({ isWanted: (key) => !this.unwanted.has(key) });
  }

  /** Takes an event and the snapshots of exchanges that it made, in order. */
  push(event: LogEvent, exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      this.listed.push(exchange, event);
      const key = agentCallKey(exchange);
      if (key !== undefined) {
        this.take(key, exchange, event);
      }
    }
  }

  /** The report of what was taken so far; nothing can be added afterwards. */
  build({ generatedAt, faultline, scope }: ReportFrame): Report {
    const agents = this.agents.verdicts();
    for (const found of this.agents.open()) {
      this.note(found);
    }
    for (const call of this.open.values()) {
      this.close(call);
    }
    this.open.clear();
    const tools = [...this.tools.values()]
      .sort((a, b) => b.calls - a.calls || compareTexts(a.server, b.server) || compareTexts(a.tool, b.tool))
      .map((totals) => totals.result(this.listed.of(totals.server, totals.tool)));
    return {
      faultlineReport: REPORT_VERSION,
      generatedAt,
      faultline,
      scope: { ...scope, fromUs: this.toUs === 0 ? 0 : this.fromUs, toUs: this.toUs },
      totals: totalsOf(tools),
      timeline: this.buckets.result(),
      servers: serversOf(tools),
      tools: tools
        .map((tool) => ({ tool, points: pointsOf(tool) }))
        .sort((a, b) => b.points - a.points)
        .map(({ tool }) => tool),
      neverCalled: this.listed
        .all()
        .map(({ server, tools: names }) => ({
          server,
          tools: names.filter((name) => !this.tools.has(idOf(server, name))),
        }))
        .filter(({ tools: names }) => names.length > 0),
      agents,
      fixFirst: rankFixes(tools),
      leftOut: { calls: this.leftOutCalls, agents: this.agents.forgotten, injected: this.injectedCalls },
    };
  }

  private take(key: number, exchange: Exchange, event: LogEvent): void {
    const isRequest = Math.floor(exchange.key) === event.seq;
    const isFirst = isRequest && key === exchange.key;
    if (isFirst && this.options.isWanted?.(exchange) === false) {
      this.unwanted.add(key);
      forgetOldest(this.unwanted, MAX_OPEN);
    }
    if (event.body.kind === 'message' && isRequest) {
      this.requests.set(exchange.key, event.body.raw);
    }
    if (!this.unwanted.has(key)) {
      const call = this.open.get(key) ?? (isFirst ? this.begin(exchange, key) : undefined);
      if (call !== undefined) {
        follow(call, exchange, event, (text) => this.options.redact(text, false));
      }
    }
    for (const found of this.agents.push(event, exchange, this.behaviours.push(exchange))) {
      this.note(found);
    }
  }

  private begin(exchange: Exchange, key: number): OpenCall {
    const call = openCall(exchange, key);
    this.open.set(key, call);
    for (const oldest of this.open.values()) {
      if (this.open.size <= MAX_OPEN) {
        break;
      }
      this.open.delete(oldest.key);
      this.close(oldest);
    }
    return call;
  }

  /** What an agent did counts for its tool, and for the failed call that it did it after. */
  private note({ id, evidence }: FoundEvidence): void {
    const { kind, server, tool, exchanges } = evidence;
    const [failed, last] = [exchanges[0], exchanges.at(-1)];
    const totals = this.totalsOf(server, tool);
    if (totals === undefined || failed === undefined || last === undefined) {
      return;
    }
    totals.act(id, evidence);
    this.open.get(kind === 'loop' ? last : failed)?.acts.add(kind);
    if (kind === 'recovery') {
      const [before, after] = [this.requests.get(failed), this.requests.get(last)];
      const change =
        before === undefined || after === undefined
          ? undefined
          : argumentChanges(
              { raw: before, id: this.open.get(failed)?.requestId },
              { raw: after, id: this.open.get(last)?.requestId },
              (json) => this.options.redact(json, true),
            );
      if (change !== undefined) {
        totals.recover(change, exchanges);
      }
    }
  }

  private close(call: OpenCall): void {
    if (call.isInjected) {
      // What it came to says nothing of the tool; what the agent made of it counts all the same.
      this.injectedCalls += 1;
      return;
    }
    const isFailure = FAILURE_KINDS.has(call.outcome);
    this.fromUs = Math.min(this.fromUs, call.startUs);
    this.toUs = Math.max(this.toUs, call.startUs);
    this.buckets.add(call.startUs, isFailure);
    const totals = this.totalsOf(call.server, call.tool);
    totals?.add(finished(call));
    this.leftOutCalls += totals === undefined ? 1 : 0;
  }

  private totalsOf(server: string, tool: string): ToolTotals | undefined {
    const id = idOf(server, tool);
    const known = this.tools.get(id);
    if (known !== undefined) {
      return known;
    }
    if (this.tools.size >= MAX_TOOLS) {
      return undefined;
    }
    const made = new ToolTotals(server, tool);
    this.tools.set(id, made);
    return made;
  }
}

function idOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

/** By code units, so that no locale changes an order that is compared. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function forgetOldest(keys: Set<number>, limit: number): void {
  for (const key of keys) {
    if (keys.size <= limit) {
      return;
    }
    keys.delete(key);
  }
}

function totalsOf(tools: readonly ReportTool[]): Report['totals'] {
  const sum = (of: (tool: ReportTool) => number) => tools.reduce((total, tool) => total + of(tool), 0);
  return {
    calls: sum(({ calls }) => calls),
    attempts: sum(({ attempts }) => attempts),
    failures: sum(({ failures }) => failures),
    outcomes: outcomesOf(tools),
    servers: new Set(tools.map(({ server }) => server)).size,
    tools: tools.length,
    requestBytes: sum(({ bytes }) => bytes.requests),
    answerBytes: sum(({ bytes }) => bytes.answers),
  };
}

function serversOf(tools: readonly ReportTool[]): Report['servers'] {
  return [...Map.groupBy(tools, ({ server }) => server)].map(([server, own]) => ({
    server,
    tools: own.length,
    calls: own.reduce((total, { calls }) => total + calls, 0),
    failures: own.reduce((total, { failures }) => total + failures, 0),
    outcomes: outcomesOf(own),
  }));
}

function outcomesOf(tools: readonly ReportTool[]): Report['totals']['outcomes'] {
  const sums: Partial<Record<OutcomeKind, number>> = {};
  for (const kind of OUTCOME_KINDS) {
    const count = tools.reduce((total, { outcomes }) => total + (outcomes[kind] ?? 0), 0);
    if (count > 0) {
      sums[kind] = count;
    }
  }
  return sums;
}
