import { describe, expect, it } from 'vitest';
import { fillIn } from '../../../src/cli/fillIn.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import type { DefinitionInput, ServerDefinition } from '../../../src/protocol/definition.ts';
import type { ServerId } from '../../../src/protocol/events.ts';

const variable = (name: string) => ['$', '{', name, '}'].join('');

const token: DefinitionInput = { type: 'promptString', id: 'a', description: 'Token', password: true };
const place: DefinitionInput = {
  type: 'promptString',
  id: 'a',
  description: 'Place',
  password: false,
  default: 'here',
};
const choice: DefinitionInput = {
  type: 'pickString',
  id: 'a',
  description: 'Region',
  options: [
    { label: 'Europe', value: 'eu' },
    { label: 'America', value: 'us' },
  ],
};
const command: DefinitionInput = { type: 'command', id: 'a', command: 'x.y' };

/** What became of `text` as the command of a definition, and what a person was asked with `answers` to give. */
async function filled(
  text: string,
  inputs: readonly DefinitionInput[],
  given: Readonly<Record<string, string>>,
  answers: readonly string[],
) {
  const asked: string[] = [];
  const left = [...answers];
  const terminal: Terminal = {
    cwd: '/w',
    out: async () => undefined,
    err: () => undefined,
    ask: async (question, options) => {
      asked.push(`${question}${options?.isSecret === true ? '(secret)' : ''}`);
      return left.shift();
    },
    style: (_style, words) => words,
  };
  const definition: ServerDefinition = {
    id: 'settings:s' as ServerId,
    name: 's',
    source: { kind: 'vscode-mcp-json', path: '/w/.vscode/mcp.json' },
    transport: { type: 'stdio', command: text, args: [], env: {} },
    isTrusted: false,
    inputs,
  };
  const resolution = await fillIn(definition, given, terminal);
  const result =
    'problems' in resolution
      ? resolution.problems.map(({ code }) => code)
      : resolution.definition.transport.type === 'stdio' && resolution.definition.transport.command;
  return { result, asked };
}

const input = variable('input:a');

describe('a definition on the command line', () => {
  it.each<readonly [string, string, readonly DefinitionInput[], Record<string, string>, readonly string[], unknown]>([
    ['takes what is given', input, [token], { a: 'x' }, [], { result: 'x', asked: [] }],
    ['asks for a secret without showing it', input, [token], {}, ['x'], { result: 'x', asked: ['Token: (secret)'] }],
    ['takes the default for no answer', input, [place], {}, [''], { result: 'here', asked: ['Place [here]: '] }],
    ['takes the default where nobody answers', input, [place], {}, [], { result: 'here', asked: ['Place [here]: '] }],
    [
      'takes a choice by its label',
      input,
      [choice],
      {},
      ['America'],
      { result: 'us', asked: ['Region (Europe, America): '] },
    ],
    [
      'takes no other choice',
      input,
      [choice],
      {},
      ['Asia'],
      { result: ['definition.unresolved'], asked: ['Region (Europe, America): '] },
    ],
    ['runs no command of the editor', input, [command], {}, [], { result: ['definition.unresolved'], asked: [] }],
    ['asks for secrets', variable('secret:my-key'), [], {}, ['x'], { result: 'x', asked: ['Secret my-key: (secret)'] }],
    [
      'names a secret that nobody gives',
      variable('secret:k'),
      [],
      {},
      [],
      { result: ['definition.noSecret'], asked: ['Secret k: (secret)'] },
    ],
    ['knows the folder', variable('workspaceFolder'), [], {}, [], { result: '/w', asked: [] }],
  ])('%s', async (_name, text, inputs, given, answers, expected) =>
    expect(await filled(text, inputs, given, answers)).toEqual(expected),
  );
});
