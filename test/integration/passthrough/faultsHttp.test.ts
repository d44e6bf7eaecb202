import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/core/passthrough/faults/plan.ts';
import { start as startServer } from '../../servers/httpWellBehaved.mjs';
import { onFirstCall, seen } from './faultScene.ts';
import { exchangesOf, freshLog, tapHttp, until } from './tapScene.ts';

interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

const open: TestServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(as: string): Promise<TestServer> {
  const server = (await startServer({ as })) as TestServer;
  open.push(server);
  return server;
}

const DONE = { content: [{ type: 'text', text: 'done' }] };
const answer = (id: number, result: object = DONE) => JSON.stringify({ jsonrpc: '2.0', id, result });
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const events = (...texts: readonly string[]) => texts.map((text) => `data: ${text}\n\n`).join('');

/** What a client got: status and type, then the body as far as it came, then how it ended. */
async function post(url: string, id: number, patienceMs = 20_000): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'work', arguments: {} } });
  const headers = { 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, ${STREAM_TYPE}` };
  let got = '';
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(patienceMs) });
    const retryAfter = response.headers.get('retry-after');
    got = `${response.status} ${response.headers.get('content-type')?.split(';')[0]}${retryAfter === null ? '' : ` after ${retryAfter}`}: `;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      got += decoder.decode(chunk as Uint8Array, { stream: true });
    }
    return got;
  } catch (error) {
    return `${got}[${(error as Error).name === 'TimeoutError' ? 'silent' : 'broken'}]`;
  }
}

interface Case {
  readonly fault: Fault;
  /** Of a server that answers with JSON, and of one that answers with a stream. */
  readonly got: readonly [json: string, stream: string];
  readonly call: readonly [json: string, stream: string];
}

const whole = (text: string) => `200 ${JSON_TYPE}: ${text}`;
const stream = (...texts: readonly string[]) =>
  `200 ${STREAM_TYPE}: : hello\n\n${texts.map((text) => `event: message\ndata: ${text}\n\n`).join('')}`;
const both = (json: string, sse: string = json) => [json, sse] as const;
const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'boom' } });
const flip = answer(1, { content: [{ type: 'text', text: 'out of stock' }], isError: true });
const part = answer(1, { content: [{ type: 'text', text: 'Partial result: do' }] });
const truncated = answer(1).slice(0, Math.floor(answer(1).length / 2));

const cases: Readonly<Record<string, Case>> = {
  latency: {
    fault: { type: 'latency', ms: 30 },
    got: both(whole(answer(1)), stream(answer(1))),
    call: both('success | latency (30 ms)'),
  },
  slowStream: {
    fault: { type: 'slowStream', bytesPerSecond: 1000 },
    got: both(whole(answer(1)), stream(answer(1))),
    call: both('success | slowStream (1000 B/s)'),
  },
  dropAnswer: {
    fault: { type: 'dropAnswer' },
    got: both(`200 ${JSON_TYPE}: [silent]`, `200 ${STREAM_TYPE}: : hello\n\n[silent]`),
    call: both('cancelled | dropAnswer'),
  },
  cut: {
    fault: { type: 'cut', atByte: 20 },
    got: both(
      `${whole(answer(1).slice(0, 20))}[broken]`,
      `${stream(answer(1)).slice(0, stream().length + 20)}[broken]`,
    ),
    call: both('transport_error ambiguous_delivery | cut (20 B)'),
  },
  kill: { fault: { type: 'kill' }, got: both('[broken]'), call: both('transport_error ambiguous_delivery | kill') },
  error: {
    fault: { type: 'error', code: -32603, message: 'boom' },
    got: both(whole(error), stream(error)),
    call: both('protocol_error | error (-32603)'),
  },
  httpStatus: {
    fault: { type: 'httpStatus', status: 429, retryAfterSeconds: 2 },
    got: both('429 text/plain after 2: Injected by Faultline.\n'),
    call: both('transport_error | httpStatus (429, Retry-After 2 s)'),
  },
  truncated: {
    fault: { type: 'malformed', how: 'truncated' },
    got: both(whole(truncated), stream(truncated)),
    call: both('transport_error | malformed (truncated)', 'transport_error ambiguous_delivery | malformed (truncated)'),
  },
  duplicateAnswer: {
    fault: { type: 'duplicateAnswer' },
    got: both(`200 ${STREAM_TYPE}: ${events(answer(1), answer(1))}`, stream(answer(1), answer(1))),
    call: both('success duplicate | duplicateAnswer'),
  },
  wrongId: {
    fault: { type: 'wrongId' },
    got: both(whole(answer(1_000_001)), stream(answer(1_000_001))),
    call: both('transport_error | wrongId (1000001)', 'transport_error ambiguous_delivery | wrongId (1000001)'),
  },
  noise: {
    fault: { type: 'noise', text: 'a log line' },
    got: both(`200 ${STREAM_TYPE}: ${events('a log line', answer(1))}`, stream('a log line', answer(1))),
    call: both('success | noise'),
  },
  toolError: {
    fault: { type: 'toolError', text: 'out of stock' },
    got: both(whole(flip), stream(flip)),
    call: both('tool_error | toolError (isError: true)'),
  },
  partial: {
    fault: { type: 'partial' },
    got: both(whole(part), stream(part)),
    call: both('partial | partial (of the text)'),
  },
};

describe.each([
  ['json', 0],
  ['sse', 1],
] as const)('faults of a tap over HTTP, answers as %s', (as, which) => {
  it.each(Object.entries(cases))('%s', async (_, { fault, got, call }) => {
    const log = freshLog();
    const server = await serve(as);
    const tap = await tapHttp(log, server.url, '--faults', onFirstCall(fault));
    expect(await post(tap.url, 1, fault.type === 'dropAnswer' ? 700 : undefined)).toBe(got[which]);
    // The server lives on and answers the next call as ever.
    expect(await post(tap.url, 2)).toContain(answer(2));
    tap.child.kill('SIGTERM');
    expect((await tap.ended).code).toBe(0);
    const calls = (await exchangesOf(log)).filter(({ method }) => method === 'tools/call');
    expect(calls.map(seen)).toEqual([call[which], 'success | ']);
  });
});

it('does not pass a request on to the server that is answered with an HTTP status', async () => {
  const server = await serve('json');
  const tap = await tapHttp(freshLog(), server.url, '--faults', onFirstCall({ type: 'httpStatus', status: 503 }));
  await server.close();
  open.length = 0;
  expect(await post(tap.url, 1)).toBe('503 text/plain: Injected by Faultline.\n');
  // The server is gone indeed.
  await until(async () => expect(await post(tap.url, 2)).toMatch(/^502 /));
});
