import { describe, expect, it } from 'vitest';
import { Correlator } from '../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../src/core/classify/judge.ts';
import type { EventBody, HttpBody, LocalEndBody } from '../../../../src/protocol/events.ts';
import { attempt, call, finalStates, lineOf, ok, received, recorded, sent } from './support.ts';

const timeout: LocalEndBody = {
  kind: 'local-end',
  id: 1,
  end: { kind: 'timeout', limit: 'idle', afterMs: 30_000, progressSeen: false },
};
const cancelled: LocalEndBody = { kind: 'local-end', id: 1, end: { kind: 'cancelled', by: 'user' } };
const cancelNote = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
const progress = (progressToken: string | number) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: 1 },
});
const http = (more: Partial<HttpBody> = {}): HttpBody => ({
  kind: 'http',
  id: 'h1',
  method: 'POST',
  url: 'http://localhost/mcp',
  status: 200,
  requestHeaders: {},
  responseHeaders: {},
  durationUs: 1000,
  ...more,
});
const nullError = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Server not initialized' } };

const cases: readonly (readonly [name: string, bodies: readonly EventBody[], lines: readonly string[]])[] = [
  [
    'a request with its answer',
    [sent(call(1, 'pay')), received(ok(1))],
    ['#1 request tools/call "pay"  id=1  by client  success/never  end=#2 after 1 ms'],
  ],
  ['a request that waits', [sent(call(0, 'pay'))], ['#1 request tools/call "pay"  id=0  by client  pending']],
  [
    'a request of the server, answered by the client',
    [
      received({ jsonrpc: '2.0', id: 1, method: 'roots/list' }),
      sent(call(1, 'pay')),
      sent({ jsonrpc: '2.0', id: 1, result: { roots: [] } }),
    ],
    [
      '#1 request roots/list  id=1  by server  success/never  end=#3 after 2 ms',
      '#2 request tools/call "pay"  id=1  by client  pending',
    ],
  ],
  [
    'an id that comes back as text',
    [sent(call(0, 'pay')), received(ok('0'))],
    ['#1 request tools/call "pay"  id=0  by client  success/never  [id_type_mismatch]  end=#2 after 1 ms'],
  ],
  [
    'two answers',
    [sent(call(7, 'pay')), received(ok(7)), received(ok(7))],
    ['#1 request tools/call "pay"  id=7  by client  success/never  [duplicate]  end=#2 after 1 ms  related=#3'],
  ],
  [
    'an answer to nothing',
    [received(ok(99))],
    [
      `#1 noise unknown-id ${JSON.stringify(JSON.stringify(ok(99)))}  by server  invalid_response/never  because signal.invalid.unknownId  end=#1 after 0 ms`,
    ],
  ],
  [
    'a timeout that is told to the server, and a late answer',
    [sent(call(1, 'pay')), timeout, sent(cancelNote), received(ok(1))],
    [
      '#1 request tools/call "pay"  id=1  by client  timeout/only_if_idempotent  because signal.timeout.idle  [late]  end=#2 after 1 ms  related=#3,#4',
    ],
  ],
  [
    'a timeout whose notification was recorded first',
    [sent(call(1, 'pay')), sent(cancelNote), timeout],
    [
      '#1 request tools/call "pay"  id=1  by client  timeout/only_if_idempotent  because signal.timeout.idle  [ambiguous_delivery]  end=#3 after 2 ms  related=#2',
    ],
  ],
  [
    'a cancellation seen by the notification alone',
    [sent(call(1, 'pay')), sent(cancelNote), received(ok(1))],
    [
      '#1 request tools/call "pay"  id=1  by client  cancelled/never  because signal.cancelled.client  [late]  end=#2 after 1 ms  related=#3',
    ],
  ],
  [
    'a cancellation by the user',
    [sent(call(1, 'pay')), cancelled, sent(cancelNote)],
    [
      '#1 request tools/call "pay"  id=1  by client  cancelled/never  because signal.cancelled.user  end=#2 after 1 ms  related=#3',
    ],
  ],
  [
    'a local end after the answer',
    [sent(call(1, 'pay')), received(ok(1)), timeout],
    ['#1 request tools/call "pay"  id=1  by client  success/never  end=#2 after 1 ms  related=#3'],
  ],
  [
    'progress by token, and progress of nobody',
    [
      sent(call(1, 'pay', 't')),
      received(progress('t')),
      received(progress('u')),
      received(ok(1)),
      received(progress('t')),
    ],
    [
      '#1 request tools/call "pay"  id=1  by client  success/never  end=#4 after 3 ms  related=#2,#5',
      '#3 notification notifications/progress  by server  end=#3 after 0 ms',
    ],
  ],
  [
    'a log message stays a notification',
    [received({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 'disk full' } })],
    ['#1 notification notifications/message "error"  by server  end=#1 after 0 ms'],
  ],
  [
    'an id used again before its answer',
    [sent(call(1, 'a')), sent(call(1, 'b')), received(ok(1))],
    [
      '#1 request tools/call "a"  id=1  by client  cancelled/never  because signal.cancelled.superseded  [superseded]  end=#2 after 1 ms',
      '#2 request tools/call "b"  id=1  by client  success/never  end=#3 after 1 ms',
    ],
  ],
  [
    'an error without an id, with one request waiting',
    [sent(call(1, 'pay')), received({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })],
    [
      '#1 request tools/call "pay"  id=1  by client  pending',
      '#2 noise unassociated-error "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":null,\\"error\\":{\\"code\\":-32700,\\"message\\":\\"Parse error\\"}}"  by server  protocol_error/never  because signal.error.code,signal.error.malformed,signal.error.unassociated  end=#2 after 0 ms',
    ],
  ],
  [
    'an error without an id, while the handshake is alone',
    [sent({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }), received(nullError)],
    [
      '#1 request initialize  id=0  by client  protocol_error/safe  because signal.error.other,signal.error.notDispatched  end=#2 after 1 ms',
    ],
  ],
  [
    'an error without an id in the answer to its POST, whose status comes after',
    [
      sent(call(1, 'pay'), { http: 'h1' }),
      sent(call(2, 'pay'), { http: 'h2' }),
      received({ ...nullError, error: { code: -32000, message: 'no' } }, { http: 'h1' }),
      http({ status: 415, requestId: 1 }),
    ],
    [
      '#1 request tools/call "pay"  id=1  by client  protocol_error/safe  because signal.error.other,signal.error.httpRefused  end=#3 after 2 ms  related=#4',
      '#2 request tools/call "pay"  id=2  by client  pending',
    ],
  ],
  [
    'an HTTP exchange that carried nothing and failed',
    [http({ method: 'GET', status: 502, failure: { reason: 'http-status', message: 'Bad Gateway', status: 502 } })],
    [
      '#1 noise http "GET 502"  by client  transport_error/only_if_idempotent  because signal.transport.http-status  end=#1 after 0 ms  failure=http-status',
    ],
  ],
  [
    'a notification that the server refused',
    [
      sent({ jsonrpc: '2.0', method: 'notifications/initialized' }, { http: 'h1' }),
      http({ status: 400, failure: { reason: 'http-status', message: 'Bad Request', status: 400 } }),
    ],
    [
      '#1 notification notifications/initialized  by client  transport_error/after_fix  because signal.transport.http-status  end=#1 after 0 ms  related=#2  failure=http-status',
    ],
  ],
  [
    'an answer without jsonrpc',
    [sent(call(1, 'pay')), received({ id: 1, result: { content: [] } })],
    [
      '#1 request tools/call "pay"  id=1  by client  invalid_response/only_if_idempotent  because signal.invalid.envelope  end=#2 after 1 ms',
    ],
  ],
  [
    'JSON that is no message',
    [received({ hello: 1 })],
    [
      '#1 noise invalid-message "{\\"hello\\":1}"  by server  invalid_response/never  because signal.invalid.message  end=#1 after 0 ms',
    ],
  ],
  [
    'noise, a line over the cap, and a gap',
    [
      { kind: 'noise', stream: 'stdout', raw: 'Server listening on 3000', bytes: 24, problem: 'not-json' },
      { kind: 'noise', stream: 'stdout', raw: '{"jsonrpc"', bytes: 99_999_999, problem: 'frame-too-large' },
      { kind: 'note', note: { type: 'gap', events: 3, bytes: 120, reason: 'log.gap.queue-full' } },
    ],
    [
      '#1 noise not-json "Server listening on 3000"  by server  end=#1 after 0 ms',
      '#2 noise frame-too-large "{\\"jsonrpc\\""  by server  [truncated]  end=#2 after 0 ms',
      '#3 note gap "log.gap.queue-full"  by client  end=#3 after 0 ms',
    ],
  ],
  [
    'a batch of answers and a notification',
    [
      sent(call(1, 'a')),
      sent(call(2, 'b')),
      received([
        ok(2, 'Error: no disk'),
        { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
        ok(1),
      ]),
    ],
    [
      '#1 request tools/call "a"  id=1  by client  success/never  [batch]  end=#3 after 2 ms',
      '#2 request tools/call "b"  id=2  by client  silent_error/never  because signal.silent.exception,signal.silent.wording  [batch]  end=#3 after 1 ms',
      `#${3 + 2 ** -20} notification notifications/message "info"  by server  [batch]  end=#3 after 0 ms`,
    ],
  ],
  [
    'an empty batch',
    [received([])],
    ['#1 noise empty-batch "[]"  by server  invalid_response/never  because signal.invalid.message  end=#1 after 0 ms'],
  ],
  [
    'a tool that declares an output schema',
    [
      sent({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      received({
        jsonrpc: '2.0',
        id: 1,
        result: {
          tools: [{ name: 'add', inputSchema: {}, outputSchema: { type: 'object', required: ['sum'] } }],
          nextCursor: 'p2',
        },
      }),
      sent(call(2, 'add')),
      received(ok(2, '3')),
    ],
    [
      '#1 request tools/list  id=1  by client  success/never  because signal.more.cursor  [more_available]  end=#2 after 1 ms',
      '#3 request tools/call "add"  id=2  by client  invalid_response/only_if_idempotent  because signal.invalid.noStructured  end=#4 after 1 ms',
    ],
  ],
  [
    'attempts of one call',
    [
      attempt('send', 1),
      sent(call(1, 'pay', 'chain-1.1')),
      timeout,
      attempt('wait', 2, { delayMs: 500, reason: 'retry.timeout' }),
      attempt('send', 2, { delayMs: 500, reason: 'retry.timeout' }),
      sent(call(2, 'pay', 'chain-1.2')),
      received(ok(2)),
    ],
    [
      '#2 request tools/call "pay"  id=1  by client  timeout/only_if_idempotent  because signal.timeout.idle  [retried]  end=#3 after 1 ms  chain=chain-1 1/3 head=#2 delay=0 retry.send',
      '#6 request tools/call "pay"  id=2  by client  success/never  end=#7 after 1 ms  chain=chain-1 2/3 head=#2 delay=500 retry.timeout',
    ],
  ],
  [
    'a refusal to repeat what may have been done',
    [
      attempt('send', 1),
      sent(call(1, 'pay', 'chain-1.1')),
      timeout,
      attempt('refuse', 1, { reason: 'retry.notIdempotent' }),
    ],
    [
      '#2 request tools/call "pay"  id=1  by client  timeout/only_if_idempotent  because signal.timeout.idle  [ambiguous_delivery]  end=#3 after 1 ms  chain=chain-1 1/3 head=#2 delay=0 retry.notIdempotent',
    ],
  ],
];

describe('Correlator', () => {
  it.each(cases)('%s', (_, bodies, lines) => {
    expect(finalStates(recorded(bodies)).map(lineOf)).toEqual(lines);
  });

  it('joins a replay by its token, whatever origin the wire recorded it with', () => {
    const [announced] = recorded([attempt('send', 1, { replayOf: 40 })], { origin: 'replay' });
    const rest = recorded([sent(call(1, 'pay', 'chain-1.1')), received(ok(1))], { from: 2 });
    expect(finalStates(announced === undefined ? rest : [announced, ...rest]).map(lineOf)).toEqual([
      '#2 request tools/call "pay"  id=1  by client (replay)  success/never  [replay]  end=#3 after 1 ms  chain=chain-1 1/3 head=#2 delay=0 retry.send  replays #40',
    ]);
  });

  it('marks a replay that a person has edited', () => {
    const [announced] = recorded([attempt('send', 1, { isEdited: true })], { origin: 'replay' });
    const rest = recorded([sent(call(1, 'pay', 'chain-1.1')), received(ok(1))], { from: 2 });
    const [exchange] = finalStates(announced === undefined ? rest : [announced, ...rest]);
    expect(exchange?.marks).toEqual(['replay', 'edited']);
  });

  it('keeps the connections apart', () => {
    const events = [
      ...recorded([sent(call(1, 'a'))], { connection: 'c1' }),
      ...recorded([sent(call(1, 'b')), received(ok(1))], { connection: 'c2', from: 2 }),
    ];
    expect(finalStates(events).map(({ method, target, verdict }) => [method, target, verdict?.outcome])).toEqual([
      ['tools/call', 'a', undefined],
      ['tools/call', 'b', 'success'],
    ]);
  });

  it('gives the same snapshots for the same events', () => {
    const events = cases.flatMap(([, bodies], index) =>
      recorded(bodies, { connection: `c${index}`, from: index * 100 + 1 }),
    );
    const run = () => {
      const correlator = new Correlator(judge);
      return events.map((event) => correlator.push(event));
    };
    expect(run()).toEqual(run());
  });

  it('gives snapshots that later events do not change', () => {
    const correlator = new Correlator(judge);
    const [first] = recorded([sent(call(1, 'pay'))]);
    const before = first === undefined ? [] : correlator.push(first);
    const copy = structuredClone(before);
    for (const event of recorded([received(ok(1)), received(ok(1))], { from: 2 })) {
      correlator.push(event);
    }
    expect(before).toEqual(copy);
  });

  it('finds a late answer among the requests that ended last, and forgets older ones', () => {
    const bodies = Array.from({ length: 400 }, (_, id) => [sent(call(id, 'pay')), received(ok(id))]).flat();
    const late = [received(ok(399)), received(ok(0))];
    const last = finalStates(recorded([...bodies, ...late])).filter(
      ({ marks, kind }) => marks.length > 0 || kind === 'noise',
    );
    expect(last.map(({ requestId, method }) => requestId ?? method)).toEqual([399, 'unknown-id']);
  });
});
