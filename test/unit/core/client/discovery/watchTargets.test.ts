import { describe, expect, it } from 'vitest';
import { isSource, watchTargets } from '../../../../../src/core/client/discovery/watchTargets.ts';

const stdio = (line: string, cwd?: string) => {
  const [command = '', ...args] = line.split(' ');
  return { type: 'stdio', command, args, env: {}, ...(cwd === undefined ? {} : { cwd }) } as const;
};

describe('what is watched', () => {
  it.each([
    ['node server.mjs', undefined, ['/w']],
    ['node ./dist/index.js --flag', undefined, ['/w']],
    ['node dist/index.js', '/srv', ['/srv']],
    ['node /opt/shop/dist/index.js', undefined, ['/opt/shop']],
    ['npx tsx packages/shop/src/index.ts', undefined, ['/w/packages/shop']],
    ['python tools/server.py', undefined, ['/w/tools']],
    ['uv run --directory servers/shop shop-mcp', undefined, ['/w/servers/shop']],
    ['uv --directory /srv/shop run server.py', undefined, ['/srv/shop']],
    ['npx -y shop-mcp', undefined, []],
    ['docker run -i shop', undefined, []],
  ])('of %s in %s', (line, cwd, folders) => {
    expect(watchTargets(stdio(line, cwd), '/w').map(({ folder }) => folder)).toEqual(folders);
  });

  it('is what the user says, and nothing where no folder is open', () => {
    expect(watchTargets(stdio('npx x'), '/w', ['src/**', '*.json'])).toEqual([
      { folder: '/w', glob: 'src/**' },
      { folder: '/w', glob: '*.json' },
    ]);
    expect(watchTargets(stdio('node server.mjs'), undefined)).toEqual([]);
    expect(watchTargets(stdio('node server.mjs'), undefined, ['**'])).toEqual([]);
  });

  it.each([
    ['/w/src/a.ts', true],
    ['/w/node_modules/x/a.js', false],
    ['C:\\w\\__pycache__\\a.py', false],
    ['/w/.venv/lib/a.py', false],
  ])('counts %s as source: %s', (file, expected) => {
    expect(isSource(file)).toBe(expected);
  });
});
