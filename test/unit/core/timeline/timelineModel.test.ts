import { describe, expect, it } from 'vitest';
import type { FilterScan } from '../../../../src/core/timeline/filterScan.ts';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import { type Exchange, ROW_KINDS } from '../../../../src/protocol/exchange.ts';
import { OUTCOME_KINDS } from '../../../../src/protocol/outcome.ts';
import { outcomeOf, ReferenceTimeline } from './reference.ts';
import { attempt, exchange, filterOf, randomOf, verdict } from './support.ts';

const named =
  (text: string) =>
  ([head]: readonly Exchange[]): boolean =>
    [head?.server, head?.method, head?.target].some((name) => name?.toLowerCase().includes(text));

const millisOf = (chain: readonly Exchange[]): number => {
  const [head, last] = [chain[0], chain.at(-1)];
  return ((last?.endUs ?? Number.NaN) - (head?.startUs ?? 0)) / 1000;
};

/** Filters, and what they mean in the plainest words. */
const FILTERS: ReadonlyArray<readonly [string, (chain: readonly Exchange[]) => boolean]> = [
  ['', () => true],
  [' SHOP', named('shop')],
  ['call or nothing', named('call')],
  ['tool:tool_*', ([head]) => head?.method === 'tools/call' && head.target !== undefined],
  ['has:retry', (chain) => chain.length > 1],
  ['-(has:retry shop)', (chain) => !(chain.length > 1 && named('shop')(chain))],
  ['is:request ms>=4', (chain) => chain[0]?.kind === 'request' && millisOf(chain) >= 4],
  ['size>100', (chain) => chain.length > 1],
  ['attempt>1 or is:noise', (chain) => (chain.at(-1)?.chain?.attempt ?? 1) > 1 || chain[0]?.kind === 'noise'],
  ['outcome:tool_error,timeout', (chain) => ['tool_error', 'timeout'].includes(outcomeOf(chain.at(-1)) ?? '')],
];

/** Random histories: chains that grow, snapshots that change, rows that come late, filters, foldings, a clearing. */
class History {
  readonly timeline = new Timeline();
  readonly reference = new ReferenceTimeline();
  private readonly random: () => number;
  private readonly known: Exchange[] = [];
  /** Exchanges that are held back, to arrive out of order. */
  private readonly late: Exchange[] = [];
  private lastKey = 0;
  private scan: FilterScan | undefined;
  private replaced: () => void = () => undefined;
  private seen: { readonly epoch: number; readonly visible: readonly number[] } = { epoch: 0, visible: [] };

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  step(): void {
    const dice = this.random();
    if (dice < 0.7) {
      const batch = Array.from({ length: 1 + this.int(4) }, () => this.someExchange());
      this.timeline.apply(batch);
      this.reference.apply(batch);
    } else if (dice < 0.85) {
      const { key } = this.pick(this.known) ?? { key: 1 };
      const isExpanded = this.random() < 0.7;
      this.timeline.setExpanded(key, isExpanded);
      this.reference.setExpanded(key, isExpanded);
    } else if (dice < 0.99) {
      const hiddenOutcomes = OUTCOME_KINDS.filter(() => this.random() < 0.2);
      const [text, passes] = this.pick(FILTERS) ?? ['', () => true];
      this.scan = this.timeline.beginFilter(filterOf(text, hiddenOutcomes));
      this.replaced = () => {
        this.reference.hiddenOutcomes = hiddenOutcomes;
        this.reference.passes = passes;
      };
    } else {
      this.timeline.clear();
      this.reference.clear();
      this.replaced();
    }
    this.goOnFiltering();
  }

  /** A filter looks at the rows a few at a time, while they change. */
  private goOnFiltering(): void {
    if (this.scan?.step(1 + this.int(40)) === true && this.timeline.endFilter(this.scan)) {
      this.replaced();
      this.scan = undefined;
    }
  }

  check(): void {
    const { timeline, reference } = this;
    const visible = reference.visible();
    const rows = timeline.rows(0, timeline.total);
    expect(rows.map((row) => row.key)).toEqual(visible);
    expect({
      total: timeline.total,
      recorded: timeline.recorded,
      counts: timeline.counts(),
      retried: timeline.retried,
      span: timeline.span(),
    }).toEqual({
      total: visible.length,
      recorded: reference.recorded(),
      counts: reference.counts(),
      retried: reference.retried(),
      span: reference.span(),
    });
    this.checkTools();
    // Within one epoch an index goes on standing for its row.
    if (this.seen.epoch === timeline.epoch) {
      expect(visible.slice(0, this.seen.visible.length)).toEqual(this.seen.visible);
    }
    this.seen = { epoch: timeline.epoch, visible };
    const keys = [undefined, 0, ...this.known.slice(-12).map((each) => each.key), this.pick(this.known)?.key];
    for (const key of keys) {
      expect([key, timeline.nextFailure(key, 1)]).toEqual([key, reference.nextFailure(key, 1)]);
      expect([key, timeline.nextFailure(key, -1)]).toEqual([key, reference.nextFailure(key, -1)]);
      expect(timeline.indexOf(key ?? -1)).toBe(reference.indexOf(key ?? -1));
    }
  }

