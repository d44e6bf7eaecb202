import { describe, expect, it } from 'vitest';
import { harEvents } from '../../../src/cli/harEvents.ts';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import { project } from '../../../src/core/export/bugReportBundle.ts';
import { writeHar } from '../../../src/core/export/har.ts';
import type { JsonValue } from '../../../src/protocol/jsonrpc.ts';

const call = (id: number, name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } });
const answer = (id: number, result: JsonValue) => JSON.stringify({ jsonrpc: '2.0', id, result });

interface Given {
  readonly at?: string;
  readonly method?: string;
  readonly url?: string;
  readonly sent?: string;
  readonly status?: number;
  readonly type?: string;
  readonly content?: string;
  readonly encoding?: string;
}

/** An entry as browsers write them. */
const entry = ({
  at = '2026-01-02T10:00:00.000Z',
  method = 'POST',
  url = 'https://shop.example/mcp',
  sent,
  status = 200,
  type = 'application/json',
  content = '',
  encoding,
}: Given) => ({
  startedDateTime: at,
  time: 12.5,
  request: {
    method,
    url,
    headers: [{ name: 'Mcp-Session-Id', value: 's1' }],
    ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: sent } }),
  },
  response: {
    status,
    headers: [{ name: 'Content-Type', value: type }],
    content: { size: content.length, mimeType: type, text: content, ...(encoding === undefined ? {} : { encoding }) },
  },
});

const archive = (...entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });

/** What an archive projects to: tool, outcome and time of each request. */
async function projected(text: string) {
  const read = harEvents(text);
  if ('problem' in read) {
    return read;
  }
  const events = (async function* () {
    yield* read.events;
  })();
  const exchanges = [...(await project(events, new Correlator(judge))).values()];
  return exchanges
    .filter(({ kind }) => kind === 'request')
    .map(({ server, target, verdict, endUs = 0, startUs }) => [server, target, verdict?.outcome, endUs - startUs]);
}

describe('harEvents', () => {
  it('reads answers as JSON, as a stream, in base64 and as none', async () => {
    const isError = { isError: true, content: [{ type: 'text', text: 'no' }] };
    const ok = { content: [{ type: 'text', text: 'yes' }] };
    const text = archive(
      entry({ sent: call(1, 'plain'), content: answer(1, isError) }),
      entry({
        sent: call(2, 'stream'),
        type: 'text/event-stream; charset=utf-8',
        content: `: hello\n\nevent: message\ndata: ${answer(2, ok)}`,
      }),
      entry({ sent: call(3, 'encoded'), content: Buffer.from(answer(3, ok)).toString('base64'), encoding: 'base64' }),
      entry({ sent: call(4, 'page'), status: 502, type: 'text/html', content: '<html>Bad Gateway</html>' }),
    );
    expect(await projected(text)).toEqual([
      ['har:shop.example', 'plain', 'tool_error', 12_500],
      ['har:shop.example', 'stream', 'success', 12_500],
      ['har:shop.example', 'encoded', 'success', 12_500],
      ['har:shop.example', 'page', 'transport_error', 12_500],
    ]);
  });

  it('leaves out what is not of MCP, and says how much', () => {
    const read = harEvents(
      archive(
        entry({ method: 'GET', type: 'text/html', content: '<html></html>' }),
        entry({ sent: 'a=b' }),
        entry({ sent: '{"query":"{ me }"}' }),
        { startedDateTime: 5 },
        entry({ sent: call(1, 'a'), content: answer(1, {}) }),
      ),
    );
    expect(read).toMatchObject({ leftOut: 4 });
    expect('events' in read && read.events.map(({ seq, body }) => [seq, body.kind])).toEqual([
      [1, 'message'],
      [2, 'message'],
      [3, 'http'],
    ]);
  });

  it('puts entries in the order of their time', async () => {
    const text = archive(
      entry({ at: '2026-01-02T10:00:09Z', sent: call(2, 'late'), content: answer(2, {}) }),
      entry({ at: '2026-01-02T10:00:01Z', sent: call(1, 'early'), content: answer(1, {}) }),
    );
    expect(((await projected(text)) as unknown[][]).map(([, target]) => target)).toEqual(['early', 'late']);
  });

  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'it has no log.entries'],
    ['{"log":{}}', 'it has no log.entries'],
  ])('refuses %s', (text, problem) => {
    expect(harEvents(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('reads what is written as HAR here', async () => {
    const text = archive(entry({ sent: call(1, 'a'), content: answer(1, { isError: true, content: [] }) }));
    const first = harEvents(text);
    const pieces: string[] = [];
    for await (const piece of writeHar('events' in first ? first.events : [], '0')) {
      pieces.push(piece);
    }
    expect(await projected(pieces.join(''))).toEqual(await projected(text));
  });
});
