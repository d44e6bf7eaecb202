import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../../base/systemClock.ts';
import type { AgentFindings, AgentSource } from '../../core/agent/agentSource.ts';
import { agentVoice } from '../../core/agent/agentVoice.ts';
import { wrongFilter } from '../../core/agent/recentFailures.ts';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import { eventTextTest } from '../../core/log/eventText.ts';
import { EventRedaction } from '../../core/log/redact/redactEvent.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import { reportMarkdown } from '../../core/report/markdown.ts';
import { parseFilter } from '../../core/timeline/filter/parse.ts';
import { SilentTools } from '../../core/timeline/silentTools.ts';
import { Timeline } from '../../core/timeline/timeline.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { readFilter } from '../exchangeFilter.ts';
import { evidenceOf } from '../lint/evidence.ts';
import type { Target } from '../recorded.ts';
import { makeReport } from '../report/reportSide.ts';
import type { Terminal } from '../terminal.ts';
import { findingsBelow } from './findingsBelow.ts';

/** Snapshots kept at hand, the newest; older ones are projected again. */
const KEPT_EXCHANGES = 20_000;
/** Events of a log that are read at a time. */
const CHUNK_EVENTS = 1000;
/** Events of one exchange that are read at most. */
const MAX_EVENTS = 5000;
/** Messages in which a text is found at most, the newest. */
const MAX_HITS = 200_000;

const VOICE = agentVoice(nameInId);

export interface RecordedSourceOptions {
  readonly target: Target;
  /** As the command line named it. */
  readonly wanted: string | undefined;
  readonly log: string | undefined;
  /** Whose source is linted, absolute. */
  readonly folder: string;
  readonly terminal: Terminal;
}

/** Answers from a log, whose new events are read at each question, or from a session file. */
export class RecordedSource implements AgentSource {
  readonly nameOf = VOICE.nameOf;
  readonly say = VOICE.say;
  private readonly options: RecordedSourceOptions;
  private readonly rows = new Timeline();
  private readonly silent = new SilentTools();
  private readonly correlator = new Correlator(judge);
  private readonly kept = new Map<number, Exchange>();
  private readonly redaction = new EventRedaction(new Redactor(randomBytes(32)));
  private lastSeq = 0;
  private isRead = false;
  /** Questions may come at once; events are read by one at a time. */
  private reading: Promise<void> = Promise.resolve();

  constructor(options: RecordedSourceOptions) {
    this.options = options;
  }

  nowUs(): number {
    return systemClock.wallUs();
  }

  async timeline(): Promise<Timeline> {
    // A reading that failed is told to whoever asked for it, and the next one begins where it stopped.
    this.reading = this.reading.catch(() => undefined).then(() => this.readOn());
    await this.reading;
    return this.rows;
  }

  async exchange(key: number): Promise<Exchange | undefined> {
    const kept = this.kept.get(key);
    if (kept !== undefined || this.rows.row(key) === undefined) {
      return kept;
    }
    const again = new Correlator(judge);
    let found: Exchange | undefined;
    for await (const event of this.recorded()) {
      found = again.push(event).findLast((exchange) => exchange.key === key) ?? found;
    }
    return found;
  }

  async events(range: { from: number; to: number; connection: string }): Promise<readonly LogEvent[]> {
    const { recorded } = this.options.target;
    const events: LogEvent[] = [];
    const { log } = recorded;
    if (log !== undefined) {
      const connection = range.connection as LogEvent['connection'];
      events.push(
        ...log
          .read({ from: range.from, to: range.to, connection, limit: MAX_EVENTS })
          .map((event) => this.redacted(event)),
      );
    } else {
      for await (const event of this.recorded()) {
        if (event.seq > range.to || events.length >= MAX_EVENTS) {
          break;
        }
        if (event.seq >= range.from && event.connection === range.connection) {
          events.push(event);
        }
      }
    }
    return events;
  }

  async search(text: string): Promise<Iterable<number>> {
    const { log } = this.options.target.recorded;
    if (log !== undefined) {
      return log.search(text, { limit: MAX_HITS });
    }
    const holds = eventTextTest(text);
    const seqs: number[] = [];
    for await (const event of this.recorded()) {
      if (holds(event)) {
        seqs.push(event.seq);
      }
    }
    return seqs;
  }

  async report(filter: string | undefined): Promise<{ readonly markdown: string } | { readonly problem: string }> {
    const parsed = parseFilter(filter ?? '');
    if (parsed.kind === 'error') {
      return { problem: wrongFilter(filter ?? '', parsed.error, this) };
    }
    const { wanted, log, terminal } = this.options;
    const nowUs = this.nowUs();
    const read = readFilter(filter, nowUs);
    const made = await makeReport(
      wanted,
      {
        log,
        filterText: filter,
        filter: 'problem' in read ? undefined : read.filter,
        sinceText: undefined,
        since: { fromUs: Number.NEGATIVE_INFINITY, untilUs: Number.POSITIVE_INFINITY },
        nowUs,
      },
      terminal,
    );
    if ('problem' in made) {
      return made;
    }
    return { markdown: reportMarkdown(made.report, VOICE) };
  }

  async findings(wanted: string | undefined): Promise<AgentFindings> {
    const { folder } = this.options;
    await this.timeline();
    return findingsBelow(path.resolve(folder, wanted ?? '.'), folder, evidenceOf(this.silent));
  }

  private async readOn(): Promise<void> {
    const { target } = this.options;
    const { log } = target.recorded;
    if (log === undefined) {
      if (!this.isRead) {
        this.isRead = true;
        for await (const event of this.recorded()) {
          this.apply([event]);
        }
      }
      return;
    }
    const [only] = target.sessions.length === 1 ? target.sessions : [];
    for (;;) {
      const chunk = log.read({ from: this.lastSeq + 1, limit: CHUNK_EVENTS });
      const last = chunk.at(-1);
      if (last === undefined) {
        return;
      }
      const wanted = this.options.wanted === undefined ? chunk : chunk.filter(({ session }) => session === only?.id);
      this.apply(wanted.map((event) => this.redacted(event)));
      this.lastSeq = last.seq;
    }
  }

  /** Everything from the beginning, as an agent may see it. */
  private async *recorded(): AsyncGenerator<LogEvent, void, undefined> {
    for await (const event of this.options.target.events()) {
      yield this.redacted(event);
    }
  }

  /**
   * A session may have been recorded raw, or elsewhere by other rules. Redacted before it is judged: verdicts quote what
   * servers said.
   */
  private redacted(event: LogEvent): LogEvent {
    return { ...event, ...this.redaction.redact(event) };
  }

  private apply(events: readonly LogEvent[]): void {
    for (const event of events) {
      const exchanges = this.correlator.push(event);
      this.rows.apply(exchanges);
      this.silent.apply(exchanges);
      for (const exchange of exchanges) {
        this.kept.delete(exchange.key);
        this.kept.set(exchange.key, exchange);
      }
    }
    for (const key of this.kept.keys()) {
      if (this.kept.size <= KEPT_EXCHANGES) {
        break;
      }
      this.kept.delete(key);
    }
  }
}
