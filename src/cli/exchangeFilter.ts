import { safeLine } from '../base/safeText.ts';
import { Correlator } from '../core/classify/correlate.ts';
import { judge } from '../core/classify/judge.ts';
import { project } from '../core/export/bugReportBundle.ts';
import { eventTextTest } from '../core/log/eventText.ts';
import type { FilterError, FilterNode } from '../core/timeline/filter/ast.ts';
import { compileFilter, textsOf } from '../core/timeline/filter/compile.ts';
import { parseFilter } from '../core/timeline/filter/parse.ts';
import { SeqSet } from '../core/timeline/filter/seqSet.ts';
import { Timeline } from '../core/timeline/timeline.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Exchange } from '../protocol/exchange.ts';
import { sentence } from './formats/verdictText.ts';

/** A filter of the timeline's language, for recorded events: a call passes with all its attempts. */
export class ExchangeFilter {
  private readonly root: FilterNode;
  private readonly nowUs: number;
  private readonly texts: readonly { readonly text: string; readonly holds: (event: LogEvent) => boolean }[];
  private readonly hits: ReadonlyMap<string, SeqSet>;

  /** `nowUs`: wall time that `since:10m` counts back from. */
  constructor(root: FilterNode, nowUs: number) {
    this.root = root;
    this.nowUs = nowUs;
    this.texts = textsOf(root).map((text) => ({ text, holds: eventTextTest(text) }));
    this.hits = new Map(this.texts.map(({ text }) => [text, new SeqSet()]));
  }

  /** Lets events through, and notes which of them hold the filter's texts; before `passing`. */
  async *watch(events: AsyncIterable<LogEvent>): AsyncGenerator<LogEvent, void, undefined> {
    for await (const event of events) {
      for (const { text, holds } of this.texts) {
        if (holds(event)) {
          this.hits.get(text)?.add(event.seq);
        }
      }
      yield event;
    }
  }

  /** Keys of the exchanges that pass. */
  passing(exchanges: readonly Exchange[]): ReadonlySet<number> {
    const timeline = new Timeline();
    timeline.apply(exchanges);
    return this.passingIn(timeline);
  }

  /** The same of recorded events, which are read from the beginning; holds no more of them than a timeline does. */
  async keysOf(events: AsyncIterable<LogEvent>): Promise<ReadonlySet<number>> {
    const timeline = new Timeline();
    const correlator = new Correlator(judge);
    for await (const event of this.watch(events)) {
      timeline.apply(correlator.push(event));
    }
    return this.passingIn(timeline);
  }

  private passingIn(timeline: Timeline): ReadonlySet<number> {
    timeline.setFilter({
      hiddenOutcomes: [],
      text: '',
      bind: (table) => compileFilter(this.root, table, { nowUs: this.nowUs, hits: (text) => this.hits.get(text) }),
    });
    const keys = new Set<number>();
    for (const { key, isExpandable } of timeline.rows(0, timeline.total)) {
      keys.add(key);
      for (const attempt of isExpandable ? timeline.attempts(key) : []) {
        keys.add(Math.abs(attempt.key));
      }
    }
    return keys;
  }

  /** The same of recorded events, which are read from the beginning. */
  async passingOf(events: AsyncIterable<LogEvent>): Promise<{
    readonly all: readonly Exchange[];
    readonly keys: ReadonlySet<number>;
  }> {
    const all = [...(await project(this.watch(events), new Correlator(judge))).values()];
    return { all, keys: this.passing(all) };
  }
}

/** The filter that an option names, none when it is absent, or the lines that say what is wrong with it and where. */
export function readFilter(
  text: string | undefined,
  nowUs: number,
): { readonly filter: ExchangeFilter | undefined } | { readonly problem: string } {
  if (text === undefined) {
    return { filter: undefined };
  }
  const parsed = parseFilter(text);
  return parsed.kind === 'filter'
    ? { filter: new ExchangeFilter(parsed.root, nowUs) }
    : { problem: problemLines(text, parsed.error) };
}

/** The longest filter that is quoted whole, UTF-16 code units; a part of a longer one. */
const MAX_QUOTED = 100;

function problemLines(text: string, { code, args, offset, length }: FilterError): string {
  const from = Math.max(0, offset - MAX_QUOTED / 2);
  const before = safeLine(text.slice(from, offset), MAX_QUOTED);
  const wrong = safeLine(text.slice(offset, Math.min(offset + length, from + MAX_QUOTED)), MAX_QUOTED);
  const after = safeLine(text.slice(offset + length, from + MAX_QUOTED), MAX_QUOTED);
  const mark = `^${'~'.repeat(Math.max(0, wrong.length - 1))}`;
  return `--filter: ${sentence(code, args)}\n  ${before}${wrong}${after}\n  ${' '.repeat(before.length)}${mark}`;
}
