import { describe, expect, it } from 'vitest';
import { IgnoreRules } from '../../../../src/lint/files/ignoreRules.ts';

const files: Readonly<Record<string, string>> = {
  '.gitignore': '*.gen.py\n/secret/\nlogs\n!keep.gen.py\nnested/\n',
  '.git/info/exclude': 'local.py\n',
  'a/.gitignore': '!special.gen.py\nprivate.py\n!nested/\n',
  'secret/.gitignore': '!*\n',
};

const read: string[] = [];
const rules = new IgnoreRules((path) => {
  read.push(path);
  return Promise.resolve(files[path]);
});

describe('IgnoreRules', () => {
  it.each<[string, boolean]>([
    ['a.py', false],
    ['x.gen.py', true],
    ['keep.gen.py', false],
    ['local.py', true],
    ['deep/er/local.py', true],
    ['deep/x.gen.py', true],
    ['a/special.gen.py', false],
    ['a/b/special.gen.py', false],
    ['a/private.py', true],
    ['a/b/private.py', true],
    ['private.py', false],
    ['secret/', true],
    ['secret/x.py', true],
    ['a/secret/x.py', false],
    ['logs', true],
    ['a/logs/deep/x.py', true],
    ['nested/x.py', true],
    ['a/nested/x.py', false],
  ])('says of %s: %s', async (path, isIgnored) => {
    expect(await rules.ignores(path)).toBe(isIgnored);
  });

  it('reads no rules inside a folder that is ignored, and none twice', async () => {
    await rules.ignores('secret/y.py');
    expect(read).not.toContain('secret/.gitignore');
    expect(new Set(read).size).toBe(read.length);
  });

  it('ignores nothing without rules', async () => {
    expect(await new IgnoreRules(() => Promise.resolve(undefined)).ignores('node_modules/a.py')).toBe(false);
  });
});
