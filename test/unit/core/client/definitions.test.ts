import { describe, expect, it } from 'vitest';
import { mergeDefinitions, parseDefinitions, parseServersSetting } from '../../../../src/core/client/definitions.ts';
import { resolveVariables } from '../../../../src/core/client/resolveVariables.ts';
import type { HttpDefinition, StdioDefinition } from '../../../../src/protocol/definition.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { definitionOf } from './fakeServer.ts';

/** A variable's place, as it stands in a file. */
const v = (name: string) => `$\{${name}}`;

const options = { kind: 'vscode-mcp-json', path: '/w/.vscode/mcp.json' } as const;

/** What the range of each problem covers in `text`, after its code. */
function problemsOf(text: string): string[] {
  const lines = text.split('\n');
  return parseDefinitions(text, options).problems.map(({ code, args, range, path }) => {
    expect(path).toBe(options.path);
    expect(TEXTS[code], code).toBeDefined();
    const line = lines[range.startLine] ?? '';
    const end = range.endLine === range.startLine ? range.endColumn : line.length;
    return `${code.replace('definition.', '')} ${JSON.stringify(Object.values(args))} @${range.startLine} ${line.slice(range.startColumn, end)}`;
  });
}

describe('parseDefinitions', () => {
  it('reads every kind of server, comments and trailing commas included', () => {
    const text = `// servers of this workspace
{
  "inputs": [{ "id": "token", "type": "promptString" }],
  "servers": {
    /* local */ "books": { "command": "node", "args": ["server.mjs"], "env": { "A": "1", "N": 2, "X": null }, "cwd": "/w" },
    "shop": { "type": "http", "url": "https://example.test/mcp", "headers": { "X-Key": "k" }, "gallery": true },
    "env": { "type": "stdio", "command": "x", "envFile": "\${workspaceFolder}/.env" },
  },
}`;
    expect(parseDefinitions(text, { ...options, isTrusted: (id) => id.endsWith(':shop') })).toEqual({
      problems: [],
      definitions: [
        {
          id: 'vscode-mcp-json:books',
          name: 'books',
          source: {
            ...options,
            range: { startLine: 4, startColumn: 16, endLine: 4, endColumn: 23 },
          },
          transport: { type: 'stdio', command: 'node', args: ['server.mjs'], env: { A: '1', N: '2' }, cwd: '/w' },
          isTrusted: false,
        },
        {
          id: 'vscode-mcp-json:shop',
          name: 'shop',
          source: { ...options, range: { startLine: 5, startColumn: 4, endLine: 5, endColumn: 10 } },
          transport: { type: 'http', url: 'https://example.test/mcp', headers: { 'X-Key': 'k' } },
          isTrusted: true,
        },
        {
          id: 'vscode-mcp-json:env',
          name: 'env',
          source: { ...options, range: { startLine: 6, startColumn: 4, endLine: 6, endColumn: 9 } },
          transport: { type: 'stdio', command: 'x', args: [], env: {}, envFile: `${v('workspaceFolder')}/.env` },
          isTrusted: false,
        },
      ],
    });
  });

  const one = (entry: string) => `{ "servers": {\n"a": ${entry}\n} }`;

  it.each([
    ['no transport of that name', one('{ "type": "pigeon" }'), ['unknownTransport ["pigeon"] @1 "pigeon"']],
    ['legacy SSE without a url', one('{ "type": "sse" }'), ['missingUrl [] @1 "a"']],
    [
      'a foreign version',
      one('{ "command": "x", "versions": ["2025-06-18", "1999-01-01"] }'),
      ['unknownVersion ["1999-01-01","2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"] @1 "1999-01-01"'],
    ],
    ['neither command nor url', one('{}'), ['neither [] @1 "a"']],
    ['no command', one('{ "type": "stdio" }'), ['missingCommand [] @1 "a"']],
    ['an empty command', one('{ "command": " " }'), ['missingCommand [] @1 "a"']],
    ['no url', one('{ "type": "http" }'), ['missingUrl [] @1 "a"']],
    ['a bad url', one('{ "url": "ftp://x" }'), ['badUrl ["ftp://x"] @1 "ftp://x"']],
    ['args that are a string', one('{ "command": "x", "args": "y" }'), ['badType ["args","a list of strings"] @1 "y"']],
    ['one bad arg', one('{ "command": "x", "args": ["y", 3] }'), ['badType ["args","a list of strings"] @1 3']],
    ['a bad command', one('{ "command": 3 }'), ['badType ["command","a string"] @1 3']],
    ['a bad env', one('{ "command": "x", "env": { "A": true } }'), ['badType ["env","an object of strings"] @1 true']],
    [
      'two faults at once',
      one('{ "command": 3, "cwd": [] }'),
      ['badType ["command","a string"] @1 3', 'badType ["cwd","a string"] @1 []'],
    ],
    ['an entry that is no object', one('"node"'), ['notAnObject ["A server"] @1 "a"']],
    ['servers that are none', '{ "servers": [] }', ['notAnObject ["servers"] @0 []']],
    ['a file that is none', '[]', ['notAnObject ["The file"] @0 []']],
    ['broken syntax', '{ "servers": { "a": } }', ['syntax ["value expected"] @0 }']],
    [
      'a duplicate',
      '{ "servers": {\n"a": { "command": "x" },\n"a": { "command": "y" } } }',
      ['duplicate ["a"] @2 "a"'],
    ],
    ['nothing at all', '{}', []],
  ])('tells %s, and where', (_name, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  it('knows the transport of 2024-11-05, and the revisions that a server is pinned to', () => {
    const text = one('{ "type": "sse", "url": "http://x/sse", "versions": ["2025-03-26", "2024-11-05", "next"] }');
    expect(parseDefinitions(text, options).definitions).toMatchObject([
      { transport: { type: 'http', url: 'http://x/sse', isLegacySse: true }, versions: ['2024-11-05', '2025-03-26'] },
    ]);
  });

  it('gives the other servers all the same', () => {
    const text = '{ "servers": { "bad": { "type": "x" }, "good": { "command": "y" }, "worse": 1 ';
    const { definitions, problems } = parseDefinitions(text, options);
    expect(definitions.map(({ name }) => name)).toEqual(['good']);
    expect(problems.length).toBeGreaterThan(2);
  });

  it('takes the last of two', () => {
    const text = '{ "servers": { "a": { "command": "x" }, "a": { "command": "y" } } }';
    expect(parseDefinitions(text, options).definitions.map(({ transport }) => transport)).toMatchObject([
      { command: 'y' },
    ]);
  });

  it.each([
    '',
    '   ',
    '// nothing',
    '{"servers":{"__proto__":{"command":"x"}}}',
    '{"servers":{"a":{"__proto__":1}}}',
    '\ufeff{}',
  ])('does not stumble over %j', (text) => {
    expect(() => parseDefinitions(text, options)).not.toThrow();
  });
});

describe('parseServersSetting', () => {
  it('reads the same shape', () => {
    const { definitions, problems } = parseServersSetting(
      { a: { command: 'x' }, b: {} },
      { kind: 'settings', path: 'faultline.servers' },
    );
    expect(definitions).toMatchObject([{ id: 'settings:a', source: { kind: 'settings' } }]);
    expect(problems).toMatchObject([{ code: 'definition.neither', path: 'faultline.servers' }]);
    expect(parseServersSetting(undefined, { kind: 'settings', path: 's' })).toEqual({ definitions: [], problems: [] });
  });
});

describe('mergeDefinitions', () => {
  it('keeps the first of two with the same id and tells the second', () => {
    const text = '{"servers":{"a":{"command":"x"}}}';
    const first = parseDefinitions(text, options);
    const second = parseDefinitions(text, { ...options, path: '/v/.vscode/mcp.json' });
    const merged = mergeDefinitions([first, second]);
    expect(merged.definitions).toEqual(first.definitions);
    expect(merged.problems).toMatchObject([
      { code: 'definition.taken', args: { name: 'a', path: options.path }, path: '/v/.vscode/mcp.json' },
    ]);
  });
});

describe('resolveVariables', () => {
  const environment = {
    workspaceFolder: '/w',
    workspaceFolders: { w: '/w', 'my shop': 'D:\\my shop' },
    userHome: '/home/u',
    env: { TOKEN: 't', EMPTY: '' },
    inputs: { id: 'given' },
    secrets: { key: 's3cret' },
    readEnvFile: (path: string) => (path === '/w/.env' ? { A: 'file', B: 'file' } : undefined),
  };
  const stdio = (transport: Partial<StdioDefinition>) => ({
    ...definitionOf('a'),
    transport: { type: 'stdio', command: 'x', args: [], env: {}, ...transport } as const,
  });
  const http = (transport: Partial<HttpDefinition>) => ({
    ...definitionOf('a'),
    transport: { type: 'http', url: 'http://x/', headers: {}, ...transport } as const,
  });

  it('fills in every place', () => {
    const definition = stdio({
      command: `${v('userHome')}/bin/x`,
      args: [`${v('workspaceFolder')}/a`, '$5', v('env:EMPTY')],
      env: { A: v('env:TOKEN') },
      envFile: `${v('workspaceFolder')}/.env`,
      cwd: v('workspaceFolder'),
    });
    expect(resolveVariables(definition, environment)).toEqual({
      definition: {
        ...definition,
        transport: {
          type: 'stdio',
          command: '/home/u/bin/x',
          args: ['/w/a', '$5', ''],
          env: { A: 't', B: 'file' },
          cwd: '/w',
        },
      },
    });
    expect(
      resolveVariables(http({ url: `http://${v('env:TOKEN')}/`, headers: { K: v('env:TOKEN') } }), environment),
    ).toMatchObject({
      definition: { transport: { url: 'http://t/', headers: { K: 't' } } },
    });
  });

  it.each([
    ['vscode-mcp-json', v('input:id'), 'given'],
    ['vscode-mcp-json', `a${v('pathSeparator')}b${v('/')}c`, 'a/b/c'],
    ['vscode-mcp-json', v('workspaceFolderBasename'), 'w'],
    ['vscode-mcp-json', v('workspaceFolder:my shop'), 'D:\\my shop'],
    ['vscode-mcp-json', v('workspaceFolderBasename:my shop'), 'my shop'],
    ['vscode-mcp-json', v('workspaceFolder:w'), '/w'],
    ['vscode-mcp-json', `Bearer ${v('secret:key')}`, 'Bearer s3cret'],
    ['claude-code', `${v('TOKEN')} ${v('NOPE:-default')} ${v('EMPTY:-x')}`, 't default '],
    ['claude-code', v('secret:key'), 's3cret'],
    ['cursor', v('env:TOKEN'), 't'],
    ['zed', `${v('TOKEN')} ${v('secret:key')}`, `${v('TOKEN')} s3cret`],
  ] as const)('reads variables as %s does: %s', (kind, text, expected) => {
    const definition = { ...stdio({ args: [text] }), source: { kind } };
    expect(resolveVariables(definition, environment)).toMatchObject({
      definition: { transport: { args: [expected] } },
    });
  });

  it.each([
    ['an unset variable', stdio({ args: [v('env:NOPE')] }), [['noVariable', v('env:NOPE'), 'NOPE']]],
    ['an input', http({ headers: { K: v('input:token') } }), [['unresolved', v('input:token'), 'token']]],
    [
      'a folder that is not open',
      stdio({ cwd: v('workspaceFolder') }),
      [['unresolved', v('workspaceFolder'), 'workspaceFolder']],
    ],
    [
      'a folder of a name that no folder has',
      stdio({ cwd: v('workspaceFolder:constructor') }),
      [['unresolved', v('workspaceFolder:constructor'), 'constructor']],
    ],
    ['a secret that is not kept', http({ headers: { K: v('secret:k') } }), [['noSecret', v('secret:k'), 'k']]],
    [
      'what every object has',
      stdio({ args: [v('env:constructor')] }),
      [['noVariable', v('env:constructor'), 'constructor']],
    ],
    ['a file that is not there', stdio({ envFile: 'no' }), [['noEnvFile', 'no']]],
    ['a URL that comes to nothing', http({ url: v('env:TOKEN') }), [['badUrl', 't']]],
  ])('tells %s', (_name, definition, expected) => {
    const resolution = resolveVariables(definition, { ...environment, workspaceFolder: undefined });
    const problems = 'problems' in resolution ? resolution.problems : [];
    expect(problems.map(({ code, args }) => [code.replace('definition.', ''), ...Object.values(args)])).toEqual(
      expected,
    );
    expect(problems.every(({ code }) => TEXTS[code] !== undefined)).toBe(true);
  });
});
