import { describe, expect, it } from 'vitest';
import { cliManifest, filesOf } from '../../tools/package/cliPackage.mjs';
import { noticesText, packagesIn } from '../../tools/package/notices.mjs';
import { contentsOf, flawsOf, publishedManifest, shippedNames } from '../../tools/package/vsix.mjs';

describe('the files of the command line', () => {
  const output = (...imports: readonly string[]) => ({ imports: imports.map((path) => ({ path })) });
  const metafiles = [
    { outputs: { 'out/x/dist/cli.js': output('node:fs', './program.js') } },
    { outputs: { 'out/x/dist/program.js': output('./late.js'), 'out/x/dist/late.js': output('./program.js') } },
    { outputs: { 'out/x/dist/extension.js': output('./host.js') } },
  ];
  const names = ['cli.js', 'program.js', 'late.js', 'extension.js', 'host.js', 'thread.js', 'g-a.wasm', 'g-b-c.wasm'];

  it.each([
    ['what is imported, however far', {}, ['cli.js', 'late.js', 'program.js']],
    ['a script that is named to start a thread', { 'late.js': 'path.join(here, "thread.js")' }, ['thread.js']],
    ['what such a script imports', { 'late.js': "'thread.js'", 'thread.js': '`g-a.wasm`' }, ['g-a.wasm', 'thread.js']],
    [
      'all grammars where a template names them',
      { 'late.js': ['load(`g-$', '{n(1)}.wasm`)'].join('') },
      ['g-a.wasm', 'g-b-c.wasm'],
    ],
    ['nothing that only looks like a file of ours', { 'late.js': '"other.js" "xthread.js" thread.js' }, []],
  ])('are %s', (_what, texts, more) => {
    const needed = filesOf(['cli.js'], metafiles, new Map(Object.entries(texts)), names);
    expect(needed).toEqual([...new Set(['cli.js', 'late.js', 'program.js', ...more])].sort());
  });

  it('are all there, or there is no package', () => {
    expect(() => filesOf(['cli.js'], metafiles, new Map(), ['cli.js', 'program.js'])).toThrow(/late\.js is needed/);
  });
});

describe('the manifest of the command line', () => {
  const own = {
    name: 'faultline',
    version: '1.2.3',
    description: '%description%',
    license: 'MIT',
    private: true,
    keywords: ['mcp'],
    bin: { faultline: './dist/cli.js' },
    dependencies: { zod: '1' },
    scripts: { prepare: 'x' },
    engines: { vscode: '1', node: '1' },
  };
  const expected = {
    name: 'faultline',
    version: '1.2.3',
    description: 'What it does.',
    license: 'MIT',
    keywords: ['mcp'],
    bin: { faultline: 'dist/cli.js' },
    files: ['dist/', 'ThirdPartyNotices.txt'],
    engines: { node: '>=22.13.0' },
    publishConfig: { access: 'public', provenance: true },
  };

  it('holds what npm needs, and nothing of the checkout', () => {
    expect(cliManifest(own, 'What it does.', [])).toEqual(expected);
  });

  it('tells of a manual and of the repository, by which npm judges a provenance', () => {
    const repository = { type: 'git', url: 'git+https://example.com/a/b.git' };
    expect(cliManifest({ ...own, repository }, 'What it does.', ['man/faultline.1'])).toEqual({
      ...expected,
      repository,
      man: ['man/faultline.1'],
      files: ['dist/', 'ThirdPartyNotices.txt', 'man/faultline.1'],
    });
  });
});

describe('the licences of what is bundled', () => {
  const input = (bytesInOutput: number) => ({ bytesInOutput });
  const metafiles = [
    {
      outputs: {
        'x/dist/a.js': {
          inputs: {
            'src/a.ts': input(5),
            'node_modules/zod/lib/a.js': input(5),
            'node_modules/zod/node_modules/@scope/b/c.js': input(5),
            'node_modules/shaken-off/a.js': input(0),
          },
        },
        'x/dist/b.js': { inputs: { 'node_modules/hono/a.js': input(5) } },
      },
    },
  ];

  it('are those of the packages that these files hold something of', () => {
    expect(packagesIn(['a.js', 'a.js.map', 'tree-sitter-c-sharp.wasm'], metafiles)).toEqual([
      'node_modules/@vscode/tree-sitter-wasm',
      'node_modules/zod',
      'node_modules/zod/node_modules/@scope/b',
    ]);
    expect(() => packagesIn(['unknown.wasm'], metafiles)).toThrow('nothing tells whose it is');
  });

  it('are told with their texts, also where a package only names its licence', () => {
    const text = noticesText(['node_modules/zod', 'node_modules/jsondiffpatch']);
    expect(text).toMatch(
      /^zod \d\S* \(MIT\)$[\s\S]*^Copyright \(c\)[\s\S]*^jsondiffpatch \S+ \(MIT\)$[\s\S]*^Copyright \(c\)/m,
    );
    expect(text.split('Permission is hereby granted').length).toBe(3);
  });
});

describe('what of the checkout goes into the extension', () => {
  it.each([
    ['**\n!dist/**/*.js\n!dist/**/*.css\n!README.md\n', ['README.md', 'dist']],
    ['**\n!package.nls*.json\n', ['package.nls.de.json', 'package.nls.json']],
    ['**\n# !src\n', []],
  ])('by %j', (ignoreFile, expected) => {
    const names = ['README.md', 'READMExmd', 'package.nls.de.json', 'package.nls.json', 'src'];
    expect([...shippedNames(ignoreFile, names)].sort()).toEqual(expected);
  });

  it('is a manifest without what development needs', () => {
    const text = JSON.stringify({ name: 'x', scripts: {}, devDependencies: {}, engines: { vscode: '^1', node: '2' } });
    expect(JSON.parse(publishedManifest(text))).toEqual({ name: 'x', engines: { vscode: '^1' } });
  });
});

describe('the contents of a package', () => {
  it('are told by name, without hashes', () => {
    const names = [
      'b.js',
      'dist/webview-chunk-AB12CD34.js',
      'dist/webview-detailsPane-XIAX2WXN.js',
      'dist/late-taps.js',
    ];
    expect(contentsOf(names)).toEqual([
      'b.js',
      'dist/late-taps.js',
      'dist/webview-chunk-*.js',
      'dist/webview-detailsPane-*.js',
    ]);
  });

  it.each([
    ['extension/dist/a.js', '', []],
    ['extension/media/icon.png', '', []],
    ['extension/media/demo-workspace/.vscode/mcp.json', '', []],
    ['extension/dist/a.js.map', '', ['is a source map']],
    ['extension/dist/a.js', '//# sourceMappingURL=data:x', ['holds a source map']],
    ['extension/src/a.ts', '', ['is of the repository']],
    ['extension/webview/main.ts', '', ['is of the repository']],
    ['extension/docs/images/timeline.png', '', ['is of the repository', 'is a picture']],
    ['extension/.env', '', ['may hold secrets']],
    ['extension/media/demo-workspace/.env', '', ['may hold secrets']],
    ['extension/media/server.pem', '', ['may hold secrets']],
    ['extension/dist/a.js', '-----BEGIN RSA PRIVATE KEY-----\nabc', ['holds a private key']],
  ])('%s with %j', (name, content, flaws) => {
    expect(flawsOf(new Map([[name, Buffer.from(content)]]))).toEqual(flaws.map((flaw) => `${name} ${flaw}`));
  });
});
