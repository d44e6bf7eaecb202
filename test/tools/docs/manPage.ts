import type { Command } from 'commander';
import { commandsOnPage, ENVIRONMENT, EXIT_STATUS, FILES, helpOf } from './commandLine.ts';

/**
 * The manual page, in the man macros (groff_man(7)). Of a command whose help is a text of its own, as `tap`'s is, that text is taken
 * apart.
 */
export function manPage(): string {
  const [program, ...commands] = commandsOnPage();
  if (program === undefined) {
    throw new Error('there is no program');
  }
  const lines = [
    `.\\" Written by \`npm run docs\` from the help of every command.`,
    '.TH FAULTLINE 1 "" "Faultline" "User Commands"',
    '.SH NAME',
    'faultline \\- see what became of MCP calls and why, and find the tools that hide their failures',
    '.SH SYNOPSIS',
    ...synopsis('faultline', '[options] [command]'),
    '.SH DESCRIPTION',
    text(program.command.description()),
    '.PP',
    text(
      'SERVER is the name of a server that any client has configured here; it may be told from others of its name by <source>:<name>. SESSION is the id of a recorded session, the beginning of one, its name, or a file: a log or a session file.',
    ),
    ...options(program.command),
    '.SH COMMANDS',
    ...commands.flatMap(({ name, command }) => commandLines(name, command)),
    '.SH EXIT STATUS',
    ...tagged(EXIT_STATUS),
    '.SH ENVIRONMENT',
    ...tagged(ENVIRONMENT),
    '.SH FILES',
    ...tagged(FILES),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(name: string, command: Command): string[] {
  const head = [`.SS ${bare(name)}`];
  if (hasOwnHelp(command)) {
    return [...head, ...ownHelp(helpOf(command))];
  }
  const args = command.createHelp().visibleArguments(command);
  return [
    ...head,
    ...synopsis(name, command.usage()),
    '.PP',
    text(sentence(command.description())),
    ...tagged(args.map((argument) => [argument.name(), command.createHelp().argumentDescription(argument)])),
    ...options(command),
  ];
}

/** Help that is written by hand: how it is called, paragraphs, and options in two columns. */
function ownHelp(help: string): string[] {
  const [before = '', after = ''] = help.split('\nOptions:\n');
  const [usage = '', ...paragraphs] = before.split('\n\n');
  const lines = after.split('\n');
  const column = /^ {2}\S.*? {2,}/.exec(lines[0] ?? '')?.[0].length ?? 0;
  const rows: [string, string][] = [];
  for (const line of lines) {
    const [term, meaning] = [line.slice(0, column).trim(), line.slice(column)];
    const last = rows.at(-1);
    if (term === '' && last !== undefined) {
      last[1] += ` ${meaning}`;
    } else {
      rows.push([term, meaning]);
    }
  }
  return [
    '.EX',
    ...usage.split('\n').map((line) => text(line.replace(/^Usage: |^ {7}/, ''))),
    '.EE',
    ...paragraphs.flatMap((paragraph) => ['.PP', ...paragraph.trim().split('\n').map(text)]),
    ...tagged(rows),
  ];
}

/** Whether its help is written by hand, so that commander knows none of its options. */
function hasOwnHelp(command: Command): boolean {
  const help = command.createHelp();
  return help.formatHelp !== Object.getPrototypeOf(help).formatHelp;
}

function options(command: Command): string[] {
  const help = command.createHelp();
  return tagged(
    help.visibleOptions(command).map((option) => [help.optionTerm(option), help.optionDescription(option)]),
  );
}

function synopsis(name: string, usage: string): string[] {
  return [`.B ${bare(name)}`, text(usage)];
}

function tagged(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([term, meaning]) => ['.TP', `.B ${bare(term)}`, text(meaning)]);
}

const sentence = (description: string) => `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;

/** A line of text: what would be a request, an escape or a character that not every terminal has is written otherwise. */
function text(line: string): string {
  const escaped = bare(line);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** An argument of a request. */
function bare(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('`', '\\(ga')
    .replaceAll(/[^\x20-\x7e]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
    });
}
