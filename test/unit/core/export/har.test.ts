import { describe, expect, it } from 'vitest';
import { writeHar } from '../../../../src/core/export/har.ts';
import type { HttpBody, LogEvent, MessageBody } from '../../../../src/protocol/events.ts';
import { event } from './support.ts';

const message = (direction: 'sent' | 'received', raw: string, http: string): MessageBody => ({
  kind: 'message',
  direction,
  raw,
  bytes: raw.length,
  envelope: { kind: 'notification', method: 'x' },
  http,
});
const http = (id: string, more: Partial<HttpBody> = {}): HttpBody => ({
  kind: 'http',
  id,
  method: 'POST',
  url: 'http://localhost/mcp?page=2&token=[redacted]',
  requestHeaders: { 'content-type': 'application/json', authorization: 'Bearer [redacted]' },
  responseHeaders: {},
  durationUs: 2500,
  ...more,
});

async function har(events: readonly LogEvent[]) {
  let text = '';
  for await (const piece of writeHar(events, '0.1.0')) {
    text += piece;
  }
  return JSON.parse(text).log;
}

describe('HAR', () => {
  it('is valid without any exchange', async () => {
    expect(await har([])).toEqual({ version: '1.2', creator: { name: 'Faultline', version: '0.1.0' }, entries: [] });
  });

  it('gives each exchange the messages that it carried', async () => {
    const { entries } = await har([
      event(1, message('sent', '{"id":1}', 'a')),
      event(2, message('sent', '{"id":2}', 'b')),
      event(3, message('received', '{"id":2,"result":{}}', 'b')),
      event(4, http('b', { status: 200, responseHeaders: { 'content-type': 'application/json' } })),
      event(5, message('received', '{"id":1,"result":{}}', 'a')),
      event(6, http('a', { status: 200, responseHeaders: { 'content-type': 'text/event-stream' } })),
    ]);
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      startedDateTime: '1970-01-01T00:00:00.001Z',
      time: 2.5,
      request: {
        method: 'POST',
        postData: { mimeType: 'application/json', text: '{"id":2}' },
        bodySize: 8,
        queryString: [
          { name: 'page', value: '2' },
          { name: 'token', value: '[redacted]' },
        ],
      },
      response: { status: 200, content: { text: '{"id":2,"result":{}}', size: 20 } },
      timings: { send: 0, wait: 2.5, receive: 0 },
    });
    expect(entries[1].response.content.text).toBe('data: {"id":1,"result":{}}\n\n');
  });

  it('frames a message with line ends as one event of a stream', async () => {
    const { entries } = await har([
      event(1, message('received', '{\n"id":1}', 'a')),
      event(2, http('a', { status: 200, responseHeaders: { 'content-type': 'text/event-stream' } })),
    ]);
    expect(entries[0].response.content.text).toBe('data: {\ndata: "id":1}\n\n');
  });

  it('tells a failure, and shows the body of an answer that was no message', async () => {
    const { entries } = await har([
      event(1, http('a', { failure: { reason: 'refused', message: 'connect ECONNREFUSED' } })),
      event(2, http('b', { status: 502, body: '<html>', responseHeaders: { 'content-type': 'text/html' } })),
    ]);
    expect(entries[0]).toMatchObject({ response: { status: 0 }, comment: 'refused: connect ECONNREFUSED' });
    expect(entries[1].response.content).toEqual({ size: 6, mimeType: 'text/html', text: '<html>' });
  });

  it('has every member that HAR 1.2 asks for', async () => {
    const { entries } = await har([event(1, http('a'))]);
    expect(Object.keys(entries[0])).toEqual(
      expect.arrayContaining(['startedDateTime', 'time', 'request', 'response', 'cache', 'timings']),
    );
    expect(Object.keys(entries[0].request)).toEqual(
      expect.arrayContaining([
        'method',
        'url',
        'httpVersion',
        'cookies',
        'headers',
        'queryString',
        'headersSize',
        'bodySize',
      ]),
    );
    expect(Object.keys(entries[0].response)).toEqual(
      expect.arrayContaining([
        'status',
        'statusText',
        'httpVersion',
        'cookies',
        'headers',
        'content',
        'redirectURL',
        'headersSize',
        'bodySize',
      ]),
    );
  });

  it('keeps apart the exchanges of two connections with the same number, and counts those without an end', async () => {
    const log = await har([
      event(1, message('sent', 'one', 'a')),
      event(2, message('sent', 'two', 'a'), { connection: 'c2' as never }),
      event(3, http('a'), { connection: 'c2' as never }),
    ]);
    expect(log.entries[0].request.postData.text).toBe('two');
    expect(log.comment).toBe('1 exchanges had not ended');
  });

  it('takes times and addresses that are none', async () => {
    const { entries } = await har([event(1, http('a', { url: 'not a url' }), { wallUs: 1e300 })]);
    expect(entries[0]).toMatchObject({ startedDateTime: '1970-01-01T00:00:00.000Z', request: { queryString: [] } });
  });
});
