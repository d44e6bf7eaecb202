import { describe, expect, it } from 'vitest';
import type { HostToPage, PageToHost } from '../../../src/protocol/webview.ts';
import { createRowLoader } from '../../../webview/rowLoader.ts';
import { createRpc } from '../../../webview/rpc.ts';
import { createStore, rowAt } from '../../../webview/store.ts';
import { pageOf, rowOf, snapshotOf } from './support.ts';

function setUp() {
  const asked: number[] = [];
  const ids: number[] = [];
  let renders = 0;
  const rpc = createRpc((message: PageToHost) => {
    if (message.type === 'request' && message.method === 'rows') {
      asked.push(message.params.from);
      ids.push(message.id);
    }
  });
  const store = createStore(pageOf(), () => undefined);
  const loader = createRowLoader(rpc, store, () => {
    renders += 1;
  });
  /** Answers the oldest request and lets its continuations run. */
  async function answer(reply: { epoch: number; from: number } | { error: string }): Promise<void> {
    const id = ids.shift() ?? 0;
    const message: Extract<HostToPage, { type: 'reply' }> =
      'error' in reply
        ? { type: 'reply', id, error: { code: 'x', message: reply.error } }
        : { type: 'reply', id, result: { ...reply, rows: [rowOf(reply.from + 1)] } };
    rpc.accept(message);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { asked, store, loader, answer, renders: () => renders };
}

describe('the row loader', () => {
  it('asks for the pages of a range, each once', async () => {
    const { asked, loader, answer } = setUp();
    loader.ensure(90, 210);
    loader.ensure(90, 210);
    expect(asked).toEqual([0, 100, 200]);
    await answer({ epoch: 1, from: 0 });
    loader.ensure(90, 210);
    expect(asked).toEqual([0, 100, 200]);
  });

  it('throws an older epoch away and has it asked for again', async () => {
    const { asked, store, loader, answer, renders } = setUp();
    loader.ensure(0, 10);
    store.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2 }) });
    await answer({ epoch: 1, from: 0 });
    expect([rowAt(store.state, 0), renders()]).toEqual([undefined, 1]);
    loader.ensure(0, 10);
    await answer({ epoch: 2, from: 0 });
    expect(asked).toEqual([0, 0]);
    expect(rowAt(store.state, 0)?.key).toBe(1);
  });

  it('takes rows of a newer epoch, and does not ask for them again when their snapshot comes', async () => {
    const { asked, store, loader, answer } = setUp();
    loader.ensure(0, 10);
    await answer({ epoch: 2, from: 0 });
    expect(rowAt(store.state, 0)?.key).toBe(1);
    store.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2 }) });
    loader.ensure(0, 10);
    expect(asked.length).toBe(1);
  });

  it('does not ask again for what the host could not give, before something has changed', async () => {
    const { asked, store, loader, answer } = setUp();
    loader.ensure(0, 10);
    await answer({ error: 'The log is closed.' });
    expect(store.state.actionError).toBe('The log is closed.');
    loader.ensure(0, 10);
    expect(asked).toEqual([0]);
    store.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2 }) });
    loader.ensure(0, 10);
    expect(asked).toEqual([0, 0]);
  });

  it('asks again for a single row that came too late, and not for one that the host refuses', async () => {
    const { asked, store, loader, answer } = setUp();
    const row = loader.rowAt(0);
    store.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2 }) });
    await answer({ epoch: 1, from: 0 });
    await answer({ epoch: 2, from: 0 });
    expect((await row)?.key).toBe(1);
    const refused = loader.rowAt(100);
    await answer({ error: 'The log is closed.' });
    expect(await refused).toBeUndefined();
    expect(asked).toEqual([0, 0, 100]);
  });

  it('gives a single row, from its page or by asking', async () => {
    const { asked, loader, answer } = setUp();
    const row = loader.rowAt(100);
    await answer({ epoch: 1, from: 100 });
    expect((await row)?.key).toBe(101);
    expect((await loader.rowAt(100))?.key).toBe(101);
    expect(asked).toEqual([100]);
  });
});
