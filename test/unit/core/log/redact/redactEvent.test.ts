import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../../src/core/log/eventLog.ts';
import type { EventBody, LogEvent, TransportFailure } from '../../../../../src/protocol/events.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { inFolder, withBody } from '../support.ts';
import { alnum, JWT, PEM_BODY } from './secrets.ts';

const KEY = `sk-${alnum(48)}`;
const failure: TransportFailure = { reason: 'exited', message: `bad key ${KEY}`, stderrTail: ['ok', `token=${KEY}`] };
const encoder = new TextEncoder();

/** What the log keeps of the bodies, placeholders as `%`. */
function kept(bodies: readonly EventBody[], options: { raw?: boolean } = {}): EventBody[] {
  const log = openEventLog({
    path: undefined,
    clock: new FakeClock(),
    ...(options.raw === true ? { redaction: 'raw' as const } : {}),
  });
  const told: LogEvent[] = [];
  log.onDidAppend((events) => told.push(...events));
  for (const body of bodies) {
    log.append(withBody(body));
  }
  const read = log.read({ limit: 99 });
  expect(told).toEqual(read);
  log.dispose();
  const plain = JSON.stringify(read.map(({ body }) => body)).replace(/\[redacted:[\w-]+:[0-9a-f]{6}\]/g, '%');
  return JSON.parse(plain);
}

const message = (raw: string, id: string | number = 1, progressToken = 'p'): EventBody => ({
  kind: 'message',
  direction: 'sent',
  raw,
  bytes: raw.length,
  envelope: { kind: 'request', id, method: 'tools/call', progressToken },
});

const cases: ReadonlyArray<readonly [string, EventBody, object]> = [
  [
    'a message, with their number',
    message(`{"id":1,"params":{"apiKey":"${KEY}","text":"${JWT}"}}`),
    { raw: '{"id":1,"params":{"apiKey":"%","text":"%"}}', redactions: 2 },
  ],
  [
    'a message, but not its ids',
    message(`{"id":"${JWT}","params":{"_meta":{"progressToken":"${KEY}"}}}`, JWT, KEY),
    { raw: `{"id":"${JWT}","params":{"_meta":{"progressToken":"${KEY}"}}}` },
  ],
  [
    'noise',
    { kind: 'noise', stream: 'stdout', raw: `key: ${KEY}`, bytes: 9, problem: 'not-json' },
    { raw: 'key: %', bytes: 9 },
  ],
  ['stderr', { kind: 'stderr', line: `export TOKEN=${KEY}`, level: 'info' }, { line: 'export TOKEN=%' }],
  [
    'HTTP',
    {
      kind: 'http',
      id: 'h',
      method: 'POST',
      url: `https://x/y?api_key=abc&a=1`,
      requestHeaders: { authorization: `Bearer ${JWT}`, 'x-api-key': 'abc', accept: '*/*', host: 'x:80' },
      responseHeaders: { 'set-cookie': 'sid=abc', 'mcp-session-id': '1868a90c-7a4e-4f6b-9c1d-2f8e0d7b6a54' },
      durationUs: 1,
      body: `{"error":"${KEY}"}`,
      failure,
    },
    {
      url: 'https://x/y?api_key=%&a=1',
      requestHeaders: { authorization: 'Bearer %', 'x-api-key': '%', accept: '*/*', host: 'x:80' },
      responseHeaders: { 'set-cookie': '%', 'mcp-session-id': '1868a90c-7a4e-4f6b-9c1d-2f8e0d7b6a54' },
      body: '{"error":"%"}',
      failure: { reason: 'exited', message: 'bad key %', stderrTail: ['ok', 'token=%'] },
    },
  ],
  [
    'the arguments of a process',
    {
      kind: 'lifecycle',
      detail: {
        step: 'spawn',
        command: 'npx',
        args: ['-y', 'server', '--api-key', 'abc', `--url=postgres://u:pw@h/db`, '--verbose', 'token', '-p', '80'],
      },
    },
    {
      detail: {
        step: 'spawn',
        command: 'npx',
        args: ['-y', 'server', '--api-key', '%', '--url=postgres://u:%@h/db', '--verbose', 'token', '-p', '80'],
      },
    },
  ],
  [
    'a URL that is connected to',
    { kind: 'lifecycle', detail: { step: 'connecting', url: `https://x/?token=${KEY}` } },
    { detail: { step: 'connecting', url: 'https://x/?token=%' } },
  ],
  [
    'a failure to start',
    { kind: 'lifecycle', detail: { step: 'failed', failure, durationUs: 1 } },
    { detail: { failure: { message: 'bad key %' } } },
  ],
  [
    'a local end',
    { kind: 'local-end', id: 1, end: { kind: 'transport', failure } },
    { end: { failure: { message: 'bad key %' } } },
  ],
  ['a mark', { kind: 'note', note: { type: 'mark', text: `see ${KEY}` } }, { note: { text: 'see %' } }],
];

