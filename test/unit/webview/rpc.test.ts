import { describe, expect, it } from 'vitest';
import type { PageToHost } from '../../../src/protocol/webview.ts';
import { createRpc } from '../../../webview/rpc.ts';

function setUp() {
  const posted: PageToHost[] = [];
  return { posted, rpc: createRpc((message) => posted.push(message)) };
}

describe('createRpc', () => {
  it('pairs replies with requests in any order', async () => {
    const { posted, rpc } = setUp();
    const first = rpc.request('indexOf', { key: 1 });
    const second = rpc.request('indexOf', { key: 2 });
    expect(posted).toEqual([
      { type: 'request', id: 1, method: 'indexOf', params: { key: 1 } },
      { type: 'request', id: 2, method: 'indexOf', params: { key: 2 } },
    ]);
    rpc.accept({ type: 'reply', id: 2, result: { index: 20 } });
    rpc.accept({ type: 'reply', id: 1, result: { index: 10 } });
    expect(await Promise.all([first, second])).toEqual([{ index: 10 }, { index: 20 }]);
  });

  it('resolves a reply whose result is undefined', async () => {
    const { rpc } = setUp();
    const asked = rpc.request('nextFailure', { from: undefined, direction: 1 });
    rpc.accept({ type: 'reply', id: 1, result: undefined });
    expect(await asked).toBeUndefined();
  });

  it('rejects with the code and sentence of an error reply', async () => {
    const { rpc } = setUp();
    const asked = rpc.request('replay', { key: 1 });
    rpc.accept({ type: 'reply', id: 1, error: { code: 'not_replayable', message: 'Only requests can be replayed.' } });
    await expect(asked).rejects.toMatchObject({ code: 'not_replayable', message: 'Only requests can be replayed.' });
  });

  it('ignores a reply that nothing waits for', async () => {
    const { rpc } = setUp();
    const asked = rpc.request('indexOf', { key: 1 });
    rpc.accept({ type: 'reply', id: 7, result: { index: 0 } });
    rpc.accept({ type: 'reply', id: 1, result: { index: 3 } });
    rpc.accept({ type: 'reply', id: 1, result: { index: 4 } });
    expect(await asked).toEqual({ index: 3 });
  });

  it('rejects what is pending and what comes after dispose, and posts no more', async () => {
    const { posted, rpc } = setUp();
    const pending = [rpc.request('indexOf', { key: 1 }), rpc.request('details', { key: 1 })];
    rpc.dispose();
    const later = rpc.request('indexOf', { key: 2 });
    for (const each of [...pending, later]) {
      await expect(each).rejects.toMatchObject({ code: 'disposed' });
    }
    expect(posted).toHaveLength(2);
    rpc.accept({ type: 'reply', id: 1, result: { index: 0 } });
  });
});
