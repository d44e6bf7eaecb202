import { assertNever } from '../../../base/assertNever.ts';
import { safeLine } from '../../../base/safeText.ts';
import type { TransportFailure } from '../../../protocol/events.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import { ATTR, CALLERS_FAULTS, OWN } from './conventions.ts';
import type { MessageDetails } from './details.ts';
import type { Attributes, AttributeValue, SpanIds, SpanKind, SpanLink, SpanRecord } from './spanRecord.ts';

/** Longest text of an attribute, UTF-16 code units; content may be as long as `MAX_CONTENT`. */
const MAX_TEXT = 256;
const MAX_CONTENT = 16 * 1024;
/** Missing items that are named. */
const MAX_MISSING = 20;

const RESOURCE_METHODS: ReadonlySet<string> = new Set([
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/resources/updated',
]);

/** Where a span stands: its ids, what is above it and what it belongs with. */
export interface SpanPlace extends SpanIds {
  readonly parent?: NonNullable<SpanRecord['parent']>;
  readonly flags: number;
  readonly traceState?: string;
  readonly links: readonly SpanLink[];
}

/** What is known of an exchange beside itself. */
export interface SpanFacts {
  readonly place: SpanPlace;
  readonly connection: Attributes;
  readonly details: MessageDetails;
  /** The end of a request that nothing ended: when the recording was over, wall time, µs. */
  readonly lastUs: number;
}

/**
 * The span of a request. Whoever asks is the client: our side and the client that is tapped are the client of what they ask,
 * and the server of what the server asks of them. Never throws.
 */
export function spanOf(exchange: Exchange, { place, connection, details, lastUs }: SpanFacts): SpanRecord {
  const { startUs, endUs, method } = exchange;
  const kind = kindOf(exchange);
  const error = errorOf(exchange, details.code, kind);
  const description = error === undefined ? undefined : details.message;
  return {
    ...place,
    name: nameOf(exchange),
    kind,
    startUs,
    endUs: Math.max(startUs, endUs ?? lastUs),
    attributes: {
      ...operationAttributes(exchange),
      ...connection,
      ...(exchange.requestId === undefined ? {} : { [ATTR.requestId]: line(String(exchange.requestId)) }),
      ...(RESOURCE_METHODS.has(method) && exchange.target !== undefined
        ? { [ATTR.resourceUri]: line(exchange.target) }
        : {}),
      ...(details.code === undefined ? {} : { [ATTR.statusCode]: String(details.code) }),
      ...(error === undefined ? {} : { [ATTR.errorType]: error }),
      ...(details.arguments === undefined ? {} : { [ATTR.toolArguments]: details.arguments.slice(0, MAX_CONTENT) }),
      ...(details.result === undefined ? {} : { [ATTR.toolResult]: details.result.slice(0, MAX_CONTENT) }),
      ...ownAttributes(exchange),
    },
    status: {
      isError: error !== undefined,
      ...(description === undefined ? {} : { description: line(description) }),
    },
  };
}

/** Of a call, over its attempts, in the order in which they were made: at least one. */
export function callSpanOf(attempts: readonly [SpanRecord, ...SpanRecord[]], ids: SpanIds): SpanRecord {
  const [first] = attempts;
  const last = attempts.at(-1) ?? first;
  const own = Object.entries(last.attributes).filter(([name]) => CALL_ATTRIBUTES.has(name));
  return {
    ...ids,
    ...(first.traceState === undefined ? {} : { traceState: first.traceState }),
    flags: first.flags,
    name: first.name,
    kind: 'internal',
    startUs: first.startUs,
    endUs: Math.max(...attempts.map(({ endUs }) => endUs)),
    attributes: { ...Object.fromEntries(own), [OWN.attempts]: attempts.length },
    status: last.status,
    links: first.links,
  };
}

/** What a call has of its last attempt. No `mcp.method.name`: what counts spans by it counts requests. */
const CALL_ATTRIBUTES: ReadonlySet<string> = new Set([
  ATTR.errorType,
  OWN.outcome,
  OWN.signal,
  OWN.server,
  OWN.origin,
  OWN.session,
]);

