import { afterEach, describe, expect, it } from 'vitest';
import type { ServerRequestHandlers } from '../../../src/core/client/serverRequests.ts';
import type { JsonObject } from '../../../src/protocol/jsonrpc.ts';
import { createReal, define, idOf, npmServer, type Real } from './support.ts';

let real: Real | undefined;
afterEach(() => real?.pool.dispose());

async function connect(handlers: ServerRequestHandlers | undefined): Promise<Real> {
  const more = handlers === undefined ? {} : { serverRequests: () => handlers };
  const roots = () => [{ uri: 'file:///w', name: 'w' }];
  real = createReal([define('a', npmServer('everything'))], {}, { ...more, roots });
  await real.pool.connect(idOf('a'));
  return real;
}

const call = ({ pool }: Real, name: string, args: JsonObject = {}) =>
  pool.call({ server: idOf('a'), method: 'tools/call', params: { name, arguments: args }, origin: 'client' });

/** Methods of the server's own requests and how each was answered, as recorded. */
const asked = ({ bodies }: Real) => {
  const messages = bodies('message').map(({ direction, envelope }) => ({ direction, envelope }));
  const requests = messages.flatMap(({ direction, envelope }) =>
    direction === 'received' && envelope.kind === 'request' ? [envelope] : [],
  );
  return requests.map(({ id, method }) => {
    const answer = messages.find(
      ({ direction, envelope }) =>
        direction === 'sent' && (envelope.kind === 'result' || envelope.kind === 'error') && envelope.id === id,
    );
    return `${method} ${answer?.envelope.kind}`;
  });
};

describe('what a server asks for', () => {
  it('is answered by the handlers, and recorded as exchanges', async () => {
    const seen: JsonObject[] = [];
    const world = await connect({
      sampling: async (params) => {
        seen.push(params);
        const content = { type: 'text', text: 'forty-two' };
        return { kind: 'result', result: { role: 'assistant', content, model: 'user' } };
      },
      elicitation: async (params) => {
        seen.push(params);
        return { kind: 'result', result: { action: 'accept', content: { name: 'Ada', check: true } } };
      },
    });
    const sampled = await call(world, 'trigger-sampling-request', { prompt: 'hi', maxTokens: 5 });
    const form = await call(world, 'trigger-elicitation-request');
    const visit = await call(world, 'trigger-url-elicitation', { url: 'https://a.test/' });
    expect([sampled, form, visit].map(({ kind }) => kind)).toEqual(['success', 'success', 'success']);
    expect(JSON.stringify(sampled.detail.end)).toContain('forty-two');
    expect(JSON.stringify(form.detail.end)).toContain('Name: Ada');
    expect(seen).toMatchObject([
      { messages: [{ role: 'user' }], maxTokens: 5 },
      { requestedSchema: { type: 'object' } },
      { mode: 'url', url: 'https://a.test/' },
    ]);
    expect(asked(world).filter((each) => !each.startsWith('roots/'))).toEqual([
      'sampling/createMessage result',
      'elicitation/create result',
      'elicitation/create result',
    ]);
  });

  it('may be declined', async () => {
    const world = await connect({
      sampling: async () => ({ kind: 'error', code: -1, message: 'User rejected sampling request' }),
      elicitation: async () => ({ kind: 'result', result: { action: 'decline' } }),
    });
    const sampled = await call(world, 'trigger-sampling-request', { prompt: 'hi', maxTokens: 5 });
    const form = await call(world, 'trigger-elicitation-request');
    expect(JSON.stringify(sampled.detail.end)).toContain('User rejected sampling request');
    expect(JSON.stringify(form.detail.end)).toContain('declined');
    expect(asked(world)).toEqual(expect.arrayContaining(['sampling/createMessage error', 'elicitation/create result']));
  });

  it('is not declared where nobody answers, but folders are', async () => {
    const world = await connect(undefined);
    const roots = await call(world, 'get-roots-list');
    expect(JSON.stringify(roots.detail.end)).toContain('file:///w');
    const initialize = world.bodies('message').find(({ raw }) => raw.includes('"method":"initialize"'));
    const { params } = JSON.parse(initialize?.raw ?? '{}');
    expect(params.capabilities).toMatchObject({ roots: {} });
    expect(Object.keys(params.capabilities)).not.toEqual(expect.arrayContaining(['sampling']));
    expect(Object.keys(params.capabilities)).not.toEqual(expect.arrayContaining(['elicitation']));
  });
});
