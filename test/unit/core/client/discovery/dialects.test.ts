import { describe, expect, it } from 'vitest';
import { parseDefinitions } from '../../../../../src/core/client/definitions.ts';
import type { DefinitionSource } from '../../../../../src/protocol/definition.ts';

type Kind = DefinitionSource['kind'];

/** Name and transport of each server, and the code of each problem with the text that it is about. */
function read(kind: Kind, file: unknown, folders: readonly string[] = []) {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const { definitions, problems } = parseDefinitions(text, { kind, path: '/f.json', folders });
  return {
    servers: Object.fromEntries(
      definitions.map(({ id, name, transport, source }) => {
        expect({ id, kind: source.kind, path: source.path }).toEqual({ id: `${kind}:${name}`, kind, path: '/f.json' });
        return [name, transport];
      }),
    ),
    problems: problems.map(({ code, range }) => `${code} ${text.slice(range.startColumn, range.endColumn)}`),
  };
}

const stdio = (command: string, more = {}) => ({ type: 'stdio', command, args: [], env: {}, ...more });
const http = (url: string, headers = {}) => ({ type: 'http', url, headers });

describe('the configuration of another client', () => {
  const cases: readonly (readonly [Kind, unknown, object])[] = [
    [
      'claude-desktop',
      { mcpServers: { files: { command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' } } }, globalShortcut: '' },
      { files: stdio('npx', { args: ['-y', 'x'], env: { KEY: 'k' } }) },
    ],
    [
      'claude-project',
      { mcpServers: { a: { type: 'http', url: 'https://a.test/mcp', headers: { A: 'b' } }, b: { command: 'b' } } },
      { a: http('https://a.test/mcp', { A: 'b' }), b: stdio('b') },
    ],
    ['cursor', { mcpServers: { a: { url: 'https://a.test/mcp' } } }, { a: http('https://a.test/mcp') }],
    ['cursor-workspace', { mcpServers: { a: { command: 'a' } } }, { a: stdio('a') }],
    ['windsurf', { mcpServers: { a: { serverUrl: 'https://a.test/mcp' } } }, { a: http('https://a.test/mcp') }],
    [
      'cline',
      { mcpServers: { a: { type: 'streamableHttp', url: 'https://a.test/', disabled: true, autoApprove: [] } } },
      { a: http('https://a.test/') },
    ],
    [
      'zed',
      {
        theme: 'One Dark',
        context_servers: {
          old: { command: { path: '/bin/a', args: ['b'], env: { C: 'd' } }, settings: {} },
          flat: { source: 'custom', command: 'a', args: [] },
          remote: { url: 'https://a.test/mcp', headers: { Authorization: 'Bearer x' } },
          extension: { source: 'extension', settings: {} },
        },
      },
      {
        old: stdio('/bin/a', { args: ['b'], env: { C: 'd' } }),
        flat: stdio('a'),
        remote: http('https://a.test/mcp', { Authorization: 'Bearer x' }),
      },
    ],
  ];

  it.each(cases)('is read as %s writes it', (kind, file, servers) => {
    expect(read(kind, file)).toEqual({ servers, problems: [] });
  });

  it('gives the servers of Claude Code for the folders that are open, over those of the user', () => {
    const file = {
      numStartups: 3,
      mcpServers: { shared: { command: 'user' }, only: { command: 'only' } },
      projects: {
        '/w': { allowedTools: [], mcpServers: { shared: { command: 'project' } } },
        '/other': { mcpServers: { foreign: { command: 'x' } } },
      },
    };
    expect(read('claude-code', file, ['/w']).servers).toEqual({ only: stdio('only'), shared: stdio('project') });
    expect(read('claude-code', file).servers).toEqual({ shared: stdio('user'), only: stdio('only') });
  });

  it.each<readonly [string, Kind, unknown, readonly string[]]>([
    ['an entry that is none', 'cursor', { mcpServers: { a: 7 } }, ['definition.notAnObject "a"']],
    ['a wrong member', 'windsurf', { mcpServers: { a: { command: 3 } } }, ['definition.badType 3']],
    [
      'a path that is no text',
      'zed',
      { context_servers: { a: { command: { path: 3 } } } },
      ['definition.badType {"path":3}'],
    ],
    ['a section that is a list', 'cline', { mcpServers: [] }, ['definition.notAnObject []']],
    ['projects that are none', 'claude-code', { projects: 1 }, ['definition.notAnObject 1']],
    ['a broken file', 'claude-desktop', '{ "mcpServers": } }', ['definition.syntax }', 'definition.syntax }']],
    ['a file of another kind', 'zed', { mcpServers: { a: { command: 'x' } } }, []],
  ])('tells of %s', (_name, kind, file, problems) => {
    expect(read(kind, file, ['/w']).problems).toEqual(problems);
  });
});
