import { describe, expect, it } from 'vitest';
import { isLaunched } from '../../../../src/host/lint/launchedFile.ts';

describe('a word of a command line', () => {
  it.each([
    ['server.py', '/w/server.py', true],
    ['./src/server.py', '/w/src/server.py', true],
    [`${'{workspaceFolder}'}\\server.py`, '/w/server.py', true],
    ['/w/server.py', '/w/server.py', true],
    ['erver.py', '/w/server.py', false],
    ['', '/w/server.py', false],
    // VS Code writes the letter of a drive small in a URI; people write it as they like.
    ['C:\\w\\server.py', '/c:/w/server.py', true],
    ['c:/w/server.py', '/c:/w/server.py', true],
    ['src\\server.py', '/c:/w/src/server.py', true],
    ['D:\\w\\server.py', '/c:/w/server.py', false],
  ])('%s names %s: %s', (word, path, expected) => {
    expect(isLaunched(word, path)).toBe(expected);
  });
});
