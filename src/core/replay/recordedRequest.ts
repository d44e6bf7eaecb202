import type { TextArgs } from '../../base/text.ts';
import type { EventBody, MessageBody } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { isObject, jsonText } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';

/** Why a recorded exchange cannot be sent again. `code` names a sentence in `protocol/texts.ts`. */
export interface Refusal {
  readonly code:
    | 'replay.refused.notClient'
    | 'replay.refused.handshake'
    | 'replay.refused.bound'
    | 'replay.refused.gone'
    | 'replay.refused.redacted';
  readonly args: TextArgs;
}

/** A request as it can be sent again. */
export interface RecordedRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** What stands in the place of a secret (`docs/redaction.md`). */
const PLACEHOLDER = /\[redacted:[\w-]{1,40}:[0-9a-f]{6}\]/;

/** Requests that say something only within the connection that they were sent over. */
const BOUND_METHODS: ReadonlySet<string> = new Set([
  'subscriptions/listen',
  'tasks/get',
  'tasks/result',
  'tasks/update',
  'tasks/cancel',
  'tasks/list',
]);

/**
 * The request of an exchange without what belonged to its attempt alone, or why it cannot be sent again. `body`: what is
 * recorded under the exchange's key. Never throws.
 */
export function recordedRequest(
  exchange: Pick<Exchange, 'kind' | 'initiator' | 'method'>,
  body: EventBody | undefined,
): RecordedRequest | Refusal {
  const refusal = refusalOf(exchange);
  if (refusal !== undefined) {
    return refusal;
  }
  const read = body?.kind === 'message' ? readRequest(body) : undefined;
  if (read === undefined) {
    return { code: 'replay.refused.gone', args: {} };
  }
  // The server would be sent placeholders, and might even store them.
  return holdsPlaceholder(read.params) ? { code: 'replay.refused.redacted', args: {} } : read;
}

/** The same for a person who edits it first: placeholders may be in it, and are to be replaced. */
export function editableRequest(
  exchange: Pick<Exchange, 'kind' | 'initiator' | 'method'>,
  body: EventBody | undefined,
): RecordedRequest | Refusal {
  const read = body?.kind === 'message' ? readRequest(body) : undefined;
  return refusalOf(exchange) ?? read ?? { code: 'replay.refused.gone', args: {} };
}

/** Why an exchange can never be sent again, whatever is recorded of it; `undefined` when it may. */
export function refusalOf({
  kind,
  initiator,
  method,
}: Pick<Exchange, 'kind' | 'initiator' | 'method'>): Refusal | undefined {
  if (kind !== 'request' || initiator !== 'client') {
    return { code: 'replay.refused.notClient', args: {} };
  }
  if (method === 'initialize') {
    return { code: 'replay.refused.handshake', args: {} };
  }
  return BOUND_METHODS.has(method) ? { code: 'replay.refused.bound', args: { method } } : undefined;
}

export function isRefusal(read: RecordedRequest | Refusal): read is Refusal {
  return 'code' in read;
}

/** Whether a value holds a placeholder of a secret at any depth. */
export function holdsPlaceholder(value: JsonValue | undefined): boolean {
  return value !== undefined && PLACEHOLDER.test(jsonText(value));
}

/** The URL that the request of an exchange was posted to, as it was recorded: without what was secret in it. */
export function recordedUrl(
  { key, related }: Pick<Exchange, 'key' | 'related'>,
  get: (seq: number) => EventBody | undefined,
): string | undefined {
  const message = get(Math.floor(key));
  const id = message?.kind === 'message' ? message.http : undefined;
  for (const seq of related) {
    const body = get(Math.floor(seq));
    if (body?.kind === 'http' && body.method === 'POST' && (id === undefined || body.id === id)) {
      return body.url;
    }
  }
  return undefined;
}

function readRequest({ raw }: MessageBody): RecordedRequest | undefined {
  let message: JsonValue;
  try {
    message = JSON.parse(raw) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isObject(message) || typeof message['method'] !== 'string') {
    return undefined;
  }
  const { method, params } = message;
  return { method, params: isObject(params) ? withoutOwn(params) : undefined };
}

/** Parameters without what the client of the recorded attempt said of itself and of its attempt. */
function withoutOwn(params: JsonObject): JsonObject {
  const { _meta, ...rest } = params;
  if (!isObject(_meta)) {
    return rest;
  }
  const kept = Object.entries(_meta).filter(([name]) => name !== 'progressToken' && !name.startsWith(OWN_META));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

/** Of 2026-07-28: version, capabilities and name of the client that sent it (`io.modelcontextprotocol/…`). */
const OWN_META = 'io.modelcontextprotocol/';
