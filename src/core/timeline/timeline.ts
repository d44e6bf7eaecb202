import { Emitter, type Event } from '../../base/event.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { OutcomeCounts, TimeRange } from '../../protocol/timelineViews.ts';
import { at, EXPANDED, NO_OUTCOME, NONE, ownAttempt, PASSES, SHOWN } from './columns.ts';
import { FilterScan } from './filterScan.ts';
import { goneRows } from './goneRows.ts';
import { LatencyScan } from './histogram.ts';
import { type NewestRows, newestRows } from './newestRows.ts';
import { OverviewScan } from './overview.ts';
import { Records } from './records.ts';
import { type FilterSpec, RowFilter, type RowTable, type RowTest } from './rowFilter.ts';
import type { TimelineRow } from './timelineRow.ts';
import { outcomesOf, ToolTallies, type ToolTally } from './toolTallies.ts';
import { type FoundRow, VisibleRows } from './visibleRows.ts';

const NO_FILTER: FilterSpec = { hiddenOutcomes: [], text: '' };

/**
 * The timeline as the host holds it: exchanges as rows in columns, folded by chain, filtered, addressed by index. It
 * never throws and knows no sentence; `timelineRow.ts` says what a row carries.
 *
 * Costs: a new exchange at the end, or a change of one, O(1) amortised; one that makes a row appear or vanish in the
 * middle moves 4 bytes for each row below it; a new filter O(recorded).
 */
export class Timeline {
  private readonly changed = new Emitter<void>();
  /** Fires once after each call that changed something. */
  readonly onDidChange: Event<void> = this.changed.event;
  private records = new Records();
  private tallies = new ToolTallies(this.records);
  private visible = new VisibleRows(this.records, new RowFilter({ hiddenOutcomes: [], text: '' }, this.records));
  private filter = NO_FILTER;
  /** Of a filter that is to take the place of this one. */
  private scan: FilterScan | undefined;
  private shownRange: TimeRange | undefined;
  private readonly outcomeCounts = new Uint32Array(OUTCOME_KINDS.length);
  private retriedCount = 0;
  private recordedCount = 0;
  /** Within `apply`: what is shown is not kept up to date any more, since everything is listed and counted anew at its end. */
  private isStale = false;

  /** Grows whenever an index stands for another row than before, other than by rows that are new at the end. */
  get epoch(): number {
    return this.visible.epoch;
  }

  /** Rows that are shown, attempts of expanded chains included. */
  get total(): number {
    return this.visible.length;
  }

  /** Rows that would be shown without a filter. */
  get recorded(): number {
    return this.recordedCount;
  }

  /** Chains with more than one attempt in the whole record. */
  get retried(): number {
    return this.retriedCount;
  }

  get hiddenOutcomes(): readonly OutcomeKind[] {
    return this.filter.hiddenOutcomes;
  }

  get filterText(): string {
    return this.filter.text;
  }

  /** Has anybody set a filter since the beginning, be it one that lets everything pass? */
  get hasFilter(): boolean {
    return this.filter !== NO_FILTER;
  }

  /** Is this, as a scan has it, the filter whose rows are shown? */
  isFilter(spec: FilterSpec): boolean {
    return this.filter === spec;
  }

  /** Only what began in this time or ran into it is shown; `undefined` when there is no such limit. */
  get range(): TimeRange | undefined {
    return this.shownRange;
  }

  /** Every recorded row, for whoever has to read names or values of them all. */
  get table(): RowTable {
    return this.records;
  }

  /** Bytes that the rows occupy, names not counted. */
  get byteLength(): number {
    return this.records.byteLength + this.visible.byteLength;
  }

  /** Takes in new exchanges and new snapshots of known ones; a later one of the same key wins. */
  apply(exchanges: readonly Exchange[]): void {
    if (exchanges.length === 0) {
      return;
    }
    for (const exchange of exchanges) {
      const row = this.records.find(exchange.key);
      if (row === NONE) {
        this.add(exchange);
      } else {
        this.change(row, exchange);
      }
      this.isStale ||= this.visible.isRebuildDue;
    }
    if (this.isStale) {
      this.recount();
    }
    this.visible.settle();
    this.changed.fire();
  }

  /** Outcomes of the whole record, whatever is filtered; a chain counts once, by its last attempt. */
  counts(): OutcomeCounts {
    return outcomesOf(this.outcomeCounts);
  }

  /** The calls of the whole record by server and tool, whatever is filtered, the one called last first. */
  tools(): readonly ToolTally[] {
    return this.tallies.all();
  }

  /** Failures whose end was recorded after `seq`, whatever is filtered; a chain counts once. O(failures). */
  failuresAfter(seq: number): number {
    return this.tallies.failuresAfter(seq);
  }

  /** Wall time of what is shown, µs; both 0 when nothing is. */
  span(): { readonly fromUs: number; readonly toUs: number } {
    return this.visible.span();
  }

