import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import type { EventLog } from '../../src/core/log/eventLog.ts';
import type { AttemptBody, ChainId, LogEvent } from '../../src/protocol/events.ts';
import type { Exchange } from '../../src/protocol/exchange.ts';

const PAGE = 1000;

/** What of an exchange the invariants look at, as it was in the end. */
export type Entry = Pick<
  Exchange,
  'key' | 'kind' | 'initiator' | 'server' | 'connection' | 'method' | 'target' | 'requestId' | 'verdict' | 'chain'
> & { readonly failure?: Exchange['failure']; readonly injected?: Exchange['injected'] };

/** What is on record, read from its beginning to its end. */
export interface Ledger {
  readonly events: number;
  readonly lastSeq: number;
  /** Events that gaps say are missing. */
  readonly lost: number;
  /** `seq`s of the requests that our side sent, as messages. */
  readonly requests: ReadonlySet<number>;
  /** Snapshots by key; how often a key was begun twice is no question, since a key is the `seq` of its first event. */
  readonly exchanges: ReadonlyMap<number, Entry>;
  readonly attempts: ReadonlyMap<ChainId, readonly AttemptBody[]>;
  readonly pids: readonly number[];
  readonly injected: ReadonlyMap<string, number>;
}

export function readLedger(log: EventLog): Ledger {
  const correlator = new Correlator(judge);
  const requests = new Set<number>();
  const exchanges = new Map<number, Entry>();
  const attempts = new Map<ChainId, AttemptBody[]>();
  const pids: number[] = [];
  const injected = new Map<string, number>();
  let [events, lost, lastSeq] = [0, 0, 0];

  function take({ seq, body }: LogEvent): void {
    events += 1;
    lastSeq = seq;
    switch (body.kind) {
      case 'message':
        if (body.direction === 'sent' && body.envelope.kind === 'request') {
          requests.add(seq);
        }
        return;
      case 'attempt':
        attempts.set(body.chain, [...(attempts.get(body.chain) ?? []), body]);
        return;
      case 'lifecycle':
        if (body.detail.step === 'started') {
          pids.push(body.detail.pid);
        }
        return;
      case 'note':
        if (body.note.type === 'gap') {
          lost += body.note.events;
        } else if (body.note.type === 'injected') {
          injected.set(body.note.fault, (injected.get(body.note.fault) ?? 0) + 1);
        }
        return;
      default:
    }
  }

  for (let from = 1; ; ) {
    const page = log.read({ from, limit: PAGE });
    for (const event of page) {
      take(event);
      for (const exchange of correlator.push(event)) {
        exchanges.set(exchange.key, entryOf(exchange));
      }
    }
    if (page.length < PAGE) {
      return { events, lastSeq, lost, requests, exchanges, attempts, pids, injected };
    }
    from = lastSeq + 1;
  }
}

function entryOf(exchange: Exchange): Entry {
  const { key, kind, initiator, server, connection, method, verdict } = exchange;
  const { target, requestId, chain, failure, injected } = exchange;
  return {
    key,
    kind,
    initiator,
    server,
    connection,
    method,
    verdict,
    ...(target === undefined ? {} : { target }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(chain === undefined ? {} : { chain }),
    ...(failure === undefined ? {} : { failure }),
    ...(injected === undefined ? {} : { injected }),
  };
}
