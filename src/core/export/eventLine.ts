import { Buffer } from 'node:buffer';
import { bodyProblem, contextProblem, isKnownKind } from '../../protocol/eventSchema.ts';
import type { EventBody, LogEvent } from '../../protocol/events.ts';

/**
 * An event as one line of JSON, without the line end. The same event gives the same bytes from wherever it was read. One
 * that is no JSON (a cycle, a bigint) becomes a gap in its place.
 */
export function encodeEvent(event: LogEvent): string {
  const { seq, session, server, connection, wallUs, monoUs, origin, body, ...more } = event;
  const context = { seq, session, server, connection, wallUs, monoUs, origin };
  try {
    return JSON.stringify({ ...context, body: plainBody(body), ...more });
  } catch {
    const note = { type: 'gap', events: 1, bytes: 0, reason: 'log.gap.bad-value' };
    return JSON.stringify({ ...context, body: { kind: 'note', note } });
  }
}

/** Members in one order, since memory, SQLite and files hold them in different ones; bytes as base64. */
function plainBody(body: EventBody): object {
  switch (body.kind) {
    case 'message': {
      const { kind, direction, raw, rawBytes, bytes, envelope, http, redactions, ...more } = body;
      return { kind, direction, raw, rawBytes: base64(rawBytes), bytes, envelope, http, redactions, ...more };
    }
    case 'noise': {
      const { kind, stream, raw, rawBytes, bytes, problem, ...more } = body;
      return { kind, stream, raw, rawBytes: base64(rawBytes), bytes, problem, ...more };
    }
    default:
      return body;
  }
}

function base64(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

/**
 * The event that a parsed line stands for, or what is wrong with it. A kind of event, step or note that this
 * version does not know is kept as a mark with its JSON for text. Members that are not known are kept.
 */
export function decodeEvent(value: unknown): LogEvent | { readonly problem: string } {
  const problem = contextProblem(value);
  if (problem !== undefined) {
    return { problem: problem.text };
  }
  // `contextProblem` has seen to the context; the body is looked at below.
  const event = value as LogEvent & { readonly body: unknown };
  const body = readBody(event.body);
  return 'problem' in body ? body : { ...event, body: body.body };
}

function readBody(value: unknown): { readonly body: EventBody } | { readonly problem: string } {
  if (typeof value !== 'object' || value === null || !('kind' in value) || typeof value.kind !== 'string') {
    return { problem: 'body: no kind' };
  }
  if (!isKnownKind(value.kind)) {
    return unknown(value);
  }
  const body = 'rawBytes' in value ? { ...value, rawBytes: bytesOf(value.rawBytes) } : value;
  const problem = bodyProblem(value.kind, body);
  if (problem?.isUnknownForm === true) {
    return unknown(value);
  }
  return problem === undefined ? { body: body as EventBody } : { problem: `body.${problem.text}` };
}

function unknown(value: object): { readonly body: EventBody } {
  return { body: { kind: 'note', note: { type: 'mark', text: JSON.stringify(value) } } };
}

/** The bytes that canonical base64 stands for; anything else gives nothing that a schema would take. */
function bytesOf(value: unknown): Uint8Array | null {
  if (typeof value !== 'string') {
    return null;
  }
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? new Uint8Array(bytes) : null;
}