  private checkTools(): void {
    const { timeline, reference, lastKey } = this;
    const tools = timeline.tools().map((tally) => ({ ...tally, name: `${tally.server} ${tally.tool}` }));
    const expected = reference.tools();
    const byName = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(byName.map(({ name, calls, outcomes }) => ({ name, calls, outcomes }))).toEqual(
      expected.map(({ name, calls, outcomes }) => ({ name, calls, outcomes })),
    );
    byName.forEach(({ name, lastFailure }, index) => {
      const failed = expected[index]?.failed ?? [];
      const isRight = lastFailure === undefined ? failed.length === 0 : failed.includes(lastFailure);
      expect({ name, lastFailure, failed, isRight }).toMatchObject({ isRight: true });
    });
    for (const seq of [0, Math.floor(lastKey / 2), lastKey]) {
      expect([seq, timeline.failuresAfter(seq)]).toEqual([seq, reference.failuresAfter(seq)]);
    }
  }

  private someExchange(): Exchange {
    const dice = this.random();
    const known = this.pick(this.known.slice(dice < 0.2 ? 0 : -10));
    const held = dice < 0.1 ? this.late.shift() : undefined;
    if (held !== undefined) {
      return this.remember(held);
    }
    if (known !== undefined && dice < 0.5) {
      return this.remember({ ...known, ...this.progress(known.startUs) });
    }
    // A row that is to fold under another has no attempts of its own.
    if (known !== undefined && dice < 0.7 && !this.late.some((each) => each.key === known.key)) {
      return this.remember(this.nextAttempt(known));
    }
    const fresh = exchange(this.nextKey(), { ...this.names(), ...this.progress(this.lastKey * 1000) });
    const led = this.random() < 0.5 ? attempt(fresh.key, fresh.key, 1, this.withoutKey(fresh)) : fresh;
    if (this.random() < 0.1) {
      this.late.push(led);
      return this.someExchange();
    }
    return this.remember(led);
  }

  private nextAttempt(of: Exchange): Exchange {
    // Sometimes of a chain whose head is held back or cleared away.
    const held = this.late.find((each) => (each.chain?.head ?? each.key) === each.key);
    const head = held !== undefined && this.random() < 0.2 ? held.key : (of.chain?.head ?? of.key);
    const key = this.nextKey();
    const values = { server: of.server, method: of.method, ...this.progress(key * 1000) };
    const next = attempt(key, head, 2, values);
    if (this.random() < 0.1) {
      // First without its chain: the attempt is joined to it by a later snapshot.
      this.late.push(next);
      return exchange(key, values);
    }
    return next;
  }

  private progress(startUs: number): Partial<Exchange> {
    const isDone = this.random() < 0.7;
    return {
      startUs,
      ...(isDone ? { endUs: startUs + this.int(9000), verdict: verdict(this.pick(OUTCOME_KINDS) ?? 'success') } : {}),
    };
  }

  private names(): Partial<Exchange> {
    const target = this.pick([undefined, 'tool_1', 'Tool_2']);
    return {
      server: this.pick(['test:shop', 'test:flaky']) as ServerId,
      method: this.pick(['tools/call', 'tools/list']) ?? '',
      kind: this.random() < 0.8 ? 'request' : (this.pick(ROW_KINDS) ?? 'note'),
      ...(target === undefined ? {} : { target }),
    };
  }

  private remember(each: Exchange): Exchange {
    const index = this.known.findIndex((other) => other.key === each.key);
    this.known.splice(index < 0 ? this.known.length : index, index < 0 ? 0 : 1, each);
    return each;
  }

  private withoutKey({ key: _, ...others }: Exchange): Partial<Exchange> {
    return others;
  }

  private nextKey(): number {
    this.lastKey += 1 + this.int(3);
    return this.lastKey;
  }

  private int(below: number): number {
    return Math.floor(this.random() * below);
  }

  private pick<T>(from: readonly T[]): T | undefined {
    return from[this.int(from.length)];
  }
}

describe('the timeline agrees with the plain model', () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed))('in history %i', (seed) => {
    const history = new History(seed);
    for (let step = 0; step < 120; step++) {
      history.step();
      history.check();
    }
  });
});
