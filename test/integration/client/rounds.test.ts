import { afterEach, describe, expect, it } from 'vitest';
import { answerRounds } from '../../../src/core/client/answerRounds.ts';
import type { ServerRequestHandlers } from '../../../src/core/client/serverRequests.ts';
import { createReal, define, idOf, type Real, testServer } from './support.ts';

let real: Real | undefined;
afterEach(() => real?.pool.dispose());

async function call(server: string, args: readonly string[], handlers: ServerRequestHandlers) {
  real = createReal([define('a', testServer(server, ...args))]);
  const { signal } = new AbortController();
  const params = { name: 'work', arguments: {} };
  const begun = await real.pool.call({ server: idOf('a'), method: 'tools/call', params, origin: 'client' });
  return answerRounds(real.pool, begun, { handlers, roots: () => [], options: { signal } });
}

const accept = { action: 'accept', content: { name: 'Ann' } };

describe('a call that wants something first', () => {
  it('is answered round by round', async () => {
    const asked: unknown[] = [];
    const outcome = await call('modernRounds', ['3'], {
      elicitation: async (params) => {
        asked.push(params['message']);
        return { kind: 'result', result: accept };
      },
    });
    expect(outcome).toMatchObject({ kind: 'success', attempts: [{ number: 4 }] });
    expect(JSON.stringify(outcome.detail.end)).toContain('Ann');
    expect(asked).toEqual(['Who?', 'Who?', 'Who?']);
  });

  it('is given up when a server never has enough', async () => {
    const outcome = await call('modernRounds', ['1000'], {
      elicitation: async () => ({ kind: 'result', result: accept }),
    });
    expect(outcome).toMatchObject({ kind: 'input_required', attempts: [{ number: 21 }] });
  });

  it.each<readonly [string, ServerRequestHandlers]>([
    ['nobody', {}],
    ['an error', { elicitation: async () => ({ kind: 'error', code: -1, message: 'no' }) }],
  ])('stays as it is where %s answers', async (_name, handlers) => {
    expect(await call('modernRounds', [], handlers)).toMatchObject({
      kind: 'input_required',
      attempts: [{ number: 1 }],
    });
  });

  it('is followed when it becomes a task', async () => {
    expect((await call('modernTask', [], {})).kind).toBe('success');
  });
});
