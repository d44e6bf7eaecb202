import { Correlator } from '../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../src/core/classify/judge.ts';
import { envelopeOf } from '../../../../src/core/classify/messageShape.ts';
import type {
  AttemptBody,
  ChainId,
  ConnectionId,
  Direction,
  EventBody,
  LifecycleStep,
  LogEvent,
  MessageBody,
  Origin,
  ServerId,
  SessionId,
} from '../../../../src/protocol/events.ts';
import type { Exchange } from '../../../../src/protocol/exchange.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';

/** Turns bodies into recorded events: `seq` from 1, one millisecond apart. */
export function recorded(
  bodies: readonly EventBody[],
  context: { readonly connection?: string; readonly origin?: Origin; readonly from?: number } = {},
): readonly LogEvent[] {
  const from = context.from ?? 1;
  return bodies.map((body, index) => ({
    seq: from + index,
    session: 's1' as SessionId,
    server: 'demo:shop' as ServerId,
    connection: (context.connection ?? 'c1') as ConnectionId,
    wallUs: (from + index) * 1000,
    monoUs: (from + index) * 1000,
    origin: context.origin ?? 'client',
    body,
  }));
}

function message(direction: Direction, json: JsonValue, more: Partial<MessageBody> = {}): MessageBody {
  const raw = JSON.stringify(json);
  const envelope = Array.isArray(json)
    ? json.length === 0
      ? ({ kind: 'invalid', problem: 'empty-batch' } as const)
      : ({ kind: 'batch', size: json.length } as const)
    : envelopeOf(json);
  return { kind: 'message', direction, raw, bytes: raw.length, envelope, ...more };
}

export const sent = (json: JsonValue, more?: Partial<MessageBody>) => message('sent', json, more);
export const received = (json: JsonValue, more?: Partial<MessageBody>) => message('received', json, more);

export function call(id: string | number, name: string, token?: string): JsonObject {
  const meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...meta } };
}

export function ok(id: string | number, text = 'done'): JsonObject {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

export function lifecycle(detail: LifecycleStep): EventBody {
  return { kind: 'lifecycle', detail };
}

export function attempt(
  decision: AttemptBody['decision'],
  number: number,
  more: Partial<AttemptBody> = {},
): AttemptBody {
  return {
    kind: 'attempt',
    chain: 'chain-1' as ChainId,
    number,
    maxAttempts: 3,
    decision,
    reason: `retry.${decision}`,
    ...(decision === 'send' ? { token: `chain-1.${number}` } : {}),
    ...more,
  };
}

/** The last snapshot of each exchange, by key. */
export function finalStates(events: readonly LogEvent[], correlator = new Correlator(judge)): readonly Exchange[] {
  const last = new Map<number, Exchange>();
  for (const event of events) {
    for (const exchange of correlator.push(event)) {
      last.set(exchange.key, exchange);
    }
  }
  return [...last.values()].sort((a, b) => a.key - b.key);
}

/** One line for one exchange: what a reader of a golden file wants to compare. */
export function lineOf(exchange: Exchange): string {
  const { key, kind, method, target, initiator, requestId, verdict, marks, related, endSeq, chain, failure } = exchange;
  const parts = [
    `#${key} ${kind} ${method}${target === undefined ? '' : ` ${JSON.stringify(target)}`}`,
    requestId === undefined ? '' : `id=${JSON.stringify(requestId)}`,
    `by ${initiator}${exchange.origin === 'client' ? '' : ` (${exchange.origin})`}`,
    verdict === undefined ? (endSeq === undefined ? 'pending' : '') : `${verdict.outcome}/${verdict.retry}`,
    verdict?.signals.length ? `because ${verdict.signals.map(({ code }) => code).join(',')}` : '',
    marks.length === 0 ? '' : `[${marks.join(' ')}]`,
    endSeq === undefined ? '' : `end=#${endSeq} after ${((exchange.endUs ?? 0) - exchange.startUs) / 1000} ms`,
    related.length === 0 ? '' : `related=#${related.join(',#')}`,
    chain === undefined
      ? ''
      : `chain=${chain.id} ${chain.attempt}/${chain.maxAttempts} head=#${chain.head} delay=${chain.delayMs} ${chain.reason}`,
    exchange.replayOf === undefined ? '' : `replays #${exchange.replayOf}`,
    failure === undefined ? '' : `failure=${failure.reason} ${(failure.stderrTail ?? []).join(' | ')}`.trimEnd(),
  ];
  return parts.filter((part) => part !== '').join('  ');
}
