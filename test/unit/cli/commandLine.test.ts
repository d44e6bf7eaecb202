import { describe, expect, it } from 'vitest';
import { splitCommandLine } from '../../../src/cli/commandLine.ts';

describe('splitCommandLine', () => {
  it.each<[line: string, words: readonly string[] | undefined]>([
    ['', []],
    ['  node   server.js ', ['node', 'server.js']],
    ['node "my server.js" \'--name=a b\'', ['node', 'my server.js', '--name=a b']],
    ['a"b c"d', ['ab cd']],
    ['a "" \'\'', ['a', '', '']],
    ['a\\ b c\\"d', ['a b', 'c"d']],
    ['"a\\"b" \'a\\b\'', ['a"b', 'a\\b']],
    ['a\\', ['a\\']],
    ['$HOME *.js', ['$HOME', '*.js']],
    ['a "b', undefined],
    ["a 'b", undefined],
  ])('splits %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });
});
