import { getNodeValue, printParseErrorCode } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { nodeNear, pointerOf, readTree } from '../../../../src/core/jsonc/readTree.ts';

describe('a text with comments', () => {
  it.each([
    ['{ "a": [1,], } // end', { a: [1] }, []],
    ['\uFEFF[true]', [true], []],
    ['{ "a" }', {}, ['ColonExpected']],
    ['[1, x]', [1], ['InvalidSymbol']],
    ['', undefined, ['ValueExpected']],
    ['['.repeat(100_000), undefined, ['ValueExpected']],
  ])('is read, %#', (text, value, problems) => {
    const { tree, errors } = readTree(text);
    expect({
      value: tree === undefined ? undefined : (getNodeValue(tree) as unknown),
      problems: errors.map(({ error }) => printParseErrorCode(error)),
    }).toEqual({ value, problems });
  });

  it('keeps its offsets behind the mark of some editors', () => {
    expect(readTree('\uFEFF[true]').tree?.children?.[0]).toMatchObject({ offset: 2, length: 4 });
  });
});

describe('a place in it', () => {
  const text = '{ "a": [{ "b/c": 1 }] }';
  it.each([
    [['a', 0, 'b/c'], '/a/0/b~1c', '1'],
    [['a', 0, 'gone', 'x'], '/a/0/gone/x', '{ "b/c": 1 }'],
    [['a', 7], '/a/7', '[{ "b/c": 1 }]'],
    [[Symbol('s')], '/Symbol(s)', text],
    [[], '', text],
  ])('is the nearest that is there, %#', (path, pointer, found) => {
    const { tree } = readTree(text);
    const node = tree === undefined ? undefined : nodeNear(tree, path);
    expect([pointerOf(path), text.slice(node?.offset, (node?.offset ?? 0) + (node?.length ?? 0))]).toEqual([
      pointer,
      found,
    ]);
  });
});