  setFilter(filter: FilterSpec): void {
    this.endFilter(this.beginFilter(filter));
  }

  /**
   * Begins to test every row. What is shown stays until `endFilter`; a later `beginFilter` takes the place of this one. The
   * caller steps the scan, a part at a time.
   */
  beginFilter(filter: FilterSpec): FilterScan {
    const spec = { ...filter, hiddenOutcomes: [...filter.hiddenOutcomes] };
    this.scan = new FilterScan(new RowFilter(spec, this.records), this.records.columns);
    return this.scan;
  }

  /** Shows what the scan has let pass, testing what is left of it; false when another has taken its place. */
  endFilter(scan: FilterScan): boolean {
    if (scan !== this.scan) {
      return false;
    }
    scan.step(Number.POSITIVE_INFINITY);
    this.scan = undefined;
    this.filter = scan.filter.spec;
    this.visible.setFilter(scan.filter, scan);
    this.changed.fire();
    return true;
  }

  /** Shows only what began in a time or ran into it, of what passes the filter; `undefined` for all of it. */
  setRange(range: TimeRange | undefined): void {
    if (range?.fromUs !== this.shownRange?.fromUs || range?.toUs !== this.shownRange?.toUs) {
      this.shownRange = range;
      this.visible.setRange(range);
      this.changed.fire();
    }
  }

  /** Counts chains by time: those that are shown, or those that pass the filter at whatever time they began. */
  overview(input: {
    readonly buckets: number;
    readonly isByServer: boolean;
    readonly of: 'passing' | 'shown';
  }): OverviewScan {
    return new OverviewScan(this.records, { ...input, flag: input.of === 'shown' ? SHOWN : PASSES });
  }

  /** Counts the shown requests by how long they took. */
  latency(): LatencyScan {
    return new LatencyScan(this.records, SHOWN);
  }

  /**
   * The shown row to jump to for a time, µs: the first failure that began in `[fromUs, toUs)`, else the first row, else the
   * one that began nearest; of one server only when that is named. `undefined` when there is none. O(shown).
   */
  rowNear(fromUs: number, toUs: number, server?: string): FoundRow | undefined {
    const { strings } = this.records;
    return this.found(this.visible.indexNear(fromUs, toUs, server === undefined ? undefined : strings.find(server)));
  }

  /** Shows or folds the attempts of the chain to which the key belongs; without effect on any other row. */
  setExpanded(key: number, isExpanded: boolean): void {
    const { columns } = this.records;
    const row = this.records.find(Math.abs(key));
    const head = row === NONE ? NONE : at(columns.head, row);
    if (head === NONE || at(columns.next, head) === NONE || columns.has(head, EXPANDED) === isExpanded) {
      return;
    }
    this.tally(head, -1);
    columns.setFlag(head, EXPANDED, isExpanded);
    this.tally(head, 1);
    this.visible.toggle(head);
    this.changed.fire();
  }

  /** The shown rows from index `from` on, fewer than `count` at the end. */
  rows(from: number, count: number): readonly TimelineRow[] {
    const first = Math.max(0, Math.trunc(from));
    const length = Math.max(0, Math.min(count, this.visible.length - first));
    return Array.from({ length }, (_, index) => this.records.view(this.visible.entryAt(first + index)));
  }

  /** Chains and rows that stand alone and pass a test, the newest first, shown or not: a part of a look back over all. */
  newest(test: RowTest, part: Parameters<typeof newestRows>[2]): NewestRows {
    return newestRows(this.records, test, part);
  }

  /** Any recorded row, shown or not. */
  row(key: number): TimelineRow | undefined {
    const entry = this.records.entryOf(key);
    return entry === NONE ? undefined : this.records.view(entry);
  }

  /** The attempts of the chain to which the key belongs, oldest first; none for a row that stands alone. */
  attempts(key: number): readonly TimelineRow[] {
    const row = this.records.find(Math.abs(key));
    const chain = row === NONE ? [] : this.records.chainOf(at(this.records.columns.head, row));
    return chain.length < 2 ? [] : chain.map((each, index) => this.records.view(index === 0 ? ownAttempt(each) : each));
  }

  /** Index among the shown rows; -1 when it is filtered out, folded or unknown. */
  indexOf(key: number): number {
    const entry = this.records.entryOf(key);
    return entry === NONE ? -1 : this.visible.indexOf(entry);
  }

  /**
   * The next shown chain that failed after the row `fromKey`, or before it, wrapping round; from the end of the list that
   * the direction starts at when `fromKey` is absent or unknown. A row that is not shown counts from where it would be.
   */
  nextFailure(fromKey: number | undefined, direction: 1 | -1): FoundRow | undefined {
    const row = fromKey === undefined ? NONE : this.records.entryOf(fromKey);
    return this.found(this.visible.failureFrom(this.startOfSearch(row, direction), direction));
  }

