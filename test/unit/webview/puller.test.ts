import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lazyPart } from '../../../webview/lazyPart.ts';
import { createPuller, type Puller } from '../../../webview/puller.ts';
import { createStore, type Store } from '../../../webview/store.ts';
import { pageOf, snapshotOf } from './support.ts';

const EVERY_MS = 400;

describe('a puller', () => {
  let store: Store;
  let puller: Puller;
  let renders: number;
  let asked: { resolve: () => void; reject: (error: Error) => void }[];

  /** What the page does after each render. */
  const render = (name = 'a', held?: number) => puller.ensure(name, held);
  const toEpoch = (epoch: number) => store.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch }) });
  const settle = async () => {
    asked.at(-1)?.resolve();
    await vi.advanceTimersByTimeAsync(0);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    renders = 0;
    asked = [];
    store = createStore(pageOf(), () => undefined);
    puller = createPuller(
      store,
      () => EVERY_MS,
      () => {
        renders += 1;
      },
      () => new Promise((resolve, reject) => asked.push({ resolve, reject })),
    );
  });
  afterEach(() => {
    puller.dispose();
    vi.useRealTimers();
  });

  it('asks at once, and not again for what it has', async () => {
    render();
    render();
    expect(asked).toHaveLength(1);
    await settle();
    render('a', 1);
    expect(asked).toHaveLength(1);
  });

  it('asks for new rows only after a while, and renders to do so', async () => {
    render();
    await settle();
    const before = renders;
    toEpoch(2);
    render('a', 1);
    expect({ asked: asked.length, renders }).toEqual({ asked: 1, renders: before });
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(renders).toBe(before + 1);
    render('a', 1);
    expect(asked).toHaveLength(2);
  });

  it('asks at once under another name, though never two at a time', async () => {
    render('a');
    render('b');
    expect(asked).toHaveLength(1);
    await settle();
    render('b', 1);
    expect(asked).toHaveLength(2);
  });

  it('waits for a filter that is on its way', () => {
    store.dispatch({ type: 'filterTyped', text: 'x' });
    render();
    expect(asked).toHaveLength(0);
    store.dispatch({ type: 'filterSettled', snapshot: snapshotOf({ epoch: 2 }) });
    render();
    expect(asked).toHaveLength(1);
  });

  it('tells a refusal, and asks again only when something has changed', async () => {
    render();
    asked[0]?.reject(new Error('no'));
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(store.state.actionError).toBe('no');
    render();
    expect(asked).toHaveLength(1);
    toEpoch(2);
    render();
    expect(asked).toHaveLength(2);
  });
});

describe('a lazy part', () => {
  const flush = () => new Promise<void>((resolve) => queueMicrotask(resolve));

  it('is loaded once, when it is first asked for', async () => {
    const events: string[] = [];
    const part = lazyPart(
      () => {
        events.push('load');
        return Promise.resolve('part');
      },
      () => events.push('loaded'),
      () => events.push('failed'),
    );
    expect([events.length, part.get(), part.get()]).toEqual([0, undefined, undefined]);
    await flush();
    expect([part.get(), events]).toEqual(['part', ['load', 'loaded']]);
  });

  it('tells once that it could not be loaded', async () => {
    const errors: unknown[] = [];
    const part = lazyPart<string>(
      () => Promise.reject(new Error('gone')),
      () => errors.push('loaded'),
      (error) => errors.push(error),
    );
    part.get();
    await flush();
    expect([part.get(), errors]).toEqual([undefined, [new Error('gone')]]);
  });

  it('is ended, also when it comes after the page has gone', async () => {
    const ended: string[] = [];
    const early = lazyPart(
      () => Promise.resolve('early'),
      () => undefined,
      () => undefined,
    );
    const late = lazyPart(
      () => Promise.resolve('late'),
      () => ended.push('shown'),
      () => undefined,
    );
    early.get();
    await flush();
    late.get();
    for (const part of [early, late]) {
      part.dispose((each) => ended.push(each));
    }
    await flush();
    expect(ended).toEqual(['early', 'late']);
  });
});
