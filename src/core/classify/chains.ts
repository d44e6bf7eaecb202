import type { AttemptBody, ChainId, LogEvent, Origin, SessionId } from '../../protocol/events.ts';
import { BoundedMap } from './boundedMap.ts';
import type { ExchangeState } from './exchangeState.ts';

const CHAINS = 1024;
const ANNOUNCED = 1024;

interface Chain {
  /** The first attempt whose request was seen. */
  head: ExchangeState | undefined;
  last: ExchangeState | undefined;
}

interface Announced {
  readonly body: AttemptBody;
  readonly origin: Origin;
}

/**
 * Joins the attempts of one logical call. The retry loop announces each attempt with the token that its request will
 * carry; bounded, since a chain has no event of its own for its end.
 */
export class Chains {
  private readonly chains = new BoundedMap<ChainId, Chain>(CHAINS);
  private readonly announced = new BoundedMap<string, Announced>(ANNOUNCED);

  /** Entries held. */
  get size(): number {
    return this.chains.size + this.announced.size;
  }

  /** Takes a decision of the retry loop; gives the exchanges that it changes. */
  decide(event: LogEvent, body: AttemptBody): readonly ExchangeState[] {
    switch (body.decision) {
      case 'send':
        if (body.token !== undefined) {
          this.announced.set(tokenKey(event.session, body.token), { body, origin: event.origin });
        }
        return [];
      case 'wait':
        return [];
      case 'give-up':
      case 'refuse':
      case 'cancel':
        return this.end(body);
    }
  }

  /** Joins a request that carries an announced token to its chain; gives the exchanges that this changes beside it. */
  join(state: ExchangeState, token: string): readonly ExchangeState[] {
    const key = tokenKey(state.session, token);
    const announced = this.announced.get(key);
    if (announced === undefined) {
      return [];
    }
    this.announced.delete(key);
    const { body, origin } = announced;
    const chain = this.chains.get(body.chain) ?? { head: undefined, last: undefined };
    const before = chain.last;
    chain.head ??= state;
    chain.last = state;
    this.chains.set(body.chain, chain);
    state.origin = origin;
    state.chain = {
      id: body.chain,
      head: chain.head.key,
      attempt: body.number,
      maxAttempts: body.maxAttempts,
      delayMs: body.delayMs ?? 0,
      reason: body.reason,
    };
    if (body.replayOf !== undefined) {
      state.replayOf = body.replayOf;
    }
    if (origin === 'replay' || body.replayOf !== undefined) {
      state.marks.add('replay');
    }
    if (body.isEdited === true) {
      state.marks.add('edited');
    }
    if (before === undefined) {
      return [];
    }
    // That it was sent again says that doing it twice is harmless.
    before.marks.delete('ambiguous_delivery');
    chain.head.marks.add('retried');
    return before === chain.head ? [chain.head] : [chain.head, before];
  }

  private end(body: AttemptBody): readonly ExchangeState[] {
    const last = this.chains.get(body.chain)?.last;
    if (last?.chain === undefined) {
      return [];
    }
    last.chain = { ...last.chain, reason: body.reason };
    const mayBeRepeated = last.chain.attempt > 1 || body.decision === 'cancel';
    if (!mayBeRepeated && isAmbiguous(last)) {
      last.marks.add('ambiguous_delivery');
    }
    return [last];
  }
}

/** It may have been carried out, nobody will know, and repeating it may do it twice. */
export function isAmbiguous(state: ExchangeState): boolean {
  const { verdict } = state;
  return (
    state.method === 'tools/call' &&
    verdict?.retry === 'only_if_idempotent' &&
    (verdict.outcome === 'transport_error' || verdict.outcome === 'timeout')
  );
}

function tokenKey(session: SessionId, token: string): string {
  return `${session} ${token}`;
}