describe('secrets are gone', () => {
  it.each(cases)('from %s', (_, body, expected) => {
    expect(kept([body])[0]).toMatchObject(expected);
    expect(JSON.stringify(kept([body], { raw: true }))).toBe(JSON.stringify([body]));
  });

  it('from the bytes beside a text', () => {
    const raw = `token=${KEY} \ufffd`;
    const rawBytes = Uint8Array.from([...encoder.encode(`token=${KEY} `), 0xff]);
    const cut: EventBody = {
      kind: 'noise',
      stream: 'stdout',
      raw: 'ab',
      rawBytes,
      bytes: 9,
      problem: 'frame-too-large',
    };
    const noise: EventBody = { kind: 'noise', stream: 'stdout', raw, rawBytes, bytes: 9, problem: 'not-json' };
    const call = { ...message(raw), rawBytes } as EventBody;
    expect(kept([noise, cut, call]).map((body) => 'rawBytes' in body)).toEqual([false, false, false]);
  });

  it('from a private key that comes line by line, in each stream by itself', () => {
    const line = (text: string): EventBody => ({ kind: 'stderr', line: text, level: 'unknown' });
    const other: EventBody = { kind: 'noise', stream: 'stdout', raw: 'between', bytes: 7, problem: 'not-json' };
    const [begin, end] = ['-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----'];
    const bodies = kept([line(`x ${begin}`), ...PEM_BODY.map(line), other, line(''), line(end), line('after')]);
    expect(bodies.map((body) => ('line' in body ? body.line : 'raw' in body ? body.raw : ''))).toEqual([
      `x ${begin}`,
      ...PEM_BODY.map(() => '%'),
      'between',
      '',
      end,
      'after',
    ]);
    expect(
      kept([line(begin), line('this is no key!'), line('nor this')]).map((body) => 'line' in body && body.line),
    ).toEqual([begin, 'this is no key!', 'nor this']);
  });
});

describe('a log in a file', () => {
  it('has no secret anywhere in it, and gives equal secrets equal placeholders over its sessions', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      const placeholders = [1, 2].map(() => {
        const log = openEventLog({ path: file, clock: new FakeClock() });
        log.append(withBody({ kind: 'stderr', line: KEY, level: 'unknown' }));
        const [event] = log.read({ limit: 9 }).slice(-1);
        expect(readFileSync(`${file}-wal`).includes(KEY)).toBe(false);
        log.dispose();
        expect(readFileSync(file).includes(KEY)).toBe(false);
        return event?.body.kind === 'stderr' ? event.body.line : '';
      });
      expect(placeholders[0]).toMatch(/^\[redacted:openai:[0-9a-f]{6}\]$/);
      expect(placeholders[1]).toBe(placeholders[0]);
    }));

  it('takes new settings from the next event on, and tells what it refused', () => {
    const log = openEventLog({ path: undefined, clock: new FakeClock() });
    const line = { kind: 'stderr', line: `EMP-1 ${KEY}`, level: 'unknown' } as const;
    log.append(withBody(line));
    log.configure({ redaction: { patterns: ['EMP-\\d', '('] } });
    log.append(withBody(line));
    log.configure({ redaction: 'raw' });
    log.append(withBody(line));
    expect(log.read({ limit: 9 }).map(({ body }) => (body.kind === 'stderr' ? body.line : ''))).toEqual([
      expect.stringMatching(/^EMP-1 \[redacted:openai:\w+\]$/),
      expect.stringMatching(/^\[redacted:custom:\w+\] \[redacted:openai:\w+\]$/),
      line.line,
    ]);
    expect(log.refusedPatterns).toEqual([]);
    log.configure({ redaction: { patterns: ['('] } });
    expect(log.refusedPatterns.map(({ source, reason }) => [source, reason])).toEqual([['(', 'syntax']]);
    log.dispose();
  });
});
