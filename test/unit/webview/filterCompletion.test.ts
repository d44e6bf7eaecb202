import { setImmediate } from 'node:timers/promises';
import { nothing } from 'lit-html';
import { describe, expect, it } from 'vitest';
import type { CompletionView } from '../../../src/protocol/filter.ts';
import { createCompletion, type FilterCompletion } from '../../../webview/filterCompletion.ts';
import { lazyCompletion } from '../../../webview/lazyCompletion.ts';
import type { Rpc } from '../../../webview/rpc.ts';

/** What the completion needs of a field. */
class Field {
  value: string;
  selectionStart: number;

  constructor(value: string) {
    this.value = value;
    this.selectionStart = value.length;
  }

  setSelectionRange(start: number): void {
    this.selectionStart = start;
  }
}

interface Press {
  readonly key: string;
  readonly shiftKey?: boolean;
  readonly ctrlKey?: boolean;
}

const item = (insert: string, from: number, to: number, more: Partial<CompletionView> = {}): CompletionView => ({
  ...{ kind: 'value', label: insert.trim(), detail: '', insert, from, to },
  ...more,
});

function fixture(items: readonly CompletionView[]) {
  const asked: unknown[] = [];
  const done: unknown[] = [];
  const answers: ((items: readonly CompletionView[]) => void)[] = [];
  const rpc = {
    request: (_: string, params: unknown) => {
      asked.push(params);
      return new Promise((resolve) => answers.push((found) => resolve({ items: found })));
    },
  } as unknown as Pick<Rpc, 'request'>;
  const intents = {
    typeFilter: (text: string) => done.push(text),
    replaceFilter: (text: string, hidden: readonly string[]) => done.push([text, hidden]),
  };
  const completion = createCompletion(rpc, intents, () => undefined);
  const answer = async (found = items) => {
    answers.shift()?.(found);
    await setImmediate();
  };
  /** True when the key was taken. */
  const press = (field: Field, { key, shiftKey = false, ctrlKey = false }: Press) => {
    let isTaken = false;
    const event = {
      ...{ key, shiftKey, ctrlKey, altKey: false, metaKey: false },
      preventDefault: () => {
        isTaken = true;
      },
      stopPropagation: () => undefined,
    };
    completion.press(event as unknown as KeyboardEvent, field as unknown as HTMLInputElement);
    return isTaken;
  };
  return { completion, asked, done, answer, press };
}

const asInput = (field: Field) => field as unknown as HTMLInputElement;

