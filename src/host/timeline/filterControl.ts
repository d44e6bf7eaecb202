import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { eventTextTest } from '../../core/log/eventText.ts';
import type { FilterError, FilterNode } from '../../core/timeline/filter/ast.ts';
import { compileFilter, slidesBy, textsOf } from '../../core/timeline/filter/compile.ts';
import { type Completion, completeFilter } from '../../core/timeline/filter/complete.ts';
import { goodPart } from '../../core/timeline/filter/goodPart.ts';
import { parseFilter } from '../../core/timeline/filter/parse.ts';
import { type RecordedValue, ValueCollector } from '../../core/timeline/filter/recordedValues.ts';
import { SeqSet } from '../../core/timeline/filter/seqSet.ts';
import type { FilterSpec } from '../../core/timeline/rowFilter.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import type { ReadableLog, Recording } from '../recording.ts';

/** Rows tested at a time: a few milliseconds, between which the host does what it has to. */
const STEP_ROWS = 20_000;

/** Messages that a text is found in, the newest ones: rows beyond them are found by their names alone. */
const MAX_HITS = 200_000;

/** How long a text stands before messages are searched for it: most are the beginning of another. */
const SEARCH_AFTER_MS = 150;

/** A filter that counts back from now is looked at again this often within its time, but at most once a second. */
const SLIDES = 60;
const MIN_SLIDE_MS = 1000;
const MAX_SLIDE_MS = 60_000;

/** What a person asks for. */
export interface WantedFilter {
  readonly hiddenOutcomes: readonly OutcomeKind[];
  readonly text: string;
}

interface TextSearch {
  readonly seqs: SeqSet;
  readonly holds: (event: LogEvent) => boolean;
  isDone: boolean;
}

/**
 * The filter of one recording, whichever pages show it. Rows are tested in steps, and a later filter takes the place of one
 * that is on its way. Free text is sought in names at once and in messages afterwards, where it adds rows as soon as the log
 * has been searched; events that come meanwhile are looked into as they come.
 */
export class FilterControl {
  private readonly recording: Recording<ReadableLog>;
  private readonly clock: Clock;
  private readonly serverName: (id: string) => string;
  private readonly values = new ValueCollector();
  /** The last text that could be read, and what it means. */
  private good: { readonly text: string; readonly root: FilterNode } = { text: '', root: { kind: 'all', nodes: [] } };
  private applied: FilterSpec | undefined;
  private readonly searches = new Map<string, TextSearch>();
  private listening: Disposable | undefined;
  private searching: AbortController | undefined;
  private slide: { dispose(): void } | undefined;
  /** Counts what was asked for, so that what is late can tell. */
  private turn = 0;
  private users = 0;
  /** Tests of rows that are on their way. */
  private scans = 0;

  constructor(recording: Recording<ReadableLog>, serverName: (id: string) => string, clock: Clock) {
    this.recording = recording;
    this.serverName = serverName;
    this.clock = clock;
  }

  /** Are messages being searched, after which more rows may pass? */
  get isSearching(): boolean {
    return this.searching !== undefined;
  }

  /** A filter that counts back from now goes on only while somebody looks. */
  retain(): Disposable {
    this.users += 1;
    this.scheduleSlide();
    this.startSearching();
    return {
      dispose: () => {
        this.users -= 1;
        if (this.users === 0) {
          this.slide?.dispose();
          this.slide = undefined;
          this.stopSearching();
        }
      },
    };
  }

  /**
   * Shows what is wanted, and resolves when it is shown or another filter has taken its place. Of a text that cannot be read
   * the error is given; what stands before a last word that is still being written is shown, else the last good text. The
   * outcomes are hidden or shown in any case.
   */
  async set(wanted: WantedFilter): Promise<FilterError | undefined> {
    const parsed = parseFilter(wanted.text);
    const good =
      parsed.kind === 'filter' ? { text: wanted.text, root: parsed.root } : goodPart(wanted.text, parsed.error);
    this.good = good ?? this.good;
    if (!this.isShown(wanted.hiddenOutcomes)) {
      await this.apply(wanted.hiddenOutcomes);
    }
    return parsed.kind === 'error' ? parsed.error : undefined;
  }

  /** What may be written at the cursor. */
  complete(text: string, cursor: number): readonly Completion[] {
    const { timeline } = this.recording;
    return completeFilter(text, cursor, (key) => {
      const values = this.values.of(timeline.table, key);
      return key === 'server' ? this.named(values) : values;
    });
  }