/** The attributes of the metrics of operations: of few values each. */
export function operationAttributes({ method, target }: Exchange): Attributes {
  const attributes: Record<string, AttributeValue> = { [ATTR.method]: line(method) };
  if (method === 'tools/call') {
    attributes[ATTR.operation] = 'execute_tool';
    if (target !== undefined) {
      attributes[ATTR.tool] = line(target);
    }
  } else if (method === 'prompts/get' && target !== undefined) {
    attributes[ATTR.prompt] = line(target);
  }
  return attributes;
}

function kindOf({ initiator }: Exchange): Exclude<SpanKind, 'internal'> {
  return initiator === 'client' ? 'client' : 'server';
}

/**
 * `error.type`; `undefined` when it is no error by the conventions. Outcomes that the conventions do not know, silent errors
 * and partial results among them, are no errors: `faultline.outcome` tells them.
 */
function errorOf({ verdict, failure }: Exchange, code: number | undefined, kind: SpanKind): string | undefined {
  if (code !== undefined) {
    return kind === 'server' && CALLERS_FAULTS.has(code) ? undefined : String(code);
  }
  const outcome = verdict?.outcome ?? 'pending';
  switch (outcome) {
    case 'tool_error':
      return 'tool_error';
    case 'protocol_error':
      return kind === 'server' ? undefined : 'protocol_error';
    case 'transport_error':
      return transportError(failure);
    case 'timeout':
      return 'timeout';
    case 'invalid_response':
      return 'invalid_response';
    case 'success':
    case 'partial':
    case 'silent_error':
    case 'cancelled':
    case 'input_required':
    case 'task_pending':
    case 'pending':
      return undefined;
    default:
      return assertNever(outcome);
  }
}

/** The system's code, an HTTP status, or our own name for it: each of few values. */
function transportError(failure: TransportFailure | undefined): string {
  const { code, status, reason } = failure ?? {};
  if (code !== undefined && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) {
    return code;
  }
  return status === undefined ? (reason ?? '_OTHER') : String(status);
}

function nameOf({ method, target }: Exchange): string {
  const isNamed = (method === 'tools/call' || method === 'prompts/get') && target !== undefined;
  return isNamed ? `${line(method)} ${line(target)}` : line(method);
}

function ownAttributes(exchange: Exchange): Attributes {
  const { verdict, chain, group, marks, anomalies, replayOf, endUs } = exchange;
  const [signal] = verdict?.signals ?? [];
  const { done, total, missing = [] } = verdict?.partial ?? {};
  const given: Readonly<Record<string, AttributeValue | undefined>> = {
    // What nothing had ended when the recording was over was given up with it.
    [OWN.outcome]: endUs === undefined ? 'cancelled' : (verdict?.outcome ?? 'pending'),
    [OWN.unfinished]: endUs === undefined ? true : undefined,
    [OWN.signal]: signal?.code,
    [OWN.server]: line(exchange.server),
    [OWN.origin]: line(exchange.origin),
    [OWN.session]: line(exchange.session),
    [OWN.row]: exchange.key,
    [OWN.injected]: exchange.injected?.map(({ fault }) => fault),
    [OWN.marks]: marks.length === 0 ? undefined : marks,
    [OWN.anomalies]: anomalies === undefined ? undefined : [...new Set(anomalies.map(({ code }) => code))],
    [OWN.partialDone]: done,
    [OWN.partialTotal]: total,
    [OWN.partialMissing]: missing.length === 0 ? undefined : missing.slice(0, MAX_MISSING).map(line),
    [OWN.attempt]: chain?.attempt,
    [OWN.maxAttempts]: chain?.maxAttempts,
    [OWN.attemptDelay]: chain === undefined ? undefined : chain.delayMs / 1000,
    [OWN.attemptReason]: chain?.reason,
    [OWN.group]: group?.kind,
    [OWN.groupIndex]: group?.index,
    [OWN.replayOf]: replayOf,
  };
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) {
      attributes[name] = value;
    }
  }
  return attributes;
}

/** Servers choose these texts. */
function line(text: string): string {
  return safeLine(text, MAX_TEXT);
}
