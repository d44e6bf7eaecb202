import { at, type Columns, NO_CODE } from '../columns.ts';
import type { RowTable } from '../rowFilter.ts';
import type { FilterKey } from './keys.ts';

/** A value that rows have, and how many of them. */
export interface RecordedValue {
  readonly value: string;
  readonly rows: number;
}

/** Values of the recording by key, the most frequent first. */
export type RecordedValues = (key: FilterKey) => readonly RecordedValue[];

const TOOL_CALL = 'tools/call';

/**
 * Collects the values that rows have, for completion. A row's names never change, so that each row is looked at once; its
 * code comes with the answer, and is looked for anew.
 */
export class ValueCollector {
  private table: RowTable | undefined;
  private seen = 0;
  private counts: Readonly<Record<'server' | 'method' | 'target' | 'tool' | 'origin' | 'session', number[]>> = fresh();

  /** Values of the key in this table, which is another one after a clearing. O(rows that are new), codes O(rows). */
  of(table: RowTable, key: FilterKey): readonly RecordedValue[] {
    if (key === 'code') {
      return codesOf(table.columns);
    }
    this.collect(table);
    if (!Object.hasOwn(this.counts, key)) {
      return [];
    }
    const counts = this.counts[key as keyof typeof this.counts];
    const values: RecordedValue[] = [];
    counts.forEach((rows, id) => {
      // 0 is no name.
      if (rows > 0 && id > 0) {
        values.push({ value: table.strings.textOf(id), rows });
      }
    });
    return values.sort((a, b) => b.rows - a.rows);
  }

  private collect(table: RowTable): void {
    if (table !== this.table) {
      this.table = table;
      this.seen = 0;
      this.counts = fresh();
    }
    const { columns, strings } = table;
    const call = strings.find(TOOL_CALL);
    for (; this.seen < columns.length; this.seen++) {
      const row = this.seen;
      const target = at(columns.target, row);
      count(this.counts.server, at(columns.server, row));
      count(this.counts.method, at(columns.method, row));
      count(this.counts.origin, at(columns.origin, row));
      count(this.counts.session, at(columns.session, row));
      count(this.counts.target, target);
      if (call !== 0 && at(columns.method, row) === call) {
        count(this.counts.tool, target);
      }
    }
  }
}

function codesOf(columns: Columns): readonly RecordedValue[] {
  const counts = new Map<number, number>();
  for (let row = 0; row < columns.length; row++) {
    const code = at(columns.code, row);
    if (code !== NO_CODE) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  return [...counts].map(([code, rows]) => ({ value: String(code), rows })).sort((a, b) => b.rows - a.rows);
}

function count(counts: number[], id: number): void {
  while (counts.length <= id) {
    counts.push(0);
  }
  counts[id] = (counts[id] ?? 0) + 1;
}

function fresh() {
  return { server: [], method: [], target: [], tool: [], origin: [], session: [] };
}
