import type { ChainId } from '../../../protocol/events.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import { OWN } from './conventions.ts';
import type { MessageDetails } from './details.ts';
import type { SpanPlace } from './spanOf.ts';
import type { SpanIds, SpanLink } from './spanRecord.ts';
import { attemptIds, callIds, rowIds } from './traceContext.ts';

/** Spans that others may still belong with; the oldest are forgotten. */
const MAX_KNOWN = 10_000;

/** The place of a call with more than one attempt, and of each attempt under it. */
export interface CallPlaces {
  readonly call: SpanPlace;
  readonly attempts: readonly SpanPlace[];
}

/**
 * Says where spans stand. Attempts stand under their call, which stands where a single attempt would: under the context that
 * its request carries; else the later requests of an operation (rounds, pages, a task's) under its first, in one trace. Where
 * a context decides the trace, a link says what belongs together.
 */
export class Placing {
  private readonly known = new Map<number, SpanIds>();
  private readonly calls = new Map<ChainId, SpanIds>();

  /** Of a request that stands for itself. */
  single(exchange: Exchange, details: MessageDetails): SpanPlace {
    const { session, chain, key } = exchange;
    const own = chain === undefined ? rowIds(session, key) : attemptIds(session, chain.id, chain.attempt);
    const call = chain === undefined ? undefined : this.calls.get(chain.id);
    const base = this.base(exchange, details, own);
    const place = { ...base, spanId: own.spanId };
    put(this.known, key, place);
    // An attempt that came after its call was told.
    return call === undefined ? place : { ...place, traceId: call.traceId, parent: local(call) };
  }

  /** Of attempts that are told together; `chain` is theirs. */
  call(chain: ChainId, attempts: readonly (readonly [Exchange, MessageDetails])[]): CallPlaces | undefined {
    const [first] = attempts;
    if (first === undefined) {
      return undefined;
    }
    const [exchange, details] = first;
    const ids = callIds(exchange.session, chain);
    const firstIds = attemptIds(exchange.session, chain, exchange.chain?.attempt ?? 1);
    const call = { ...this.base(exchange, details, firstIds), spanId: ids.spanId };
    put(this.calls, chain, call);
    return {
      call,
      attempts: attempts.map(([attempt]) => {
        const { spanId } = attemptIds(attempt.session, chain, attempt.chain?.attempt ?? 1);
        put(this.known, attempt.key, { traceId: call.traceId, spanId });
        return { traceId: call.traceId, spanId, parent: local(call), flags: call.flags, links: [] };
      }),
    };
  }

  /** Everything but the span's own id. */
  private base(exchange: Exchange, { context }: MessageDetails, own: SpanIds): Omit<SpanPlace, 'spanId'> {
    const { group, replayOf } = exchange;
    const replayed = replayOf === undefined ? undefined : this.known.get(replayOf);
    const head = group === undefined || group.index === 0 ? undefined : this.known.get(group.head);
    const replays = replayed === undefined ? [] : [link('replay', replayed)];
    const belongs = head === undefined || group === undefined ? [] : [link(group.kind, head)];
    if (context === undefined) {
      return head === undefined
        ? { traceId: own.traceId, flags: 1, links: replays }
        : { traceId: head.traceId, parent: local(head), flags: 1, links: replays };
    }
    const links = [...replays, ...belongs];
    if (context.traceId === own.traceId && context.spanId === own.spanId) {
      // The context that our own side put in: it names this very span.
      return { traceId: own.traceId, flags: context.flags, links };
    }
    const { traceId, spanId, flags, state } = context;
    return {
      traceId,
      parent: { spanId, isRemote: true },
      flags,
      ...(state === undefined ? {} : { traceState: state }),
      links,
    };
  }
}

function local({ spanId }: SpanIds): NonNullable<SpanPlace['parent']> {
  return { spanId, isRemote: false };
}

function link(kind: string, { traceId, spanId }: SpanIds): SpanLink {
  return { traceId, spanId, attributes: { [OWN.link]: kind } };
}

function put<K>(map: Map<K, SpanIds>, key: K, { traceId, spanId }: SpanIds): void {
  map.set(key, { traceId, spanId });
  const [oldest] = map.keys();
  if (map.size > MAX_KNOWN && oldest !== undefined) {
    map.delete(oldest);
  }
}
