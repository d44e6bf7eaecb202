import { describe, expect, it } from 'vitest';
import { createFilterSync } from '../../../webview/filterSync.ts';
import { createRpc } from '../../../webview/rpc.ts';
import { createStore, rowAt } from '../../../webview/store.ts';
import { pageOf, rowOf, snapshotOf } from './support.ts';

function setUp() {
  const asked: { readonly id: number; readonly text: string }[] = [];
  const rpc = createRpc((message) => {
    if (message.type === 'request' && message.method === 'setFilter') {
      asked.push({ id: message.id, text: message.params.text });
    }
  });
  const store = createStore(pageOf(), () => undefined);
  let endFrame = (): void => undefined;
  let settled = 0;
  const sync = createFilterSync(
    rpc,
    store,
    () => new Promise((resolve) => (endFrame = resolve)),
    () => (settled += 1),
  );
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    type: (text: string) => {
      store.dispatch({ type: 'filterTyped', text });
      sync();
    },
    answer: async (index: number, result: object) => {
      rpc.accept({ type: 'reply', id: asked[index]?.id ?? -1, result });
      await turn();
    },
    endFrame: async () => {
      endFrame();
      await turn();
    },
    texts: () => asked.map(({ text }) => text),
    settled: () => settled,
    store,
  };
}

describe('the filter on its way to the host', () => {
  it('is sent at once, and no more than once a frame', async () => {
    const { type, texts, endFrame } = setUp();
    type('a');
    type('ab');
    type('abc');
    expect(texts()).toEqual(['a']);
    await endFrame();
    expect(texts()).toEqual(['a', 'abc']);
    await endFrame();
    expect(texts()).toEqual(['a', 'abc']);
  });

  it('is answered with its rows, which need not be asked for then; an answer that is late is none', async () => {
    const { type, answer, endFrame, settled, store } = setUp();
    type('a');
    await endFrame();
    type('ab');
    const rows = [{ epoch: 3, from: 0, rows: [rowOf(7)] }];
    await answer(0, { snapshot: snapshotOf({ epoch: 2, total: 9 }), rows: [] });
    expect([settled(), store.state.isFilterPending]).toEqual([0, true]);
    await answer(1, { snapshot: snapshotOf({ epoch: 3, total: 1 }), rows });
    expect([settled(), store.state.isFilterPending, rowAt(store.state, 0)?.key]).toEqual([1, false, 7]);
  });
});
