import { describe, expect, it, vi } from 'vitest';
import type { EventBody, HttpBody, LogEvent } from '../../../../src/protocol/events.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { attempt, call, ok, received, recorded, sent } from '../../core/classify/support.ts';
import { vscodeStub } from '../../support/vscodeStub.ts';

vi.mock('vscode', () => ({
  ...vscodeStub(),
  workspace: {
    workspaceFolders: [
      { name: 'w', uri: { scheme: 'file', fsPath: '/w' } },
      { name: 'lib', uri: { scheme: 'file', fsPath: '/elsewhere/lib' } },
    ],
  },
}));

const { Recording } = await import('../../../../src/host/recording.ts');
const { createFileLog } = await import('../../../../src/host/sessions/fileLog.ts');
const { httpViews, stderrViews } = await import('../../../../src/host/timeline/traffic.ts');
const { compareView } = await import('../../../../src/host/timeline/compareBase.ts');
const { diffView } = await import('../../../../src/host/timeline/lateCompare.ts');
const { copySource } = await import('../../../../src/host/copy/copySource.ts');

/** A variable of a definition. */
const v = (name: string) => `\${${name}}`;

async function recordingOf(events: readonly LogEvent[]) {
  const recording = new Recording(createFileLog('/a/file.faultline.jsonl', events));
  await recording.load();
  return recording;
}

type Loaded = Awaited<ReturnType<typeof recordingOf>>;

function exchangeOf(recording: Loaded, key: number) {
  const exchange = recording.exchange(recording.timeline.row(key)?.endKey ?? key);
  if (exchange === undefined) {
    throw new Error(`no exchange ${key}`);
  }
  return exchange;
}

const http: HttpBody = {
  kind: 'http',
  id: 'h1',
  method: 'POST',
  url: 'https://x/mcp',
  status: 404,
  requestHeaders: { accept: 'application/json', authorization: 'Bearer [redacted]' },
  responseHeaders: { 'content-type': 'text/html' },
  durationUs: 8000,
  body: '<h1>no</h1>',
};

const stderr = (line: string, level: 'info' | 'error' = 'info'): EventBody => ({ kind: 'stderr', line, level });

describe('what went over the wire beside the messages', () => {
  it('shows the HTTP exchange of a call, and none over stdio', async () => {
    const recording = await recordingOf(
      recorded([sent(call(1, 'a'), { http: 'h1' }), http, sent(call(2, 'b')), received(ok(2))]),
    );
    expect(httpViews(recording.log, exchangeOf(recording, 1))).toEqual([
      {
        seq: 2,
        method: 'POST',
        url: 'https://x/mcp',
        status: 404,
        statusText: 'Not Found',
        durationUs: 8000,
        requestHeaders: [
          ['accept', 'application/json'],
          ['authorization', 'Bearer [redacted]'],
        ],
        responseHeaders: [['content-type', 'text/html']],
        body: '<h1>no</h1>',
      },
    ]);
    expect(httpViews(recording.log, exchangeOf(recording, 3))).toEqual([]);
  });

  it('shows stderr by its distance from the start, of this connection and of about this time', async () => {
    const [early, ...later] = recorded([
      stderr('an hour ago'),
      stderr('just before'),
      sent(call(1, 'a')),
      stderr('meanwhile', 'error'),
      received(ok(1)),
      stderr('just after'),
    ]);
    const other = recorded([stderr('of another')], { connection: 'c2', from: 7 });
    const first = early === undefined ? [] : [{ ...early, wallUs: -3_600_000_000 }];
    const recording = await recordingOf([...first, ...later, ...other]);
    const shown = stderrViews(recording.log, exchangeOf(recording, 3));
    expect(shown.map(({ offsetUs, level, text }) => [offsetUs, level, text])).toEqual([
      [-1000, 'info', 'just before'],
      [1000, 'error', 'meanwhile'],
      [3000, 'info', 'just after'],
    ]);
  });
});

const failed = (id: number, text: string): JsonValue => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }], isError: true },
});

describe('a comparison of two rows', () => {
  const events = recorded([
    sent(call(1, 'get', 'chain-0.1')),
    received(failed(1, 'No such book')),
    attempt('send', 1, { replayOf: 1 }),
    sent(call(2, 'get', 'chain-1.1')),
    received(ok(2, 'Dune')),
    sent(call(3, 'other')),
    received(ok(3, 'Dune')),
    sent(call(4, 'never')),
  ]);

  it('is with the row that was chosen, else with the one that it replays or that replays it', async () => {
    const recording = await recordingOf(events);
    const baseOf = (key: number) => compareView(recording, key, exchangeOf(recording, key))?.base;
    expect([baseOf(1), baseOf(4), baseOf(6)]).toEqual([4, 1, undefined]);
    recording.compareBase = 6;
    expect([baseOf(1), baseOf(4), baseOf(6)]).toEqual([6, 6, undefined]);
  });

  it('puts the earlier one first, whichever was chosen, and says what became of the call', async () => {
    const recording = await recordingOf(events);
    const expected = {
      sentence: 'tool error → success',
      changes: [
        { kind: 'changed', pointer: '/result/content/0/text', before: '"No such book"', after: '"Dune"' },
        { kind: 'removed', pointer: '/result/isError', before: 'true' },
      ],
      note: '',
      volatileCount: 1,
    };
    expect(diffView(recording, 4, 1, true)).toMatchObject(expected);
    expect(diffView(recording, 1, 4, true)).toMatchObject(expected);
    expect(diffView(recording, 1, 4, false)?.changes).toHaveLength(3);
  });

  it('says it in words when there is nothing to list', async () => {
    const recording = await recordingOf(events);
    expect(diffView(recording, 6, 4, true)).toMatchObject({
      sentence: 'success, as before',
      changes: [],
      note: 'The answers differ only in what changes by itself.',
    });
    expect(diffView(recording, 8, 1, true)).toMatchObject({ changes: [{ kind: 'removed', pointer: '' }] });
    expect(diffView(recording, 8, 999, true)).toBeUndefined();
  });
});

describe('what a copy is made from', () => {
  it('has the messages, the HTTP request and the definition without its secrets', async () => {
    const recording = await recordingOf(recorded([sent(call(1, 'a'), { http: 'h1' }), received(ok(1)), http]));
    const definition = {
      id: 'demo:shop',
      name: 'shop',
      source: { kind: 'vscode-mcp-json' },
      transport: {
        type: 'stdio',
        command: 'node',
        args: [`${v('workspaceFolder')}/s.js`, v('workspaceFolder:lib'), v('workspaceFolder:none'), 'top-secret'],
        env: { KEY: 'v' },
      },
      isTrusted: false,
    } as never;
    const redact = (text: string) => text.replace('top-secret', '[redacted:key:abcdef]');
    expect(copySource(recording, exchangeOf(recording, 1), definition, redact)).toMatchObject({
      server: {
        name: 'shop',
        isInMcpJson: true,
        transport: { args: ['/w/s.js', '/elsewhere/lib', v('workspaceFolder:none'), '[redacted:key:abcdef]'] },
      },
      method: 'tools/call',
      params: { name: 'a' },
      outcome: 'success',
      http: { url: 'https://x/mcp' },
      result: { content: [{ type: 'text', text: 'done' }] },
    });
  });

  it('names a server that is no longer defined, and has no way to it', async () => {
    const recording = await recordingOf(recorded([sent(call(1, 'a')), received(ok(1))]));
    const source = copySource(recording, exchangeOf(recording, 1), undefined);
    expect([source.server, source.http]).toEqual([{ name: 'shop', isInMcpJson: false }, undefined]);
  });
});
