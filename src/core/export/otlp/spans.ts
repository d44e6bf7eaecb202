import type { ChainId, LogEvent } from '../../../protocol/events.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import { ConnectionFacts, type SessionEnd } from './connectionFacts.ts';
import { Details } from './details.ts';
import { Placing } from './placing.ts';
import { callSpanOf, spanOf } from './spanOf.ts';
import type { SpanRecord } from './spanRecord.ts';

/** Requests that wait for their end or their chain's; beyond, the oldest is told as it is. */
const MAX_HELD = 20_000;

/** A request that is told, with its span. */
export interface ToldRequest {
  readonly exchange: Exchange;
  readonly span: SpanRecord;
}

/** What became ready: spans to export, the requests among them, and sessions that ended. */
export interface Told {
  readonly spans: readonly SpanRecord[];
  readonly requests: readonly ToldRequest[];
  readonly sessions: readonly SessionEnd[];
}

export interface SpansOptions {
  /** Arguments and results of tools become attributes. */
  readonly hasContent: boolean;
  /**
   * How long after its end a request waits for what may still change it: a late answer, a decision to repeat it; µs. The same
   * for a chain whose next attempt is awaited, from when it was to be made.
   */
  readonly graceUs: number;
  /** Requests that are wanted; all when absent. */
  isWanted?(exchange: Exchange): boolean;
}

interface Held {
  readonly exchange: Exchange;
  /** When it may be told, µs; never while it waits for its end. */
  readonly dueUs: number;
}

interface Chain {
  readonly members: Set<number>;
  /** Until when the next attempt is awaited, µs; 0 when none is. */
  awaitedUs: number;
}

/**
 * Turns events and their projection into spans, each once: when its request is over and so is the chain that it belongs to.
 * Bounded, whatever comes; the same log gives the same spans.
 */
export class Spans {
  private readonly facts = new ConnectionFacts();
  private readonly details: Details;
  private readonly held = new Map<number, Held>();
  private readonly chains = new Map<ChainId, Chain>();
  private readonly placing = new Placing();
  private readonly options: SpansOptions;
  private lastUs = 0;

  constructor(options: SpansOptions) {
    this.options = options;
    this.details = new Details(options.hasContent);
  }

  /** Takes an event and what it changed. */
  push(event: LogEvent, changed: readonly Exchange[]): readonly SessionEnd[] {
    this.lastUs = Math.max(this.lastUs, event.wallUs);
    this.details.push(event);
    const ended = this.facts.push(event);
    this.decide(event);
    for (const exchange of changed) {
      // A request is first told with its own event: what is neither new nor held has become a span already.
      if (this.held.has(exchange.key) || Math.floor(exchange.key) === event.seq) {
        this.take(exchange);
      }
    }
    return ended === undefined ? [] : [ended];
  }

  /** What is over at `nowUs`, wall time: the system's, or the last event's of what is read back. */
  due(nowUs: number): Told {
    const ready: number[] = [];
    for (const { exchange, dueUs } of this.held.values()) {
      if (dueUs <= nowUs && this.isChainOver(exchange, nowUs)) {
        ready.push(exchange.key);
      }
    }
    const excess = this.held.size - ready.length - MAX_HELD;
    return this.tell(excess > 0 ? [...ready, ...this.oldest(excess, new Set(ready))] : ready);
  }

  /** The oldest that wait: those that have ended first. */
  private oldest(count: number, except: ReadonlySet<number>): readonly number[] {
    const waiting = [...this.held.values()].filter(({ exchange }) => !except.has(exchange.key));
    const ended = waiting.filter(({ exchange }) => exchange.endUs !== undefined);
    const open = waiting.filter(({ exchange }) => exchange.endUs === undefined);
    return [...ended, ...open].slice(0, count).map(({ exchange }) => exchange.key);
  }

  /** The recording is over: everything that is left, as it is. */
  finish(): Told {
    const told = this.tell([...this.held.keys()]);
    return { ...told, sessions: this.facts.endAll(this.lastUs) };
  }

  /** Requests that wait. */
  get size(): number {
    return this.held.size;
  }

  private take(exchange: Exchange): void {
    if (exchange.kind !== 'request' || this.options.isWanted?.(exchange) === false) {
      return;
    }
    const { endUs } = exchange;
    this.held.set(exchange.key, {
      exchange,
      dueUs: endUs === undefined ? Number.POSITIVE_INFINITY : endUs + this.options.graceUs,
    });
    if (exchange.chain !== undefined) {
      this.chainOf(exchange.chain.id).members.add(exchange.key);
    }
  }

  private decide({ body, wallUs }: LogEvent): void {
    if (body.kind !== 'attempt') {
      return;
    }
    switch (body.decision) {
      case 'wait':
        this.chainOf(body.chain).awaitedUs = wallUs + (body.delayMs ?? 0) * 1000 + this.options.graceUs;
        return;
      case 'send':
        // Its request follows, and holds the chain then.
        this.chainOf(body.chain).awaitedUs = wallUs + this.options.graceUs;
        return;
      case 'give-up':
      case 'refuse':
      case 'cancel': {
        const chain = this.chains.get(body.chain);
        if (chain !== undefined) {
          chain.awaitedUs = 0;
        }
      }
    }
  }

  private chainOf(id: ChainId): Chain {
    const chain = this.chains.get(id) ?? { members: new Set(), awaitedUs: 0 };
    this.chains.set(id, chain);
    const [oldest] = this.chains.keys();
    if (this.chains.size > MAX_HELD && oldest !== undefined) {
      this.chains.delete(oldest);
    }
    return chain;
  }

  private isChainOver({ chain }: Exchange, nowUs: number): boolean {
    const state = chain === undefined ? undefined : this.chains.get(chain.id);
    if (state === undefined) {
      return true;
    }
    return state.awaitedUs <= nowUs && [...state.members].every((key) => (this.held.get(key)?.dueUs ?? 0) <= nowUs);
  }

  private tell(keys: readonly number[]): Told {
    const spans: SpanRecord[] = [];
    const requests: ToldRequest[] = [];
    for (const key of keys) {
      const exchange = this.held.get(key)?.exchange;
      if (exchange === undefined) {
        // Told with its chain.
        continue;
      }
      const members = this.membersOf(exchange).map((member) => [member, this.details.of(member)] as const);
      const { chain } = exchange;
      const places = chain === undefined || members.length < 2 ? undefined : this.placing.call(chain.id, members);
      const told = members.map(([member, details], index): ToldRequest => {
        const place = places?.attempts[index] ?? this.placing.single(member, details);
        const connection = this.facts.attributesOf(member.connection);
        return { exchange: member, span: spanOf(member, { place, connection, details, lastUs: this.lastUs }) };
      });
      const [first, ...others] = told.map(({ span }) => span);
      if (places !== undefined && first !== undefined) {
        spans.push(callSpanOf([first, ...others], places.call));
      }
      for (const request of told) {
        spans.push(request.span);
        requests.push(request);
        this.held.delete(request.exchange.key);
        this.details.release(request.exchange);
      }
      if (chain !== undefined) {
        this.chains.delete(chain.id);
      }
    }
    return { spans, requests, sessions: [] };
  }

  /** The attempts that are told together, in their order. */
  private membersOf(exchange: Exchange): readonly Exchange[] {
    const chain = exchange.chain === undefined ? undefined : this.chains.get(exchange.chain.id);
    const members = [...(chain?.members ?? [exchange.key])].map((key) => this.held.get(key)?.exchange);
    const held = members.filter((member) => member !== undefined);
    return held.length === 0 ? [exchange] : held.sort((a, b) => a.key - b.key);
  }
}
