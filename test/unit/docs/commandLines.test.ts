import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TAP_USAGE } from '../../../src/cli/commands/tapUsage.ts';
import { commandsOnPage } from '../../tools/docs/commandLine.ts';
import { root } from '../../tools/docs/manifest.ts';
import { readPages } from '../../tools/docs/pages.ts';

/** A call of the command line in fenced code: its command, and its own options. */
interface CommandLine {
  readonly place: string;
  readonly command: string;
  readonly options: readonly string[];
}

const CALL = /^(?:\$ )?(?:node dist\/cli\.js|faultline) +([a-z]+)(.*)$/;

/** Texts in quotes, comments, what is piped to, and the words of a server are not ours. */
function ownWords(words: string): string {
  return (words.replaceAll(/'[^']*'|"[^"]*"/g, '""').split(/ #| -- | \| | > |; /)[0] ?? '').trim();
}

function commandLines(file: string): readonly CommandLine[] {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
  let isFenced = false;
  return lines.flatMap((line, index) => {
    if (/^\s*```/.test(line)) {
      isFenced = !isFenced;
      return [];
    }
    const [, command = '', words = ''] = (isFenced && CALL.exec(line.trim())) || [];
    return command === ''
      ? []
      : [
          {
            place: `${file}:${index + 1}`,
            command,
            options: [...ownWords(` ${words}`).matchAll(/(?<=^|\s)(--?[a-z][\w-]*)/g)].map(([, option = '']) => option),
          },
        ];
  });
}

describe('the command lines in the docs', () => {
  const found = [...readPages(root).keys()].flatMap(commandLines);
  const optionsOf = new Map(
    commandsOnPage().map(({ name, command }) => [
      name.replace('faultline ', ''),
      name === 'faultline tap'
        ? [...TAP_USAGE.matchAll(/(--?[a-z][\w-]*)/g)].map(([, option]) => option)
        : [...command.options.flatMap(({ long, short }) => [long, short]), '-h', '--help'],
    ]),
  );

  it('are of commands that exist, with options that they take', () => {
    expect(found.length).toBeGreaterThan(60);
    const wrong = found.flatMap(({ place, command, options }) => {
      const known = optionsOf.get(command);
      const strange = known === undefined ? [command] : options.filter((option) => !known.includes(option));
      return strange.map((word) => `${place}: ${command}: ${word}`);
    });
    expect(wrong).toEqual([]);
  });

  it('show every command', () => {
    const shown = new Set(found.map(({ command }) => command));
    const commands = [...optionsOf.keys()].filter((name) => /^[a-z]+$/.test(name) && name !== 'faultline');
    expect(commands.filter((name) => !shown.has(name))).toEqual([]);
  });
});
