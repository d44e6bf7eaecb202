import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceFiles } from '../../../src/cli/sourceFiles.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'faultline-walk-'));
  const files = [
    'b.py',
    'a/z.py',
    'a/deep/er/x.py',
    'a/notes.md',
    'node_modules/pkg/index.py',
    'a/node_modules/pkg/index.py',
    '.venv/lib/x.py',
    'venv/lib/x.py',
    '.git/hooks/x.py',
    'dist/x.py',
  ];
  for (const file of files) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), '');
  }
  symlinkSync(root, path.join(root, 'a/round-and-round'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

async function walk(...names: readonly string[]) {
  const missing: string[] = [];
  const relative = (name: string) => path.relative(root, name).split(path.sep).join('/');
  const paths = names.map((name) => path.join(root, name));
  const files = sourceFiles(
    paths,
    (file) => file.endsWith('.py'),
    (name) => missing.push(relative(name)),
  );
  const found: string[] = [];
  for await (const file of files) {
    found.push(relative(file));
  }
  return { files: found, missing };
}

describe('sourceFiles', () => {
  it('walks in order, past dependencies, hidden folders and links', async () => {
    expect(await walk('.')).toEqual({ files: ['a/deep/er/x.py', 'a/z.py', 'b.py'], missing: [] });
  });

  it('gives a named file whatever it is, also inside a folder that is left out', async () => {
    expect(await walk('a/notes.md', 'dist/x.py')).toEqual({ files: ['a/notes.md', 'dist/x.py'], missing: [] });
  });

  it('leaves out what git ignores, from the root of the repository on', async () => {
    writeFileSync(path.join(root, '.gitignore'), 'z.py\n/deep/\n');
    writeFileSync(path.join(root, 'a/.gitignore'), 'er/\n');
    expect((await walk('.')).files).toEqual(['b.py']);
    expect((await walk('a')).files).toEqual([]);
  });

  it('walks a folder that git ignores when it is named itself', async () => {
    writeFileSync(path.join(root, '.gitignore'), 'a/\n');
    expect((await walk('a')).files).toEqual(['a/deep/er/x.py', 'a/z.py']);
    expect((await walk('a/deep', 'a/z.py')).files).toEqual(['a/deep/er/x.py', 'a/z.py']);
  });

  it('names what is missing and goes on', async () => {
    expect(await walk('gone', 'b.py')).toEqual({ files: ['b.py'], missing: ['gone'] });
  });
});
