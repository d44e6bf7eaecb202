import type { Exchange } from '../../protocol/exchange.ts';
import { at, Columns, EXPANDED, isOwnAttempt, NONE, ownAttempt, rowOfEntry } from './columns.ts';
import { IndexList } from './indexList.ts';
import { StringTable } from './stringTable.ts';
import { type TimelineRow, timelineRow } from './timelineRow.ts';

/**
 * Every row that was recorded, whether shown or not, in the order of their keys, with attempts linked to the head of
 * their chain. The head is the chain's first row here: the first attempt, or the earliest that was not cleared away.
 */
export class Records {
  readonly columns: Columns;
  readonly strings: StringTable;
  /** Rows by ascending key: nearly always the order of arrival. */
  readonly order = new IndexList();
  /** Heads of the chains whose first attempt is not here, by that one's key. */
  private readonly orphans = new Map<number, number>();
  private readonly replays = new Map<number, number>();

  constructor(columns = new Columns(), strings = new StringTable()) {
    this.columns = columns;
    this.strings = strings;
  }

  /** Bytes of the rows, names not counted. */
  get byteLength(): number {
    return this.columns.byteLength + this.order.byteLength;
  }

  /** The row with this key, or `NONE`. */
  find(key: number): number {
    const row = this.rowFrom(key);
    return row !== NONE && at(this.columns.key, row) === key ? row : NONE;
  }

  /** The row under which a new snapshot of this exchange belongs: `NONE` when it stands alone or leads its chain. */
  headFor({ key, chain }: Exchange): number {
    if (chain === undefined || chain.head >= key) {
      return NONE;
    }
    const first = this.find(chain.head);
    const head = first === NONE ? (this.orphans.get(chain.head) ?? NONE) : at(this.columns.head, first);
    return head !== NONE && at(this.columns.key, head) < key ? head : NONE;
  }

  /** Does this exchange, which is or will be `row`, come before those that are here of its chain? */
  isLateHead({ key, chain }: Exchange, row: number): boolean {
    const head = this.orphans.get(Math.min(chain?.head ?? key, key));
    return head !== undefined && head !== row;
  }

  /** Adds a row that stands alone. */
  add(exchange: Exchange): number {
    const row = this.columns.add();
    this.write(row, exchange);
    const last = this.order.length === 0 ? NONE : this.order.at(this.order.length - 1);
    if (last === NONE || at(this.columns.key, last) < exchange.key) {
      this.order.push(row);
    } else {
      this.order.insert(this.positionOf(exchange.key), [row]);
    }
    return row;
  }

  /** Overwrites what the exchange says; the links stay. */
  write(row: number, exchange: Exchange): void {
    this.columns.write(row, exchange, this.strings);
    if (exchange.replayOf !== undefined) {
      this.replays.set(row, exchange.replayOf);
    }
  }

  /** Notes that `row` leads a chain whose first attempt is not here. */
  noteOrphan(row: number, { key, chain }: Exchange): void {
    if (chain !== undefined && chain.head < key && this.find(chain.head) === NONE) {
      this.orphans.set(chain.head, row);
    }
  }

  /** Links `row`, which stands alone, as the last of the chain of `head`. False when it belongs before another. */
  linkLast(row: number, head: number): boolean {
    const { key, last, next } = this.columns;
    const tail = at(last, head);
    if (at(key, row) < at(key, tail)) {
      return false;
    }
    next[tail] = row;
    last[head] = row;
    this.columns.head[row] = head;
    return true;
  }

  /** Moves `row` from its chain, if it has one, into that of the exchange: the general case, O(attempts). */
  relink(row: number, exchange: Exchange): void {
    const left = this.chainOf(at(this.columns.head, row)).filter((other) => other !== row);
    this.linkAll(left);
    this.linkAll([row]);
    const head = this.headFor(exchange);
    const groupKey = Math.min(exchange.chain?.head ?? exchange.key, exchange.key);
    const orphan = this.orphans.get(groupKey);
    const joined = head === NONE ? (orphan ?? NONE) : head;
    const members = joined === NONE || joined === row ? [row] : [row, ...this.chainOf(joined)];
    this.linkAll(members.sort((a, b) => at(this.columns.key, a) - at(this.columns.key, b)));
    this.orphans.delete(groupKey);
    this.noteOrphan(at(this.columns.head, row), exchange);
  }

  /** The rows of a chain, head first. */
  chainOf(head: number): number[] {
    const rows: number[] = [];
    for (let row = head; row !== NONE; row = at(this.columns.next, row)) {
      rows.push(row);
    }
    return rows;
  }

  /** The records without the rows that are not to be kept: new ones, since every row gets another number. O(rows). */
  without(isGone: (row: number) => boolean): Records {
    const { columns, order } = this;
    const rows = Uint32Array.from({ length: columns.length }, (_, row) => row).filter((row) => !isGone(row));
    const numberOf = new Uint32Array(columns.length).fill(NONE);
    rows.forEach((row, number) => {
      numberOf[row] = number;
    });
    const kept = new Records(columns.pick(rows), this.strings);
    for (let position = 0; position < order.length; position++) {
      const row = at(numberOf, order.at(position));
      if (row !== NONE) {
        kept.order.push(row);
      }
    }
    const leads = new Map([...this.orphans].map(([key, row]) => [row, key]));
    for (let row = 0; row < columns.length; row++) {
      if (at(columns.head, row) === row) {
        const members = this.chainOf(row).flatMap((member) => {
          const number = at(numberOf, member);
          return number === NONE ? [] : [number];
        });
        kept.linkAll(members);
        const [first] = members;
        const isHeadGone = first !== undefined && at(numberOf, row) === NONE;
        const key = leads.get(row) ?? (isHeadGone ? at(columns.key, row) : undefined);
        if (key !== undefined && first !== undefined) {
          kept.orphans.set(key, first);
        }
      }
    }
    for (const [row, key] of this.replays) {
      const number = at(numberOf, row);
      if (number !== NONE) {
        kept.replays.set(number, key);
      }
    }
    return kept;
  }

  /** Keys of the chains that are unfolded. */
  expandedKeys(): number[] {
    const { key, length } = this.columns;
    const rows = Array.from({ length }, (_, row) => row);
    return rows.filter((row) => this.columns.has(row, EXPANDED)).map((row) => at(key, row));
  }

  /** The row as it is shown. */
  view(entry: number): TimelineRow {
    const row = rowOfEntry(entry);
    return timelineRow(this.columns, this.strings, row, this.replays.get(row), isOwnAttempt(entry));
  }

  /** The entry with this key, or `NONE`: a negative one is that of a head's own first attempt. */
  entryOf(key: number): number {
    const row = this.find(Math.abs(key));
    return row === NONE || key > 0 ? row : ownAttempt(row);
  }

  private linkAll(members: readonly number[]): void {
    const { head, next, last } = this.columns;
    const [first] = members;
    const tail = members.at(-1);
    if (first === undefined || tail === undefined) {
      return;
    }
    members.forEach((row, index) => {
      head[row] = first;
      next[row] = members[index + 1] ?? NONE;
    });
    last[first] = tail;
  }

  /** The first row with this key or a higher one, or `NONE`. */
  private rowFrom(key: number): number {
    const position = this.positionOf(key);
    return position < this.order.length ? this.order.at(position) : NONE;
  }

  private positionOf(key: number): number {
    return this.order.search((row) => at(this.columns.key, row) < key);
  }
}
