import type { NoteBody } from '../../../protocol/events.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonRpcId, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { ParsedFrame } from '../../transport/envelope.ts';
import { alterAnswer } from './alter.ts';
import type { Pace } from './deliveries.ts';
import type { FaultEngine, FaultSubject } from './engine.ts';
import type { Injection } from './plan.ts';

/** What is recorded of one injected fault. */
export type InjectedNote = Extract<NoteBody['note'], { type: 'injected' }>;

/** Requests that wait for an answer to break; no client that hears of its answers comes near. */
const MAX_WAITING = 10_000;
/** What the server really said is kept up to here, UTF-16 code units. */
const MAX_ORIGINAL = 256 * 1024;

/** What is sent in the place of an answer, and how. */
export interface BrokenAnswer {
  readonly texts: readonly string[];
  readonly pace: Pace;
}

/** A request that is to meet faults. */
export interface MetRequest {
  readonly id: JsonRpcId;
  readonly injections: readonly Injection[];
}

/**
 * Remembers which requests are to meet faults, and breaks their answers when they come. `note` is told of each fault at the
 * moment at which it is injected, before anything of it is on the wire.
 */
export interface FaultyAnswers {
  /** The request, when it is to meet faults. Batches are left alone. */
  asked(frame: ParsedFrame): MetRequest | undefined;
  /** Whether anything waits, without which answers need not be read. */
  readonly isWaiting: boolean;
  /** What is to go on in the place of an answer; `undefined` when it is to be left alone. */
  answered(raw: string, frame: ParsedFrame): BrokenAnswer | undefined;
  /** Tells of a fault that is injected without an answer, and waits for none any more. */
  inject(request: MetRequest, injection: Injection, detail?: string): void;
}

export function createFaultyAnswers(engine: FaultEngine, note: (note: InjectedNote) => void): FaultyAnswers {
  const waiting = new Map<JsonRpcId, readonly Injection[]>();

  function tell(id: JsonRpcId, { fault, rule }: Injection, detail: string | undefined, original?: string): void {
    note({
      type: 'injected',
      fault: fault.type,
      rule,
      requestId: id,
      ...(detail === undefined ? {} : { detail }),
      ...(original === undefined
        ? {}
        : { original: { raw: original.slice(0, MAX_ORIGINAL), bytes: Buffer.byteLength(original) } }),
    });
  }

  return {
    asked({ envelope, message }) {
      if (envelope.kind !== 'request') {
        return undefined;
      }
      const injections = engine.decide(subjectOf(envelope.method, message));
      if (injections.length === 0) {
        return undefined;
      }
      const [oldest] = waiting.keys();
      if (waiting.size >= MAX_WAITING && oldest !== undefined) {
        waiting.delete(oldest);
      }
      waiting.set(envelope.id, injections);
      return { id: envelope.id, injections };
    },
    get isWaiting() {
      return waiting.size > 0;
    },
    answered(raw, { envelope, message }) {
      if ((envelope.kind !== 'result' && envelope.kind !== 'error') || envelope.id === null) {
        return undefined;
      }
      const injections = waiting.get(envelope.id);
      if (injections === undefined || !isObject(message)) {
        return undefined;
      }
      waiting.delete(envelope.id);
      return breakAnswer(raw, message, injections, (injection, detail, original) =>
        tell(envelope.id as JsonRpcId, injection, detail, original),
      );
    },
    inject({ id }, injection, detail) {
      waiting.delete(id);
      tell(id, injection, detail);
    },
  };
}

function breakAnswer(
  raw: string,
  message: JsonObject,
  injections: readonly Injection[],
  tell: (injection: Injection, detail: string | undefined, original?: string) => void,
): BrokenAnswer {
  let texts: readonly string[] = [raw];
  let delayMs = 0;
  let bytesPerSecond: number | undefined;
  let cutAtByte: number | undefined;
  for (const injection of injections) {
    const { fault } = injection;
    switch (fault.type) {
      case 'latency':
        delayMs += injection.delayMs;
        tell(injection, `${injection.delayMs} ms`);
        break;
      case 'slowStream':
        bytesPerSecond = Math.min(bytesPerSecond ?? Number.POSITIVE_INFINITY, fault.bytesPerSecond);
        tell(injection, `${fault.bytesPerSecond} B/s`);
        break;
      case 'cut':
        cutAtByte = fault.atByte;
        tell(injection, `${fault.atByte} B`, raw);
        break;
      default: {
        const altered = alterAnswer(fault, raw, message);
        const isSame = altered.texts.length === 1 && altered.texts[0] === raw;
        if (!isSame) {
          texts = altered.texts;
          tell(injection, altered.detail, raw);
        }
      }
    }
  }
  return { texts, pace: { delayMs, bytesPerSecond, cutAtByte } };
}

function subjectOf(method: string, message: JsonValue | undefined): FaultSubject {
  const params = isObject(message) ? message['params'] : undefined;
  const name = method === 'tools/call' && isObject(params) ? params['name'] : undefined;
  return { method, tool: typeof name === 'string' ? name : undefined };
}