  /** Servers by the names that people know, which several may share. */
  private named(servers: readonly RecordedValue[]): readonly RecordedValue[] {
    const rowsOf = new Map<string, number>();
    for (const { value, rows } of servers) {
      const name = this.serverName(value);
      rowsOf.set(name, (rowsOf.get(name) ?? 0) + rows);
    }
    return [...rowsOf].map(([value, rows]) => ({ value, rows }));
  }

  /** Somebody else may have set the timeline's filter meanwhile, or another may be about to take its place. */
  private isShown(hiddenOutcomes: readonly OutcomeKind[]): boolean {
    const { applied, good } = this;
    return (
      this.scans === 0 &&
      applied !== undefined &&
      this.recording.timeline.isFilter(applied) &&
      applied.text === good.text &&
      applied.hiddenOutcomes.join() === hiddenOutcomes.join()
    );
  }

  private async apply(hiddenOutcomes: readonly OutcomeKind[]): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    this.slide?.dispose();
    this.slide = undefined;
    this.prepareSearches();
    if ((await this.scan(hiddenOutcomes)) && turn === this.turn) {
      this.startSearching();
    }
  }

  /** False when another filter has taken the place of this one. */
  private async scan(hiddenOutcomes: readonly OutcomeKind[]): Promise<boolean> {
    const { timeline } = this.recording;
    const { turn } = this;
    const { text, root } = this.good;
    const spec: FilterSpec = {
      hiddenOutcomes,
      text,
      bind: (table) =>
        compileFilter(root, table, {
          nowUs: this.clock.wallUs(),
          serverName: this.serverName,
          hits: (each) => this.searches.get(each)?.seqs,
        }),
    };
    const scan = timeline.beginFilter(spec);
    this.scans += 1;
    while (!scan.step(STEP_ROWS) && turn === this.turn) {
      await setImmediate();
    }
    this.scans -= 1;
    const { filter } = scan;
    // A clearing meanwhile takes it over at once.
    const isShown = turn === this.turn && (timeline.endFilter(scan) || timeline.isFilter(filter.spec));
    if (isShown) {
      this.applied = filter.spec;
      this.scheduleSlide();
    }
    return isShown;
  }

  /** Keeps what is known of texts that are sought still, and looks into what comes for all of them. */
  private prepareSearches(): void {
    this.stopSearching();
    const texts = textsOf(this.good.root);
    for (const text of [...this.searches.keys()].filter((each) => !texts.includes(each))) {
      this.searches.delete(text);
    }
    for (const text of texts.filter((each) => !this.searches.has(each))) {
      this.searches.set(text, { seqs: new SeqSet(), holds: eventTextTest(text), isDone: false });
    }
    this.listening?.dispose();
    this.listening = undefined;
    if (this.searches.size > 0) {
      const searches = [...this.searches.values()];
      this.listening = this.recording.onWillProject((event) => {
        for (const { seqs, holds } of searches) {
          if (holds(event)) {
            seqs.add(event.seq);
          }
        }
      });
    }
  }

  private startSearching(): void {
    if (this.users > 0 && this.searching === undefined && [...this.searches.values()].some(({ isDone }) => !isDone)) {
      const stop = new AbortController();
      this.searching = stop;
      void this.search(stop);
    }
  }

  private async search(stop: AbortController): Promise<void> {
    await this.clock.sleep(SEARCH_AFTER_MS, stop.signal);
    for (const [text, search] of this.searches) {
      if (!search.isDone && !stop.signal.aborted) {
        const found = await this.recording.log.search(text, { limit: MAX_HITS, signal: stop.signal });
        for (const seq of found) {
          search.seqs.add(seq);
        }
        search.isDone = !stop.signal.aborted;
      }
    }
    if (!stop.signal.aborted) {
      this.searching = undefined;
      await this.scan(this.applied?.hiddenOutcomes ?? []);
    }
  }

  private stopSearching(): void {
    this.searching?.abort();
    this.searching = undefined;
  }

  private scheduleSlide(): void {
    const agoUs = slidesBy(this.good.root);
    const { applied } = this;
    this.slide?.dispose();
    this.slide = undefined;
    if (agoUs === undefined || applied === undefined || this.users === 0) {
      return;
    }
    const everyMs = Math.min(MAX_SLIDE_MS, Math.max(MIN_SLIDE_MS, agoUs / 1000 / SLIDES));
    this.slide = this.clock.setTimer(everyMs, () => {
      this.slide = undefined;
      if (this.recording.timeline.isFilter(applied)) {
        void this.scan(applied.hiddenOutcomes);
      }
    });
  }
}
