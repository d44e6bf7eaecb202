import { describe, expect, it } from 'vitest';
import { HOSTILE_INPUTS, type HostileInput, type Transcript } from '../../../bench/peers/detection/inputs.ts';
import { type Detected, detected, scoreOf } from '../../../bench/peers/detection/score.ts';

function input(name: string): HostileInput {
  const found = HOSTILE_INPUTS.find((each) => each.name === name);
  if (found === undefined) {
    throw new Error(`no input ${name}`);
  }
  return found;
}

describe('what a transcript says', () => {
  const secret = /sk-\w+/.exec(String(input('a key of a provider in a result').never))?.[0] ?? '';

  it.each<[string, string, Transcript, Detected | undefined]>([
    ['nothing', 'a banner on stdout', { seen: 'done' }, { shown: false, right: false, kept: false }],
    [
      'the name of the server, which is no finding',
      'a batch where none is allowed',
      { seen: 'connected to batchAnswer.mjs\ndone' },
      { shown: false, right: false, kept: true },
    ],
    [
      'that something is wrong, and not what',
      'an answer without `jsonrpc`',
      { seen: 'Invalid input' },
      { shown: true, right: false, kept: false },
    ],
    [
      'what it is, and the payload in the record alone',
      'an answer without `jsonrpc`',
      { seen: 'The answer breaks JSON-RPC 2.0 (missing-jsonrpc).', recorded: '{"text":"done"}' },
      { shown: true, right: true, kept: true },
    ],
    [
      'a tool error as a broken promise of a structure',
      '`isError` without the structure that was promised',
      { seen: 'isError: true, no disk. Tool work has an output schema but did not return structured content' },
      { shown: true, right: false, kept: true },
    ],
    [
      'a tool error as a call that went well',
      '`isError` in the list of calls',
      { seen: 'Tool Error\nno disk\nProtocol\n43ms\nOK\nTOOLS/CALL' },
      { shown: true, right: false, kept: true },
    ],
    [
      'an ANSI sequence as it came',
      'markup, a bidi override and ANSI in a result',
      { seen: '<img onerror=x>\u001b[31mred' },
      { shown: true, right: false, kept: true },
    ],
    ['a secret, by who keeps nothing', 'a key of a provider in a result', { seen: `keep-me ${secret}` }, undefined],
    [
      'a secret, on record',
      'a key of a provider in a result',
      { seen: '', recorded: `keep-me ${secret}` },
      { shown: true, right: false, kept: true },
    ],
    [
      'a secret, replaced on record',
      'a key of a provider in a result',
      { seen: secret, recorded: 'keep-me [redacted]' },
      { shown: true, right: true, kept: true },
    ],
  ])('%s', (_, name, transcript, expected) => expect(detected(input(name), transcript)).toEqual(expected));

  it('is counted over what a program was asked', () => {
    const all = [{ shown: true, right: true, kept: false }, { shown: true, right: false, kept: true }, undefined];
    expect(scoreOf(all)).toEqual({ asked: 2, shown: 2, right: 1, kept: 1 });
  });
});

describe('the inputs', () => {
  it('are twenty-one, each of its own name', () => {
    expect(new Set(HOSTILE_INPUTS.map(({ name }) => name)).size).toBe(21);
  });

  it.each(HOSTILE_INPUTS)('$name: is not found in what shows nothing', (each) => {
    const found = detected(each, { seen: 'connected; calling work; [exit 0]', recorded: '' });
    expect(found).toEqual({ shown: false, right: false, kept: false });
  });
});
