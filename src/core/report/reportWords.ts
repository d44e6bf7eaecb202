import type { TextArgs } from '../../base/text.ts';
import type {
  AgentVerdict,
  ArgumentChange,
  ErrorTemplate,
  Report,
  ReportFix,
  ReportSource,
  ReportTool,
} from '../../protocol/report.ts';
import { AGENT_ACTS, type AgentAct, HUGE_BYTES, SLOW_US } from '../../protocol/reportTerms.ts';
import type { ClientVerdict } from './agentsByClient.ts';
import type { Measure } from './compareReports.ts';
import { WILDCARD } from './errorTokens.ts';

/** How a report is told: in whose language, and where its links lead. All of it is given from outside; nothing is escaped. */
export interface ReportVoice {
  /** The sentence of a code; an unknown code stands for itself. */
  say(code: string, args?: TextArgs): string;
  /** Name of a server by its id. */
  nameOf(server: string): string;
  /** A moment, wall time in µs. */
  time(us: number): string;
  /** BCP 47, of numbers. */
  readonly language: string;
  /** Where a row is shown; `undefined` where rows have no place to go to. */
  rowLink?(key: number): string | undefined;
  /** Where the source of a tool is shown. */
  toolLink?(server: string, tool: string): string | undefined;
  /** The command that prints the failures of a tool, where there is one. */
  showCommand?(server: string, tool: string): string | undefined;
}

/** Sessions, tools and rows that are named in one line. */
const MAX_NAMED = 10;
/** What a huge answer is in tokens, by four bytes each. */
const HUGE_TOKENS = HUGE_BYTES / 4;

/** The words of a report that all its forms share. */
export class ReportWords {
  readonly voice: ReportVoice;
  private readonly whole: Intl.NumberFormat;
  private readonly tenths: Intl.NumberFormat;

  constructor(voice: ReportVoice) {
    this.voice = voice;
    this.whole = new Intl.NumberFormat(voice.language, { maximumFractionDigits: 0 });
    this.tenths = new Intl.NumberFormat(voice.language, { maximumSignificantDigits: 2 });
  }

  number(value: number): string {
    return this.whole.format(value);
  }

  percent(part: number, whole: number): string {
    const percent = whole === 0 ? 0 : (100 * part) / whole;
    return `${percent < 10 ? this.tenths.format(percent) : this.whole.format(percent)} %`;
  }

  duration(us: number): string {
    const [value, unit] =
      us < 1000 ? [us, 'µs'] : us < 1e6 ? [us / 1e3, 'ms'] : us < 6e7 ? [us / 1e6, 's'] : [us / 6e7, 'min'];
    return `${value < 10 ? this.tenths.format(value) : this.whole.format(value)} ${unit}`;
  }

  bytes(value: number): string {
    const [amount, unit] = value < 1000 ? [value, 'B'] : value < 1e6 ? [value / 1e3, 'KB'] : [value / 1e6, 'MB'];
    return `${amount < 10 ? this.tenths.format(amount) : this.whole.format(amount)} ${unit}`;
  }

  say(code: string, args: TextArgs = {}): string {
    return this.voice.say(code, args);
  }

  /** A sentence with a count, which has another form for one. */
  counted(code: string, count: number, args: TextArgs = {}): string {
    return this.say(count === 1 ? `${code}.one` : code, { ...args, count: this.number(count) });
  }

  /** Names in a line, the first of many. */
  list(names: readonly string[]): string {
    const list = names.slice(0, MAX_NAMED).join(', ');
    return names.length <= MAX_NAMED
      ? list
      : this.say('usability.andMore', { list, count: this.number(names.length - MAX_NAMED) });
  }

  /** What a report is about. */
  head({ scope, totals }: Report): readonly string[] {
    const { time } = this.voice;
    const summary =
      totals.calls === 0
        ? this.say('usability.nothing')
        : this.say('usability.summary', {
            calls: this.number(totals.calls),
            tools: this.number(totals.tools),
            servers: this.number(totals.servers),
            failures: this.number(totals.failures),
            share: this.percent(totals.failures, totals.calls),
            from: time(scope.fromUs),
            to: time(scope.toUs),
          });
    return [
      summary,
      ...(scope.filter === undefined ? [] : [this.say('usability.filter', { filter: scope.filter })]),
      ...(scope.since === undefined ? [] : [this.say('usability.since', { since: scope.since })]),
      ...(scope.sessions.length === 0
        ? []
        : [this.say('usability.sessions', { sessions: this.list(scope.sessions.map(({ id, name }) => name ?? id)) })]),
    ];
  }

