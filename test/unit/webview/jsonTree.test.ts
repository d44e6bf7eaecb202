import { describe, expect, it } from 'vitest';
import { moveOf } from '../../../webview/jsonTreeKeys.ts';
import { JsonTreeModel, type TreeLine } from '../../../webview/jsonTreeModel.ts';

/** A tree in a few characters a line: depth, twisty, name, value. */
function picture(model: JsonTreeModel): readonly string[] {
  return model.lines().map((line) => {
    const pad = '  '.repeat(line.depth);
    if (!('value' in line)) {
      return `${pad}… ${line.more}${line.canShow ? '+' : ''}`;
    }
    const twisty = line.isExpandable ? (line.isExpanded ? 'v ' : '> ') : '';
    const value = line.isExpandable
      ? `(${line.size}${line.isDecoded ? ' in a text' : ''})`
      : JSON.stringify(line.value);
    return `${pad}${twisty}${line.name ?? ''} ${value}${line.isMarked ? ' !' : ''}`;
  });
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the tree of a message', () => {
  it('opens a small message whole, texts that are JSON too', () => {
    const value = { result: { content: [{ type: 'text', text: '{"a":[1]}' }], n: null } };
    expect(picture(new JsonTreeModel(value, [], []))).toEqual([
      'v  (1)',
      '  v result (2)',
      '    v content (1)',
      '      v 0 (2)',
      '        type "text"',
      '        v text (1 in a text)',
      '          v a (1)',
      '            0 1',
      '    n null',
    ]);
  });

  it('gives the pointer of the message for what is in a text, and an id of its own', () => {
    const lines = new JsonTreeModel({ text: '{"a":1}' }, [], []).lines();
    expect(lines.map((line) => ('value' in line ? [line.id, line.pointer] : []))).toEqual([
      ['', ''],
      ['/text', '/text'],
      ['/text»/a', '/text'],
    ]);
  });

  it('opens the outline of a large one, and what leads to the places that decided', () => {
    const value = { big: { list: many(90), deep: { wanted: [{ x: 1 }] } }, other: many(3) };
    expect(picture(new JsonTreeModel(value, [], []))).toEqual([
      'v  (2)',
      '  v big (2)',
      '    > list (90)',
      '    v deep (1)',
      '      v wanted (1)',
      '        v 0 (1)',
      '          x 1',
      '  v other (3)',
      '    0 0',
      '    1 1',
      '    2 2',
    ]);
    const marked = picture(new JsonTreeModel({ list: many(90), a: { b: many(90) } }, ['/a/b/89'], []));
    expect(marked).toContain('      89 89 !');
    expect(marked[1]).toBe('  > list (90)');
  });

  it('shows long lists a part at a time, as far as a place that is asked for', () => {
    const model = new JsonTreeModel(many(350), [], []);
    expect(picture(model).at(-1)).toBe('  … 250+');
    model.showMore('');
    expect(picture(model).at(-1)).toBe('  … 150+');
    expect(model.reveal('/349')).toBe('/349');
    expect(picture(model).at(-1)).toBe('  349 349');
  });

  it('says what is not here of what was cut', () => {
    const cuts = [
      { pointer: '/list', kind: 'items', total: 40 },
      { pointer: '/text', kind: 'text', total: 900 },
    ] as const;
    const model = new JsonTreeModel({ list: [1], text: 'abc' }, [], cuts);
    expect(picture(model)).toEqual(['v  (2)', '  v list (1)', '    0 1', '    … 39', '  text "abc"']);
    expect(model.lines().flatMap((line) => ('value' in line ? [line.cutFrom] : []))).toEqual([
      undefined,
      40,
      undefined,
      900,
    ]);
  });

  it('goes as far as a pointer leads', () => {
    const model = new JsonTreeModel({ a: { 'b/c': { '~': 1 } } }, [], []);
    expect([model.reveal('/a/b~1c/~0'), model.reveal('/a/x/y'), model.reveal('')]).toEqual(['/a/b~1c/~0', '/a', '']);
  });

  it('takes names of the language for what they are', () => {
    const value: unknown = JSON.parse('{"__proto__":1,"constructor":{"x":2}}');
    expect(picture(new JsonTreeModel(value, ['/__proto__'], []))).toEqual([
      'v  (2)',
      '  __proto__ 1 !',
      '  v constructor (1)',
      '    x 2',
    ]);
  });
});

describe('keys in a tree', () => {
  const model = new JsonTreeModel({ a: { b: 1 }, c: many(2), d: 4 }, [], []);
  model.setExpanded('/c', false);
  const lines: readonly TreeLine[] = model.lines();
  // 0 root, 1 a, 2 a/b, 3 c (closed), 4 d
  it.each([
    [0, 'ArrowDown', { kind: 'to', index: 1 }],
    [0, 'ArrowUp', { kind: 'to', index: 0 }],
    [4, 'ArrowDown', { kind: 'to', index: 4 }],
    [1, 'ArrowRight', { kind: 'to', index: 2 }],
    [3, 'ArrowRight', { kind: 'expand', id: '/c' }],
    [4, 'ArrowRight', undefined],
    [1, 'ArrowLeft', { kind: 'collapse', id: '/a' }],
    [2, 'ArrowLeft', { kind: 'to', index: 1 }],
    [4, 'ArrowLeft', { kind: 'to', index: 0 }],
    [3, 'Home', { kind: 'to', index: 0 }],
    [0, 'End', { kind: 'to', index: 4 }],
    [0, 'PageDown', { kind: 'to', index: 3 }],
    [4, 'PageUp', { kind: 'to', index: 1 }],
    [3, 'Enter', { kind: 'activate', index: 3 }],
    [3, 'r', undefined],
  ] as const)('from line %i, %s', (active, key, expected) => {
    expect(moveOf(lines, active, key, 3)).toEqual(expected);
  });
});
