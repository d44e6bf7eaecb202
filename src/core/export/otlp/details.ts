import type { LogEvent, MessageBody } from '../../../protocol/events.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import { isObject, jsonText } from '../../../protocol/json.ts';
import type { JsonObject, JsonRpcId, JsonValue } from '../../../protocol/jsonrpc.ts';
import { readTraceContext, type TraceContext } from './traceContext.ts';

/** Messages that are kept until their exchange is over, and their text, UTF-16 code units. The oldest go first. */
const MAX_MESSAGES = 20_000;
const MAX_LENGTH = 32 * 1024 * 1024;
/** Larger answers are not looked into for what they say; that they are errors is known without. */
const MAX_READ_LENGTH = 1024 * 1024;

/** What a span says that is in the messages alone. */
export interface MessageDetails {
  readonly context?: TraceContext;
  /** Of a JSON-RPC error. */
  readonly code?: number;
  readonly message?: string;
  /** JSON texts, when content is wanted. */
  readonly arguments?: string;
  readonly result?: string;
}

/** Keeps of the messages that pass what spans need of them: little, unless content is wanted. */
export class Details {
  private readonly bodies = new Map<number, Pick<MessageBody, 'raw' | 'envelope'>>();
  private length = 0;
  private readonly hasContent: boolean;

  constructor(hasContent: boolean) {
    this.hasContent = hasContent;
  }

  push({ seq, body }: LogEvent): void {
    if (body.kind !== 'message' || !this.isNeeded(body)) {
      return;
    }
    const { raw, envelope } = body;
    this.bodies.set(seq, { raw, envelope });
    this.length += raw.length;
    for (const oldest of this.bodies.keys()) {
      if (this.bodies.size <= MAX_MESSAGES && this.length <= MAX_LENGTH) {
        return;
      }
      this.forget(oldest);
    }
  }

  of({ key, endSeq, requestId, method }: Exchange): MessageDetails {
    const request = this.messageOf(key, requestId);
    const answer = endSeq === undefined ? undefined : this.messageOf(endSeq, requestId);
    const params = objectOf(request?.['params']);
    const context = readTraceContext(objectOf(params?.['_meta']));
    const error = objectOf(answer?.['error']);
    const known = endSeq === undefined ? undefined : this.bodies.get(Math.floor(endSeq))?.envelope;
    const code = known?.kind === 'error' ? known.code : error?.['code'];
    const message = error?.['message'];
    const isContent = this.hasContent && method === 'tools/call';
    return {
      ...(context === undefined ? {} : { context }),
      ...(typeof code === 'number' ? { code } : {}),
      ...(typeof message === 'string' ? { message } : {}),
      ...(isContent ? textOf('arguments', params?.['arguments']) : {}),
      ...(isContent ? textOf('result', answer?.['result']) : {}),
    };
  }

  /** The exchange is over and told. */
  release({ key, endSeq }: Exchange): void {
    // Of a batch, others may need the same message: the bounds see to those.
    for (const seq of [key, endSeq ?? key]) {
      if (Number.isInteger(seq)) {
        this.forget(seq);
      }
    }
  }

  private forget(seq: number): void {
    this.length -= this.bodies.get(seq)?.raw.length ?? 0;
    this.bodies.delete(seq);
  }

  private isNeeded({ envelope, raw }: MessageBody): boolean {
    switch (envelope.kind) {
      case 'request':
        return this.hasContent || raw.includes('"traceparent"');
      case 'result':
        return this.hasContent;
      case 'error':
      case 'batch':
        return true;
      case 'notification':
      case 'invalid':
        return false;
    }
  }

  /** The message with this `seq`, or the item of a batch with this id. */
  private messageOf(seq: number, id: JsonRpcId | undefined): JsonObject | undefined {
    const body = this.bodies.get(Math.floor(seq));
    if (body === undefined || body.raw.length > MAX_READ_LENGTH) {
      return undefined;
    }
    let value: JsonValue;
    try {
      value = JSON.parse(body.raw) as JsonValue;
    } catch {
      // Redaction or a cap of the log has cut it: nothing is known of it.
      return undefined;
    }
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    return items.map(objectOf).find((item) => item !== undefined && (items.length === 1 || item['id'] === id));
  }
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function textOf(name: 'arguments' | 'result', value: JsonValue | undefined): Partial<MessageDetails> {
  return value === undefined ? {} : { [name]: jsonText(value) };
}
