import { describe, expect, it } from 'vitest';
import {
  type DemoCallOptions,
  type DemoDriver,
  demoDefinitions,
  demoHttpDefinition,
  listeningUrl,
  runDemoScript,
  textOf,
} from '../../../src/demo/script.ts';
import { type DemoStep, demoSteps } from '../../../src/demo/steps.ts';
import type { CallOutcome, RawEnd } from '../../../src/protocol/call.ts';
import type { ChainId } from '../../../src/protocol/events.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/jsonrpc.ts';
import { OUTCOME_KINDS, type OutcomeKind } from '../../../src/protocol/outcome.ts';
import { FakeClock } from '../support/fakeClock.ts';

function outcome(kind: OutcomeKind, end: RawEnd): CallOutcome {
  return {
    kind,
    detail: { signals: [], retry: 'never', end },
    chain: 'chain' as ChainId,
    attempts: [],
    stopped: 'done',
  };
}

const answered = (result: JsonValue, kind: OutcomeKind = 'success') =>
  outcome(kind, { kind: 'result', result, raw: '' });
const cancelled = outcome('cancelled', { kind: 'cancelled', by: 'user' });
const content = (...texts: string[]) => ({ content: texts.map((text) => ({ type: 'text', text })) });

function step(id: string, more: Partial<DemoStep> = {}): DemoStep {
  return { id, server: 'bookshop', tool: id, args: {}, expect: 'success', shows: '', ...more };
}

/** Answers by tool name and keeps what it was asked. */
function fakeDriver(answer: (tool: string, options: DemoCallOptions) => Promise<CallOutcome> | CallOutcome) {
  const calls: { readonly server: string; readonly tool: string; readonly args: JsonObject }[] = [];
  const driver: DemoDriver = {
    call: async (server, tool, args, options) => {
      calls.push({ server, tool, args });
      return answer(tool, options);
    },
  };
  return { driver, calls };
}

describe('the steps of the demo', () => {
  it('show every outcome but pending, which each call shows while it lasts', () => {
    const shown = new Set(demoSteps.map((demoStep) => demoStep.expect));
    expect(OUTCOME_KINDS.filter((kind) => !shown.has(kind))).toEqual(['pending']);
  });

  it('have ids of their own, and take text only from earlier steps', () => {
    const ids = demoSteps.map((demoStep) => demoStep.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, { argsFromText }] of demoSteps.entries()) {
      expect(ids.slice(0, index)).toEqual(expect.arrayContaining(Object.values(argsFromText ?? {})));
    }
  });

  it('repeat a failing call unchanged and then with better arguments', () => {
    const [first, again, corrected] = ['order-none', 'order-none-again', 'order-two'].map((id) =>
      demoSteps.find((demoStep) => demoStep.id === id),
    );
    expect(again?.args).toEqual(first?.args);
    expect([first?.tool, again?.tool]).toEqual([corrected?.tool, corrected?.tool]);
    expect([first?.expect, again?.expect, corrected?.expect]).toEqual(['tool_error', 'tool_error', 'success']);
  });
});

describe('runDemoScript', () => {
  it('makes the calls in order and tells whether each ended as foreseen', async () => {
    const { driver, calls } = fakeDriver((tool) => answered(content(tool)));
    const seen: string[] = [];
    const results = await runDemoScript(
      driver,
      { clock: new FakeClock(), onStep: (result) => seen.push(result.step.id) },
      [step('a', { args: { x: 1 } }), step('b', { server: 'bookshop-http', expect: 'timeout' })],
    );
    expect(calls).toEqual([
      { server: 'bookshop', tool: 'a', args: { x: 1 } },
      { server: 'bookshop-http', tool: 'b', args: {} },
    ]);
    expect(results.map((result) => result.isAsExpected)).toEqual([true, false]);
    expect(seen).toEqual(['a', 'b']);
  });

  it('gives the text of an earlier answer to a later call', async () => {
    const { driver, calls } = fakeDriver(() => answered(content('Error:', 'none')));
    await runDemoScript(driver, { clock: new FakeClock() }, [
      step('a'),
      step('b', { args: { title: 'Dun' }, argsFromText: { author: 'a' } }),
    ]);
    expect(calls[1]?.args).toEqual({ title: 'Dun', author: 'Error:\nnone' });
  });

  it('passes the time limit on and cancels when the agent loses patience', async () => {
    const clock = new FakeClock();
    const limits: (number | undefined)[] = [];
    const { driver } = fakeDriver(async (_tool, { timeoutMs, signal }) => {
      limits.push(timeoutMs);
      return (await clock.sleep(60_000, signal)) === 'cancelled' ? cancelled : answered({});
    });
    const run = runDemoScript(driver, { clock }, [
      step('a', { timeoutMs: 7, cancelAfterMs: 500, expect: 'cancelled' }),
    ]);
    await clock.advance(500);
    expect((await run).map((result) => result.isAsExpected)).toEqual([true]);
    expect(limits).toEqual([7]);
    expect(clock.pendingMs()).toEqual([]);
  });

  it('makes no further call once it is stopped', async () => {
    const stop = new AbortController();
    const { driver, calls } = fakeDriver((_tool, { signal }) => {
      stop.abort();
      expect(signal.aborted).toBe(true);
      return cancelled;
    });
    const results = await runDemoScript(driver, { clock: new FakeClock(), signal: stop.signal }, [
      step('a'),
      step('b'),
    ]);
    expect(results).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });
});

describe('textOf', () => {
  it.each<[string, CallOutcome, string]>([
    ['text blocks, one a line', answered(content('a', 'b')), 'a\nb'],
    ['nothing of other blocks', answered({ content: [{ type: 'image', data: '' }, null, 'x'] }), ''],
    ['nothing of a result without content', answered({ task: {} }), ''],
    ['nothing of a result that is no object', answered([1]), ''],
    ['nothing of a call without a result', cancelled, ''],
  ])('gives %s', (_name, call, expected) => {
    expect(textOf(call)).toBe(expected);
  });
});

describe('the definitions of the demo servers', () => {
  it('run the server by the given executable as Node.js, and trust its annotations', () => {
    expect(demoDefinitions({ serverPath: '/x/demo-server.js', execPath: '/usr/bin/node' })).toEqual([
      {
        id: 'demo:bookshop',
        name: 'bookshop',
        source: { kind: 'demo' },
        transport: {
          type: 'stdio',
          command: '/usr/bin/node',
          args: ['/x/demo-server.js'],
          env: { ELECTRON_RUN_AS_NODE: '1' },
        },
        isTrusted: true,
      },
    ]);
    expect(demoHttpDefinition('http://127.0.0.1:1/mcp').transport).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:1/mcp',
      headers: {},
    });
  });

  it.each([
    ['listening on http://127.0.0.1:41234/mcp', 'http://127.0.0.1:41234/mcp'],
    ['listening on http://127.0.0.1:41234/mcp\r', 'http://127.0.0.1:41234/mcp'],
    ['listening on http://example.com/mcp', undefined],
    ['bookshop is open', undefined],
  ])('reads the URL of %j', (line, expected) => {
    expect(listeningUrl(line)).toBe(expected);
  });
});
