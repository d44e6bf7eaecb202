import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TAP_USAGE } from '../../../src/cli/commands/tapUsage.ts';
import { commandOf } from '../../../webview/keyboard.ts';
import { commandsOnPage } from '../../tools/docs/commandLine.ts';
import { commandGroups, pageKeys } from '../../tools/docs/commandTexts.ts';
import { generatedPages } from '../../tools/docs/generated.ts';
import { readManifest, root } from '../../tools/docs/manifest.ts';
import { manPage } from '../../tools/docs/manPage.ts';
import { settingsPage } from '../../tools/docs/settingsPage.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = readManifest();

describe('the pages that a program writes', () => {
  it.each(generatedPages)('$file is current; `npm run docs` writes it', ({ file, write }) => {
    expect(read(file)).toBe(write());
  });

  it('tell each setting and each command once', () => {
    const settings = [...read('docs/settings.md').matchAll(/^\| `(faultline\.[\w.]+)`/gm)].map(([, name]) => name);
    expect(settings.sort()).toEqual(Object.keys(manifest.contributes.configuration.properties).sort());
    const commands = commandGroups.flatMap((group) => Object.keys(group.commands));
    expect(commands.sort()).toEqual(manifest.contributes.commands.map(({ command }) => command).sort());
  });

  it('refuse a setting that no section takes', () => {
    const stray = { type: 'boolean', default: true, markdownDescription: '' };
    const contributes = { ...manifest.contributes, configuration: { properties: { 'faultline.stray': stray } } };
    expect(() => settingsPage({ ...manifest, contributes })).toThrow('takes faultline.stray');
  });

  it('tell the keys that the page handles', () => {
    const plain = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };
    for (const { key, command, ...press } of pageKeys.flatMap(({ presses }) => presses)) {
      expect([key, commandOf({ ...plain, key, ...press }, 'grid')]).toEqual([key, command]);
    }
  });

  it('have every option of the command line', () => {
    const [program, ...commands] = commandsOnPage();
    expect(commands.map(({ name }) => name)).toContain('faultline sessions pin');
    const page = read('docs/cli.md');
    for (const { name, command } of [program, ...commands].filter((each) => each !== undefined)) {
      expect(page).toContain(name);
      expect(command.options.filter(({ long }) => !page.includes(long ?? '')).map(({ flags }) => flags)).toEqual([]);
    }
  });
});

describe('the manual page', () => {
  const lines = manPage().split('\n');

  it('is made of macros that the man package has, and of text that holds no request', () => {
    const macros = new Set(lines.filter((line) => line.startsWith('.')).map((line) => line.split(' ')[0]));
    expect([...macros].sort()).toEqual(['.B', '.EE', '.EX', '.PP', '.SH', '.SS', '.TH', '.TP', '.\\"']);
    expect(lines.filter((line) => line.startsWith("'"))).toEqual([]);
    expect(lines.filter((line) => /[^\x20-\x7e]/.test(line))).toEqual([]);
  });

  it('has the sections of a command in their order', () => {
    expect(lines.filter((line) => line.startsWith('.SH')).map((line) => line.slice(4))).toEqual([
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'COMMANDS',
      'EXIT STATUS',
      'ENVIRONMENT',
      'FILES',
    ]);
  });

  it('has an entry for each option of the command whose help is a text of its own', () => {
    const options = [...TAP_USAGE.matchAll(/^ {2}(?:-h, )?(--[\w-]+(?: [A-Z]+(?::[A-Z]+)?)?)/gm)].map(
      ([, term]) => term,
    );
    expect(options.length).toBeGreaterThan(10);
    const entries = lines.filter((line) => line.startsWith('.B ')).map((line) => line.replaceAll('\\-', '-'));
    expect(options.filter((term) => !entries.some((entry) => entry.endsWith(` ${term}`)))).toEqual([]);
  });

  it('gives groff nothing to warn of, where there is one', async () => {
    const run = promisify(execFile);
    const groff = await run('groff', ['--version']).catch(() => undefined);
    // Elsewhere the two tests above have to do.
    const warned =
      groff === undefined
        ? ''
        : (await run('groff', ['-man', '-ww', '-z', path.join(root, 'docs/faultline.1')])).stderr;
    expect(warned).toBe('');
  });
});
