import { Correlator } from '../../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../../src/core/classify/judge.ts';
import type { SpanRecord } from '../../../../../src/core/export/otlp/spanRecord.ts';
import { Spans, type SpansOptions, type Told } from '../../../../../src/core/export/otlp/spans.ts';
import { parseFrame } from '../../../../../src/core/transport/envelope.ts';
import type {
  ChainId,
  ConnectionId,
  EventBody,
  LogEvent,
  ServerId,
  SessionId,
} from '../../../../../src/protocol/events.ts';
import type { Exchange } from '../../../../../src/protocol/exchange.ts';

export const EPOCH_US = 1_700_000_000_000_000;

/** A request that succeeded, or what is said of it. */
export function exchange(more: Partial<Exchange> = {}): Exchange {
  return {
    key: 7,
    kind: 'request',
    session: 's1' as SessionId,
    server: 'demo:shop' as ServerId,
    connection: 'c1' as ConnectionId,
    origin: 'client',
    initiator: 'client',
    startUs: EPOCH_US,
    endUs: EPOCH_US + 1500,
    endSeq: 8,
    method: 'tools/call',
    target: 'get_order',
    requestId: 3,
    related: [],
    bytes: 10,
    verdict: { outcome: 'success', retry: 'never', signals: [] },
    marks: [],
    ...more,
  };
}

/** Writes a log event by event, each a millisecond after the last. */
export class Script {
  readonly events: LogEvent[] = [];
  private us = EPOCH_US;

  add(body: EventBody, more: Partial<LogEvent> = {}): this {
    this.us += 1000;
    this.events.push({
      seq: this.events.length + 1,
      session: 's1' as SessionId,
      server: 'demo:shop' as ServerId,
      connection: 'c1' as ConnectionId,
      wallUs: this.us,
      monoUs: this.us - EPOCH_US,
      origin: 'client',
      body,
      ...more,
    });
    return this;
  }

  pass(ms: number): this {
    this.us += ms * 1000;
    return this;
  }

  message(direction: 'sent' | 'received', message: unknown, more: Partial<LogEvent> = {}): this {
    const raw = JSON.stringify(message);
    return this.add({ kind: 'message', direction, raw, bytes: raw.length, envelope: parseFrame(raw).envelope }, more);
  }

  request(id: number, method: string, params: object = {}, more: Partial<LogEvent> = {}): this {
    return this.message('sent', { jsonrpc: '2.0', id, method, params }, more);
  }

  result(id: number, result: object, more: Partial<LogEvent> = {}): this {
    return this.message('received', { jsonrpc: '2.0', id, result }, more);
  }

  error(id: number, code: number, message: string): this {
    return this.message('received', { jsonrpc: '2.0', id, error: { code, message } });
  }

  attempt(chain: string, number: number, decision: 'send' | 'wait' | 'give-up', delayMs = 0): this {
    return this.add({
      kind: 'attempt',
      chain: chain as ChainId,
      number,
      maxAttempts: 3,
      decision,
      reason: decision === 'send' ? 'retry.first' : 'retry.transport',
      delayMs,
      ...(decision === 'send' ? { token: `${chain}.${number}` } : {}),
    });
  }
}

/** Everything that a log tells, read back at once. */
export function toldOf({ events }: Script, options: Partial<SpansOptions> = {}): Told {
  const spans = new Spans({ hasContent: false, graceUs: 0, ...options });
  const correlator = new Correlator(judge);
  const sessions = events.flatMap((event) => spans.push(event, correlator.push(event)));
  const told = spans.finish();
  return { ...told, sessions: [...sessions, ...told.sessions] };
}

export function spanNamed(spans: readonly SpanRecord[], name: string): SpanRecord {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`${found.length} spans are called ${name}: ${spans.map((span) => span.name).join(', ')}`);
  }
  return found[0];
}