  points({ points, parts }: ReportFix): string {
    const sum = parts
      .map(({ what, count, weight }) => `${this.say(`usability.part.${what}`)} ${this.number(count)} × ${weight}`)
      .join(' + ');
    return this.say('usability.fix.points', { points: this.number(points), parts: sum });
  }

  remedy({ problem, template }: ReportFix, hints: readonly string[]): string {
    const code = `usability.remedy.${problem}${problem === 'unclear_errors' && template === undefined ? '.plain' : ''}`;
    return this.say(code, {
      template: template === undefined ? '' : this.error(template),
      hints: hints.join(', '),
      seconds: this.number(SLOW_US / 1e6),
      tokens: this.number(HUGE_TOKENS),
    });
  }

  source({ path, line, rule }: ReportSource): string {
    return `${path}:${line}${rule === undefined ? '' : ` (${rule})`}`;
  }

  client({ client, origin }: Pick<AgentVerdict, 'client' | 'origin'>): string {
    return client !== '' ? client : this.say(origin === 'client' ? 'usability.agent.own' : 'usability.agent.unnamed');
  }

  /** One line on what an agent did: "cursor met 12 failures in 300 calls: 4 blind retries, 2 recoveries." */
  agent(verdict: ClientVerdict): string {
    const { calls, failures, sessions, acts, loopCalls } = verdict;
    const args = { client: this.client(verdict), calls: this.number(calls), failures: this.number(failures), sessions };
    const form = sessions > 1 ? 'headSessions' : failures === 1 ? 'head.one' : 'head';
    const head = this.say(`usability.agent.${form}`, args);
    const told = AGENT_ACTS.flatMap((kind) => {
      const count = acts[kind] ?? 0;
      return count === 0 ? [] : [this.act(kind, count, loopCalls)];
    });
    return told.length === 0
      ? this.say('usability.agent.plain', { head })
      : this.say('usability.agent.sentence', { head, acts: told.join(', ') });
  }

  act(kind: AgentAct, count: number, loopCalls: number): string {
    return this.counted(`usability.act.${kind}`, count, { calls: this.number(loopCalls) });
  }

  /** What came after an error, the most frequent thing first; empty where nothing is known to. */
  aftermath({ blindRetries, recoveries, giveUps }: ErrorTemplate): readonly string[] {
    return [
      ['usability.error.repeated', blindRetries] as const,
      ['usability.error.recovered', recoveries] as const,
      ['usability.error.givenUp', giveUps] as const,
    ]
      .filter(([, count]) => count > 0)
      .sort(([, a], [, b]) => b - a)
      .map(([code, count]) => this.say(code, { count: this.number(count) }));
  }

  /** An error's template. A failure without words is told by the sentence that decided. */
  error(template: string): string {
    return /^signal\.[\w.-]+$/.test(template) ? this.say(template).replace(/\{\w+\}/g, WILDCARD) : template;
  }

  change({ kind, pointer, before = '', after = '' }: ArgumentChange): string {
    return this.say(`usability.recovery.${kind}`, { pointer, before, after });
  }

  /** What else is to be said of a tool, in sentences. */
  notes({ annotations, slowCalls, hugeAnswers }: ReportTool): readonly string[] {
    const hints = annotations.missing.join(', ');
    const count = annotations.unrepeatable;
    return [
      ...(hints === ''
        ? []
        : [this.say(count === 0 ? 'usability.hints' : 'usability.hints.cost', { hints, count: this.number(count) })]),
      ...(slowCalls === 0
        ? []
        : [this.say('usability.slow', { count: this.number(slowCalls), seconds: this.number(SLOW_US / 1e6) })]),
      ...(hugeAnswers === 0
        ? []
        : [this.say('usability.huge', { count: this.number(hugeAnswers), kb: this.number(HUGE_BYTES / 1000) })]),
    ];
  }

  measure(value: number | undefined, unit: Measure['unit']): string {
    return value === undefined ? '–' : unit === 'us' ? this.duration(value) : this.percent(value, 1);
  }
}

/** Is there more to say of a tool than a line of the table does? */
export function isRemarkable(tool: ReportTool): boolean {
  return tool.failures > 0 || tool.slowCalls > 0 || tool.hugeAnswers > 0 || tool.annotations.unrepeatable > 0;
}

/** The hints that a tool lacks. */
export function hintsOf(report: Report, { server, tool }: ReportFix): readonly string[] {
  return report.tools.find((one) => one.server === server && one.tool === tool)?.annotations.missing ?? [];
}
