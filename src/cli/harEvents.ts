import { Buffer } from 'node:buffer';
import * as z from 'zod/mini';
import { messageOf } from '../base/messageOf.ts';
import { parseFrame } from '../core/transport/envelope.ts';
import { createSseReader } from '../core/transport/sseReader.ts';
import type {
  ConnectionId,
  EventBody,
  LogEvent,
  Origin,
  ServerId,
  SessionId,
  TransportFailure,
} from '../protocol/events.ts';

const pairs = z.array(z.object({ name: z.string(), value: z.string() }));

const entry = z.object({
  startedDateTime: z.string(),
  time: z.optional(z.number()),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.optional(pairs),
    postData: z.optional(z.object({ text: z.optional(z.string()) })),
  }),
  response: z.object({
    status: z.number(),
    headers: z.optional(pairs),
    content: z.optional(
      z.object({
        mimeType: z.optional(z.string()),
        text: z.optional(z.string()),
        encoding: z.optional(z.string()),
      }),
    ),
  }),
  _server: z.optional(z.string()),
});

const har = z.object({ log: z.object({ entries: z.array(z.unknown()) }) });

type Entry = z.infer<typeof entry>;

/** The events of an HTTP archive, and how many of its entries are not of MCP. */
export interface HarEvents {
  readonly events: readonly LogEvent[];
  readonly leftOut: number;
}

const SESSION = 'har' as SessionId;
const ORIGIN: Origin = 'tap:har';

/**
 * Reads an HTTP archive (HAR 1.2) of a browser, a proxy or our own: each POST with a JSON-RPC message and each stream of
 * answers as the events that a tap would have recorded. One connection a server and session id. A sentence when the text is
 * no archive. Never throws.
 */
export function harEvents(text: string): HarEvents | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    return { problem: `it is no JSON: ${messageOf(error)}` };
  }
  const archive = har.safeParse(value);
  if (!archive.success) {
    return { problem: 'it is no HTTP archive: it has no log.entries' };
  }
  const read = archive.data.log.entries.flatMap((each) => {
    const checked = entry.safeParse(each);
    return checked.success && isOfMcp(checked.data) ? [checked.data] : [];
  });
  const bodies = read
    .toSorted((a, b) => startUsOf(a) - startUsOf(b))
    .flatMap((each, index) => eventsOf(each, `har-${index + 1}`));
  const events = bodies.map((event, index): LogEvent => ({ ...event, seq: index + 1 }));
  return { events, leftOut: archive.data.log.entries.length - read.length };
}

/** A POST of a JSON-RPC message, or a stream that a server sends messages over. */
function isOfMcp({ request, response }: Entry): boolean {
  const { kind } = parseFrame(request.postData?.text ?? '').envelope;
  const isStream = typeOf(response).startsWith('text/event-stream');
  return request.method === 'POST' ? kind !== 'invalid' : request.method === 'GET' && isStream;
}

function eventsOf(each: Entry, id: string): readonly Omit<LogEvent, 'seq'>[] {
  const { request, response } = each;
  const startUs = startUsOf(each);
  const durationUs = Math.max(0, Math.round((each.time ?? 0) * 1000));
  const { host } = URL.canParse(request.url) ? new URL(request.url) : { host: 'unknown' };
  const sent = headersOf(request.headers);
  const received = headersOf(response.headers);
  const session = sent['mcp-session-id'] ?? received['mcp-session-id'] ?? '';
  const server = (each._server ?? `har:${host}`) as ServerId;
  const at = (us: number, body: EventBody): Omit<LogEvent, 'seq'> => ({
    session: SESSION,
    server,
    connection: `${server} ${session}` as ConnectionId,
    wallUs: us,
    monoUs: us,
    origin: ORIGIN,
    body,
  });
  const message = (direction: 'sent' | 'received', raw: string): EventBody => {
    const { envelope } = parseFrame(raw);
    return { kind: 'message', direction, raw, bytes: Buffer.byteLength(raw), envelope, http: id };
  };
  const { answers, rest } = answersOf(response);
  const { envelope } = parseFrame(request.postData?.text ?? '');
  const failure = answers.length > 0 ? undefined : failureOf(response.status, rest);
  return [
    ...(envelope.kind === 'invalid' ? [] : [at(startUs, message('sent', request.postData?.text ?? ''))]),
    ...answers.map((raw) => at(startUs + durationUs, message('received', raw))),
    at(startUs + durationUs, {
      kind: 'http',
      id,
      method: request.method,
      url: request.url,
      // 0 is what browsers write where no answer came.
      ...(response.status === 0 ? { failure: failureOf(0, undefined) } : { status: response.status }),
      requestHeaders: sent,
      responseHeaders: received,
      durationUs,
      ...(rest === undefined ? {} : { body: rest }),
      ...(envelope.kind === 'request' ? { requestId: envelope.id } : {}),
    }),
    // A client that is tapped says nothing of its own end; that the archive ends here is all that is known.
    ...(envelope.kind === 'request' && failure !== undefined
      ? [at(startUs + durationUs, { kind: 'local-end', id: envelope.id, end: { kind: 'transport', failure } })]
      : []),
  ];
}

function failureOf(status: number, body: string | undefined): TransportFailure {
  if (status === 0) {
    return { reason: 'unknown', message: 'The archive holds no answer.' };
  }
  if (status >= 400) {
    return {
      reason: status === 401 || status === 403 ? 'unauthorized' : 'http-status',
      message: `HTTP ${status}`,
      status,
    };
  }
  return body === undefined
    ? { reason: 'accepted-without-answer', message: `HTTP ${status} without an answer`, status }
    : { reason: 'not-json-rpc', message: `HTTP ${status} with something else than JSON-RPC`, status };
}

/** The messages of an answer, and its body where that is none. */
function answersOf(response: Entry['response']): { readonly answers: readonly string[]; readonly rest?: string } {
  const { text = '', encoding } = response.content ?? {};
  const body = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  if (body === '') {
    return { answers: [] };
  }
  if (typeOf(response).startsWith('text/event-stream')) {
    const answers: string[] = [];
    const reader = createSseReader({ onMessage: (raw) => answers.push(raw), onNoise: () => undefined });
    reader.push(Buffer.from(body.endsWith('\n\n') ? body : `${body}\n\n`));
    return { answers };
  }
  return parseFrame(body).envelope.kind === 'invalid' ? { answers: [], rest: body } : { answers: [body] };
}

function typeOf({ content, headers }: Entry['response']): string {
  return (content?.mimeType || headersOf(headers)['content-type']) ?? '';
}

function headersOf(given: Entry['request']['headers']): Record<string, string> {
  return Object.fromEntries((given ?? []).map(({ name, value }) => [name.toLowerCase(), value]));
}

function startUsOf({ startedDateTime }: Entry): number {
  const ms = Date.parse(startedDateTime);
  return Number.isNaN(ms) ? 0 : ms * 1000;
}
