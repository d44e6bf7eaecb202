import { Buffer } from 'node:buffer';
import type { HttpBody, LogEvent, MessageBody } from '../../protocol/events.ts';

/** Text of one HTTP exchange that is put in, UTF-16 code units; a stream can go on for days. */
const MAX_CONTENT = 16 * 1024 * 1024;

/** What was seen of an HTTP exchange before its end. */
interface Carried {
  readonly sent: string[];
  readonly received: string[];
  length: number;
  isCut: boolean;
}

/**
 * The HTTP exchanges as HAR 1.2, entry by entry: events by ascending `seq` in, text out. Bodies are the JSON-RPC messages
 * that the exchange carried; a stream's are framed anew, since its framing is not recorded. What was never there stays
 * out: headers are as redacted when they were recorded, there are no cookies and no timings but the total.
 */
export async function* writeHar(
  events: AsyncIterable<LogEvent> | Iterable<LogEvent>,
  version: string,
): AsyncGenerator<string, void, undefined> {
  const open = new Map<string, Carried>();
  const creator = JSON.stringify({ name: 'Faultline', version });
  yield `{"log":{"version":"1.2","creator":${creator},"entries":[`;
  let separator = '\n';
  for await (const event of events) {
    const { body } = event;
    if (body.kind === 'http') {
      const key = keyOf(event, body.id);
      const carried = open.get(key);
      open.delete(key);
      yield `${separator}${JSON.stringify(entryOf(event, body, carried))}`;
      separator = ',\n';
    } else if (body.kind === 'message' && body.http !== undefined) {
      carry(open, keyOf(event, body.http), body);
    }
  }
  const unfinished = open.size === 0 ? '' : `,"comment":"${open.size} exchanges had not ended"`;
  yield `\n]${unfinished}}}\n`;
}

function keyOf(event: LogEvent, http: string): string {
  return JSON.stringify([event.connection, http]);
}

function carry(open: Map<string, Carried>, key: string, { direction, raw }: MessageBody): void {
  const carried = open.get(key) ?? { sent: [], received: [], length: 0, isCut: false };
  open.set(key, carried);
  carried.length += raw.length;
  if (carried.length > MAX_CONTENT) {
    carried.isCut = true;
  } else {
    carried[direction].push(raw);
  }
}

function entryOf(event: LogEvent, body: HttpBody, carried: Carried | undefined): object {
  const { method, url, status, durationUs, requestHeaders, responseHeaders, failure } = body;
  const ms = Math.max(0, durationUs / 1000);
  const comments = [
    ...(failure === undefined ? [] : [`${failure.reason}: ${failure.message}`]),
    ...(carried?.isCut === true ? ['messages beyond 16 MiB are left out'] : []),
  ];
  return {
    startedDateTime: timeOf(event.wallUs - durationUs),
    time: ms,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(requestHeaders),
      queryString: queryOf(url),
      ...postDataOf(requestHeaders, carried),
      headersSize: -1,
      bodySize: sizeOf(carried?.sent),
    },
    response: {
      // 0 is what browsers write where no answer came.
      status: status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(responseHeaders),
      content: contentOf(body, carried),
      redirectURL: responseHeaders['location'] ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    connection: event.connection,
    _server: event.server,
    _session: event.session,
    _seq: event.seq,
    ...(comments.length === 0 ? {} : { comment: comments.join('; ') }),
  };
}

function postDataOf(headers: HttpBody['requestHeaders'], carried: Carried | undefined): object {
  const text = carried?.sent.join('\n');
  return text === undefined || text === ''
    ? {}
    : { postData: { mimeType: headers['content-type'] ?? 'application/json', params: [], text } };
}

function contentOf({ responseHeaders, body }: HttpBody, carried: Carried | undefined): object {
  const mimeType = responseHeaders['content-type'] ?? '';
  const received = carried?.received ?? [];
  const isStream = mimeType.startsWith('text/event-stream');
  const text = body ?? (isStream ? received.map(frameOf).join('') : received.join('\n'));
  return { size: Buffer.byteLength(text), mimeType, ...(text === '' ? {} : { text }) };
}

/** A message as a server-sent event, whose data must not hold a line end (WHATWG HTML §9.2.6). */
function frameOf(raw: string): string {
  return `data: ${raw.replace(/\r\n|[\r\n]/g, '\ndata: ')}\n\n`;
}

function pairsOf(headers: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): readonly object[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}

function sizeOf(texts: readonly string[] | undefined): number {
  return (texts ?? []).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** ISO 8601; the epoch for a time that no date can be. */
function timeOf(us: number): string {
  const date = new Date(us / 1000);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