describe('suggestions', () => {
  const two = [item('server:', 0, 3, { kind: 'key' }), item('session:', 0, 3, { kind: 'key' })];

  it('open while a term is written, not between terms, and close where nothing is left to say', async () => {
    const { completion, asked, answer } = fixture(two);
    completion.typed(asInput(new Field('ser')));
    await answer();
    expect([asked, completion.isOpen]).toEqual([[{ text: 'ser', cursor: 3 }], true]);
    completion.typed(asInput(new Field('server:github ')));
    expect([asked.length, completion.isOpen]).toEqual([1, false]);
    completion.typed(asInput(new Field('server:github')));
    await answer([item('github ', 7, 13)]);
    expect(completion.isOpen).toBe(false);
  });

  it('of a text that was changed meanwhile are thrown away', async () => {
    const { completion, answer } = fixture(two);
    completion.typed(asInput(new Field('s')));
    completion.typed(asInput(new Field('sx')));
    await answer();
    expect(completion.isOpen).toBe(false);
    await answer([]);
    expect(completion.isOpen).toBe(false);
  });

  it('open on an empty field that is focused, and not on one with text', () => {
    const { completion, asked } = fixture(two);
    completion.focused(asInput(new Field('a')));
    completion.focused(asInput(new Field('')));
    expect(asked).toEqual([{ text: '', cursor: 0 }]);
  });

  it('are walked by arrows round the ends, and taken by Enter', async () => {
    const { completion, done, asked, answer, press } = fixture(two);
    const field = new Field('ser');
    expect(press(field, { key: 'Enter' })).toBe(false);
    expect(press(field, { key: 'ArrowDown' })).toBe(true);
    await answer();
    expect(completion.activeId).toBeUndefined();
    for (const [key, id] of [
      ['ArrowDown', 'filter-option-0'],
      ['ArrowDown', 'filter-option-1'],
      ['ArrowDown', 'filter-option-0'],
      ['ArrowUp', 'filter-option-1'],
    ] as const) {
      press(field, { key });
      expect(completion.activeId).toBe(id);
    }
    expect(press(field, { key: 'Enter' })).toBe(true);
    expect([field.value, field.selectionStart, done]).toEqual(['session:', 8, ['session:']]);
    // A key is followed by its values.
    expect(asked.at(-1)).toEqual({ text: 'session:', cursor: 8 });
  });

  it('leave Enter alone until one is reached, and Escape when they are closed', async () => {
    const { completion, answer, press } = fixture(two);
    const field = new Field('ser');
    completion.typed(asInput(field));
    await answer();
    expect(press(field, { key: 'Enter' })).toBe(false);
    expect(press(field, { key: 'Escape' })).toBe(true);
    expect(completion.isOpen).toBe(false);
    expect(press(field, { key: 'Escape' })).toBe(false);
  });

  it('give the first to Tab for what is half written, and let Tab go on where nothing is', async () => {
    const { completion, answer, press } = fixture(two);
    const half = new Field('ser');
    completion.typed(asInput(half));
    await answer();
    expect(press(half, { key: 'Tab', shiftKey: true })).toBe(false);
    expect(press(half, { key: 'Tab' })).toBe(true);
    expect(half.value).toBe('server:');
    await answer([item('github ', 7, 7)]);
    expect(completion.isOpen).toBe(true);
    expect(press(half, { key: 'Tab' })).toBe(false);
  });

  it('give Tab the first for what is written by then, when the answer is still that for less', async () => {
    const { completion, done, answer, press } = fixture([]);
    const field = new Field('tool:fl');
    completion.typed(asInput(field));
    await answer([item('flaky_lookup ', 5, 7), item('flush ', 5, 7)]);
    press(field, { key: 'ArrowDown' });
    field.value = 'tool:flu';
    field.selectionStart = 8;
    completion.typed(asInput(field));
    expect([completion.activeId, press(field, { key: 'Enter' })]).toEqual([undefined, false]);
    expect([press(field, { key: 'Tab' }), field.value]).toEqual([true, 'tool:flu']);
    await answer([item('flush ', 5, 8)]);
    expect([field.value, field.selectionStart, done, completion.isOpen]).toEqual([
      'tool:flush ',
      11,
      ['tool:flush '],
      false,
    ]);
  });

  it.each([
    [
      'more is typed',
      (completion: FilterCompletion, field: Field) => completion.typed(asInput(field)),
      [item('b ', 0, 2)],
    ],
    ['nothing is left to say', () => undefined, []],
  ])('forget that Tab was pressed when %s', async (_, then, found) => {
    const { completion, answer, press } = fixture([]);
    const field = new Field('a');
    completion.typed(asInput(field));
    await answer([item('alpha ', 0, 1), item('abc ', 0, 1)]);
    field.value = 'ab';
    field.selectionStart = 2;
    completion.typed(asInput(field));
    press(field, { key: 'Tab' });
    then(completion, field);
    await answer(found);
    await answer([item('abc ', 0, 2), item('abd ', 0, 2)]);
    expect(field.value).toBe('ab');
  });

  it('take the place of the term at the cursor alone', async () => {
    const { done, completion, answer, press } = fixture([item('shop', 7, 8), item('my files', 7, 8)]);
    const field = new Field('server:s or b');
    field.selectionStart = 8;
    completion.typed(asInput(field));
    await answer();
    press(field, { key: 'ArrowDown' });
    press(field, { key: 'Enter' });
    expect([field.value, field.selectionStart, done]).toEqual(['server:shop or b', 11, ['server:shop or b']]);
    expect(completion.isOpen).toBe(false);
  });

  it('that are saved filters bring their toggles', async () => {
    const saved = item('is:failure', 0, 0, { kind: 'saved', hiddenOutcomes: ['cancelled'] });
    const { done, completion, answer, press } = fixture([saved, item('server:', 0, 0)]);
    const field = new Field('');
    completion.focused(asInput(field));
    await answer();
    press(field, { key: 'ArrowDown' });
    press(field, { key: 'Enter' });
    expect(done).toEqual([['is:failure', ['cancelled']]]);
  });

  it('are asked for by Ctrl and Space', () => {
    const { asked, press } = fixture([]);
    expect(press(new Field('a b'), { key: ' ' })).toBe(false);
    expect(press(new Field('a b'), { key: ' ', ctrlKey: true })).toBe(true);
    expect(press(new Field('a b'), { key: 'a', ctrlKey: true })).toBe(false);
    expect(asked).toEqual([{ text: 'a b', cursor: 3 }]);
  });
});

describe('suggestions that are loaded late', () => {
  const field = asInput(new Field('a'));

  function late() {
    const done: string[] = [];
    let loads = 0;
    let resolve = (): void => undefined;
    let reject = (): void => undefined;
    const loaded: FilterCompletion = {
      isOpen: true,
      activeId: 'x',
      view: () => nothing,
      press: () => done.push('press'),
      typed: () => done.push('typed'),
      focused: () => done.push('focused'),
      close: () => undefined,
    };
    const load = () => {
      loads += 1;
      return new Promise<FilterCompletion>((resolved, rejected) => {
        resolve = () => resolved(loaded);
        reject = () => rejected(new Error('gone'));
      });
    };
    const completion = lazyCompletion(load, (error) => done.push(String(error)));
    return { completion, done, loads: () => loads, resolve: () => resolve(), reject: () => reject() };
  }

  it('load once, with the first focus, and then do what was done last', async () => {
    const { completion, done, loads, resolve } = late();
    expect([completion.isOpen, completion.activeId, loads()]).toEqual([false, undefined, 0]);
    completion.press({} as KeyboardEvent, field);
    completion.focused(field);
    completion.typed(field);
    resolve();
    await setImmediate();
    completion.press({} as KeyboardEvent, field);
    expect([done, loads(), completion.isOpen, completion.activeId]).toEqual([['typed', 'press'], 1, true, 'x']);
  });

  it('stay closed when the field was left meanwhile', async () => {
    const { completion, done, resolve } = late();
    completion.focused(field);
    completion.close();
    resolve();
    await setImmediate();
    expect(done).toEqual([]);
  });

  it('say when they cannot be loaded', async () => {
    const { completion, done, reject } = late();
    completion.focused(field);
    reject();
    await setImmediate();
    expect(done).toEqual(['Error: gone']);
  });
});