  /** Forgets every row; the filter stays. */
  clear(): void {
    this.replace(new Records());
    this.recount();
    this.changed.fire();
  }

  /**
   * Takes over the rows of another timeline, which is not to be used any more, in the place of its own. Filter and range stay,
   * and so does what a person has unfolded. O(recorded).
   */
  takeOver(other: Timeline): void {
    for (const key of this.records.expandedKeys()) {
      other.setExpanded(key, true);
    }
    this.replace(other.records);
    this.tallies = other.tallies;
    this.outcomeCounts.set(other.outcomeCounts);
    this.retriedCount = other.retriedCount;
    this.recordedCount = other.recordedCount;
    this.visible.rebuild();
    this.changed.fire();
  }

  /** Forgets the rows whose messages are gone from a log that keeps a session from `firstSeq` on (`goneRows.ts`). */
  forget(firstSeq: (session: string) => number | undefined): void {
    const isGone = goneRows(this.records, firstSeq);
    if (isGone !== undefined) {
      this.replace(this.records.without(isGone));
      this.recount();
      this.changed.fire();
    }
  }

  private replace(records: Records): void {
    const { epoch } = this.visible;
    this.records = records;
    // A filter that was on its way takes its place at once.
    this.filter = this.scan?.filter.spec ?? this.filter;
    this.scan = undefined;
    this.visible = new VisibleRows(records, new RowFilter(this.filter, records));
    this.visible.setRange(this.shownRange);
    this.visible.epoch = epoch + 1;
  }

  private found(index: number): FoundRow | undefined {
    return index < 0 ? undefined : { key: at(this.records.columns.key, this.visible.entryAt(index)), index };
  }

  private startOfSearch(row: number, direction: 1 | -1): number {
    if (row === NONE) {
      return direction === 1 ? 0 : this.visible.length - 1;
    }
    const position = this.visible.positionOf(row);
    const isShown = this.visible.indexOf(row) >= 0;
    return direction === 1 ? position + (isShown ? 1 : 0) : position - 1;
  }

  private add(exchange: Exchange): void {
    const { records, visible } = this;
    const head = records.headFor(exchange);
    const isLateHead = head === NONE && records.isLateHead(exchange, NONE);
    const row = records.add(exchange);
    if (isLateHead) {
      this.relink(row, exchange);
    } else if (head === NONE) {
      records.noteOrphan(row, exchange);
      this.tally(row, 1);
      if (!this.isStale) {
        visible.show(row);
      }
    } else {
      const before = visible.standingOf(head);
      this.tally(head, -1);
      if (!records.linkLast(row, head)) {
        this.relink(row, exchange);
        return;
      }
      this.tally(head, 1);
      this.scan?.touch(head);
      if (!this.isStale) {
        visible.update(head, before, row);
      }
    }
  }

  private change(row: number, exchange: Exchange): void {
    const { records, visible } = this;
    const head = at(records.columns.head, row);
    const target = records.headFor(exchange);
    if (target === NONE ? head !== row || records.isLateHead(exchange, row) : target !== head) {
      records.write(row, exchange);
      this.relink(row, exchange);
      return;
    }
    const before = visible.standingOf(head);
    this.tally(head, -1);
    records.write(row, exchange);
    if (target === NONE) {
      records.noteOrphan(row, exchange);
    }
    this.tally(head, 1);
    this.scan?.touch(head);
    if (!this.isStale) {
      visible.update(head, before, NONE);
    }
  }

  /** The rare case that moves rows between chains. */
  private relink(row: number, exchange: Exchange): void {
    this.records.relink(row, exchange);
    this.scan?.restart();
    this.isStale = true;
  }

  /** Adds a chain to the counts, or takes it out. */
  private tally(head: number, sign: 1 | -1): void {
    const { columns } = this.records;
    this.tallies.note(head, sign);
    const outcome = at(columns.outcome, at(columns.last, head));
    if (outcome !== NO_OUTCOME) {
      this.outcomeCounts[outcome] = at(this.outcomeCounts, outcome) + sign;
    }
    const isRetried = at(columns.next, head) !== NONE;
    this.retriedCount += isRetried ? sign : 0;
    this.recordedCount += sign * (isRetried && columns.has(head, EXPANDED) ? this.records.chainOf(head).length + 1 : 1);
  }

  private recount(): void {
    const { columns } = this.records;
    this.tallies = new ToolTallies(this.records);
    this.outcomeCounts.fill(0);
    this.retriedCount = 0;
    this.recordedCount = 0;
    // In the order of arrival, on which the counts of tools rely.
    for (let row = 0; row < columns.length; row++) {
      if (at(columns.head, row) === row) {
        this.tally(row, 1);
      }
    }
    this.visible.rebuild();
    this.isStale = false;
  }
}
