import { describe, expect, it } from 'vitest';
import { parseDefinitions } from '../../../../../src/core/client/definitions.ts';
import { variablesIn } from '../../../../../src/core/client/discovery/inputs.ts';

/** A variable's place, as it stands in a file. */
const v = (name: string) => `$\{${name}}`;

describe('inputs', () => {
  it('go with the servers that name them, and malformed ones are as if they were not there', () => {
    const file = {
      inputs: [
        { type: 'promptString', id: 'token', description: 'API token', password: true },
        { type: 'promptString', id: 'user', default: 'me' },
        { type: 'pickString', id: 'region', options: ['eu', { label: 'America', value: 'us' }], default: 'eu' },
        { type: 'command', id: 'port', command: 'x.port', args: { a: 1 } },
        { type: 'pigeon', id: 'wrong' },
        { type: 'pickString', id: 'noOptions' },
        7,
      ],
      servers: {
        a: { command: 'a', args: ['--user', v('input:user')], env: { T: v('input:token'), W: v('input:wrong') } },
        b: { url: `https://${v('input:region')}.test:${v('input:port')}/` },
        c: { command: 'c' },
      },
    };
    const { definitions } = parseDefinitions(JSON.stringify(file), { kind: 'vscode-mcp-json', path: '/f' });
    expect(definitions.map(({ inputs }) => inputs)).toEqual([
      [
        { type: 'promptString', id: 'token', description: 'API token', password: true },
        { type: 'promptString', id: 'user', description: 'user', password: false, default: 'me' },
      ],
      [
        {
          type: 'pickString',
          id: 'region',
          description: 'region',
          options: [
            { label: 'eu', value: 'eu' },
            { label: 'America', value: 'us' },
          ],
          default: 'eu',
        },
        { type: 'command', id: 'port', command: 'x.port', args: { a: 1 } },
      ],
      undefined,
    ]);
  });

  it('are found in every place where a variable may stand', () => {
    const env = { E: v('d') };
    const found = variablesIn({ type: 'stdio', command: v('a'), args: [`x${v('b')}${v('c')}`], env, envFile: v('e') });
    expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(variablesIn({ type: 'http', url: v('u'), headers: { H: `${v('h')}${v('u')}` } })).toEqual(['u', 'h']);
  });
});
