import type { FilterNode } from '../../../src/core/timeline/filter/ast.ts';
import { compileFilter } from '../../../src/core/timeline/filter/compile.ts';
import { completeFilter } from '../../../src/core/timeline/filter/complete.ts';
import { goodPart } from '../../../src/core/timeline/filter/goodPart.ts';
import { parseFilter } from '../../../src/core/timeline/filter/parse.ts';
import { ValueCollector } from '../../../src/core/timeline/filter/recordedValues.ts';
import { Timeline } from '../../../src/core/timeline/timeline.ts';
import type { ConnectionId, Origin, ServerId, SessionId } from '../../../src/protocol/events.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { CompletionView, FilterProblem } from '../../../src/protocol/filter.ts';
import { filterTexts } from '../../../src/protocol/texts/filter.ts';
import type { RowView } from '../../../src/protocol/timelineViews.ts';

const SAVED: readonly CompletionView[] = [
  { name: 'Failures', text: 'is:failure' },
  { name: 'Slow on GitHub', text: 'server:github ms>100' },
].map(({ name, text }) => ({
  kind: 'saved',
  label: name,
  detail: text,
  insert: text,
  from: 0,
  to: 0,
  hiddenOutcomes: name === 'Failures' ? [] : ['cancelled'],
}));

/** The real filter language over the rows of the fake host, with one attempt a row. */
export class FakeFilter {
  private root: FilterNode = { kind: 'all', nodes: [] };
  private readonly values = new ValueCollector();

  /** Takes the text or what of it is good, and says what is wrong with it. */
  take(text: string): FilterProblem | undefined {
    const parsed = parseFilter(text);
    if (parsed.kind === 'filter') {
      this.root = parsed.root;
      return undefined;
    }
    this.root = goodPart(text, parsed.error)?.root ?? this.root;
    const { code, args, offset, length } = parsed.error;
    const template = Object.entries(filterTexts).find(([each]) => each === code)?.[1] ?? code;
    const message = template.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ''));
    return { message, offset, length };
  }

  /** Keys of the rows that pass. */
  passing(heads: readonly RowView[]): ReadonlySet<number> {
    const timeline = timelineOf(heads);
    const context = { nowUs: Date.now() * 1000 };
    timeline.setFilter({
      hiddenOutcomes: [],
      text: '',
      bind: (table) => compileFilter(this.root, table, context),
    });
    return new Set(timeline.rows(0, timeline.total).map(({ key }) => key));
  }

  complete(text: string, cursor: number, heads: readonly RowView[]): readonly CompletionView[] {
    const { table } = timelineOf(heads);
    const items = completeFilter(text, cursor, (key) => {
      const values = this.values.of(table, key);
      return key === 'server' ? values.map(({ value, rows }) => ({ value: value.replace(/^.*:/, ''), rows })) : values;
    });
    const views = items.map(({ about, rows, ...item }) => {
      const text = about === undefined ? undefined : Object.entries(filterTexts).find(([code]) => code === about)?.[1];
      return { ...item, detail: text ?? (rows === undefined ? '' : `${rows} rows`) };
    });
    return text === '' ? [...SAVED, ...views] : views;
  }
}

function timelineOf(heads: readonly RowView[]): Timeline {
  const timeline = new Timeline();
  timeline.apply(heads.map(exchangeOf));
  return timeline;
}

function exchangeOf(row: RowView): Exchange {
  const { key, kind, initiator, startUs, durationUs, method, target, outcome, bytes, marks } = row;
  return {
    ...{ key, kind, initiator, startUs, method, bytes, related: [] },
    ...(target === undefined ? {} : { target }),
    ...(durationUs === undefined ? {} : { endUs: startUs + durationUs }),
    session: '2026-03-02' as SessionId,
    server: `workspace:${row.server}` as ServerId,
    connection: row.server as ConnectionId,
    origin: 'client' as Origin,
    verdict: outcome === undefined ? undefined : { outcome, retry: 'never', signals: [] },
    marks: row.segments === undefined ? marks.map(({ mark }) => mark) : ['retried'],
  };
}
