import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/core/passthrough/faults/plan.ts';
import { onFirstCall, seen } from './faultScene.ts';
import { eventsOf, exchangesOf, freshLog, handshake, line, tapStdio, testServer, until } from './tapScene.ts';

const CALLS = [1, 2].map((id) => line({ id, method: 'tools/call', params: { name: 'work', arguments: {} } }));
const DONE = { content: [{ type: 'text', text: 'done' }] };
const answer = (id: number, result: object = DONE) => JSON.stringify({ jsonrpc: '2.0', id, result });

interface Case {
  readonly fault: Fault;
  /** What the client got for its first call, line by line. */
  readonly lines: readonly unknown[];
  /** What the first call is on the timeline, after the client has gone without a further word. */
  readonly call: string;
  /** The server lives on and answers the second call as ever. */
  readonly goesOn?: false;
}

const cases: Readonly<Record<string, Case>> = {
  latency: {
    fault: { type: 'latency', ms: 30 },
    lines: [answer(1)],
    call: 'success | latency (30 ms)',
  },
  slowStream: {
    fault: { type: 'slowStream', bytesPerSecond: 1000 },
    lines: [answer(1)],
    call: 'success | slowStream (1000 B/s)',
  },
  dropAnswer: { fault: { type: 'dropAnswer' }, lines: [], call: 'cancelled | dropAnswer' },
  cut: {
    fault: { type: 'cut', atByte: 20 },
    lines: [answer(1).slice(0, 20)],
    call: 'transport_error ambiguous_delivery | cut (20 B)',
    goesOn: false,
  },
  kill: { fault: { type: 'kill' }, lines: [], call: 'transport_error ambiguous_delivery | kill', goesOn: false },
  error: {
    fault: { type: 'error', code: -32603, message: 'boom' },
    lines: [JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'boom' } })],
    call: 'protocol_error | error (-32603)',
  },
  truncated: {
    fault: { type: 'malformed', how: 'truncated' },
    lines: [answer(1).slice(0, Math.floor(answer(1).length / 2))],
    call: 'cancelled | malformed (truncated)',
  },
  garbled: {
    fault: { type: 'malformed', how: 'garbled' },
    lines: [answer(1).replace('"', '\u0001')],
    call: 'cancelled | malformed (garbled)',
  },
  duplicateAnswer: {
    fault: { type: 'duplicateAnswer' },
    lines: [answer(1), answer(1)],
    call: 'success duplicate | duplicateAnswer',
  },
  wrongId: {
    fault: { type: 'wrongId' },
    lines: [answer(1_000_001)],
    call: 'cancelled | wrongId (1000001)',
  },
  noise: { fault: { type: 'noise', text: 'log\nline' }, lines: ['log line', answer(1)], call: 'success | noise' },
  toolError: {
    fault: { type: 'toolError', text: 'out of stock' },
    lines: [answer(1, { content: [{ type: 'text', text: 'out of stock' }], isError: true })],
    call: 'tool_error | toolError (isError: true)',
  },
  partial: {
    fault: { type: 'partial' },
    lines: [answer(1, { content: [{ type: 'text', text: 'Partial result: do' }] })],
    call: 'partial | partial (of the text)',
  },
};

describe('faults of a tap over stdio', () => {
  it.each(Object.entries(cases))('%s', async (_, { fault, lines, call, goesOn = true }) => {
    const log = freshLog();
    const tap = tapStdio(log, testServer('wellBehaved'), '--faults', onFirstCall(fault));
    tap.child.stdin.write(handshake());
    await until(() => expect(tap.out().toString()).toContain('"id":0'));
    tap.child.stdin.write(CALLS.join(''));
    const got = () => tap.out().toString().split('\n').filter(Boolean);
    if (goesOn) {
      await until(() => expect(got()).toHaveLength(2 + lines.length));
      tap.child.stdin.end();
    }
    const ended = await tap.ended;
    expect(ended).toEqual(goesOn ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' });
    const [initialized, ...rest] = got();
    expect(initialized).toContain('"id":0');
    // What is delayed lets the second answer pass.
    expect(rest.toSorted()).toEqual([...lines, ...(goesOn ? [answer(2)] : [])].toSorted());
    const calls = (await exchangesOf(log)).filter(({ method }) => method === 'tools/call');
    expect(calls.map(seen)[0]).toBe(call);
    if (goesOn) {
      expect(seen(calls[1])).toBe('success | ');
    }
  });

  it('is said on stderr, and what the server really answered is kept', async () => {
    const log = freshLog();
    const file = onFirstCall({ type: 'error', code: -32001 });
    const tap = tapStdio(log, testServer('wellBehaved'), '--faults', file, '--seed', '5');
    tap.child.stdin.end(handshake() + CALLS[0]);
    await tap.ended;
    expect(tap.err()).toContain('injecting faults on purpose');
    const notes = eventsOf(log).flatMap(({ body }) => (body.kind === 'note' ? [body.note] : []));
    expect(notes).toEqual([
      {
        type: 'injected',
        fault: 'error',
        rule: 'test',
        requestId: 1,
        detail: '-32001',
        original: { raw: answer(1), bytes: answer(1).length },
      },
    ]);
  });

  it('ends no tap before what it holds back has been given', async () => {
    const log = freshLog();
    const tap = tapStdio(log, testServer('answersThenExits'), '--faults', onFirstCall({ type: 'latency', ms: 300 }));
    tap.child.stdin.write(handshake() + CALLS[0]);
    await tap.ended;
    expect(tap.out().toString()).toContain('"id":1');
  });

  it.each([
    ['a file that is not there', ['--faults', '/nowhere/x.json'], /cannot be read.*flaky-network/],
    ['a file that is wrong', ['--faults', onFirstCall({ type: 'nonsense' } as never)], /:1:\d+: .*must be one of/],
    ['no rules', ['--faults', onFirstCall()], /at least 1/],
    ['a seed that is none', ['--faults', 'slow-tool', '--seed', 'x'], /--seed takes a whole number/],
    ['a seed for nothing', ['--seed', '1'], /--seed goes with --faults/],
  ])('are never silently none: %s', async (_, options, problem) => {
    const tap = tapStdio(freshLog(), testServer('wellBehaved'), ...options);
    tap.child.stdin.end(handshake());
    expect(await tap.ended).toEqual({ code: 2, signal: null });
    expect(tap.err()).toMatch(problem);
    expect(tap.out().toString()).toBe('');
  });
});
