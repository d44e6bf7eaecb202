import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/program.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';

/** Columns of the help on the pages: what a terminal of usual width shows. */
const HELP_WIDTH = 100;

/** A command of the command line, as commander knows it. */
export interface CommandOnPage {
  /** With its parents': `faultline sessions pin`. */
  readonly name: string;
  readonly command: Command;
}

/** Nothing is run here, so nothing is written or asked. */
const nowhere: Terminal = {
  cwd: '.',
  out: () => Promise.resolve(),
  err: () => undefined,
  ask: () => Promise.resolve(undefined),
  style: (_, text) => text,
};

/** The program itself and every command of it, parents before children. */
export function commandsOnPage(): readonly CommandOnPage[] {
  const walk = (command: Command, parents: string): CommandOnPage[] => {
    const name = `${parents}${command.name()}`;
    return [{ name, command }, ...command.commands.flatMap((child) => walk(child, `${name} `))];
  };
  return walk(createProgram(nowhere, undefined), '');
}

/** What `--help` prints, whatever the terminal. */
export function helpOf(command: Command): string {
  const helper = command.createHelp();
  helper.prepareContext({ helpWidth: HELP_WIDTH });
  return helper
    .formatHelp(command, helper)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

/** What scripts rely on, for every command. */
export const EXIT_STATUS: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done, and nothing to complain of'],
  ['1', 'done, and something was found: findings, a failed call, a case that is not as expected'],
  ['2', 'could not be done: bad usage, unreadable input, no such server'],
];

/** Variables that the command line itself reads. Servers get the whole environment, as they do from other clients. */
export const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
  [
    'FAULTLINE_SECRET_NAME',
    `the value of \${secret:name} in a definition: the name in capitals, all but letters and digits as _`,
  ],
  ['FAULTLINE_TAP_TOKEN', 'what clients must send to a tap that listens, where --token does not say'],
  [
    'OTEL_EXPORTER_OTLP_…, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES',
    'where and how to export, as OpenTelemetry specifies; options stand before them',
  ],
  ['NO_COLOR, FORCE_COLOR', 'colours off, or on'],
  ['XDG_STATE_HOME', 'where the files below are, instead of ~/.local/state (Linux)'],
];

/** What is kept in the user's state folder; on macOS and Windows elsewhere, see docs/tap.md. */
export const FILES: readonly (readonly [path: string, meaning: string])[] = [
  ['~/.local/state/faultline/tap.sqlite', 'what taps record where no editor has a log for the folder'],
  ['~/.local/state/faultline/credentials.json', 'how you signed in to servers, readable by you alone'],
  ['faultline.config.json', 'configuration of the lint, the nearest one above each file'],
  ['*.faultline.jsonl', 'a session file'],
  ['*.faultline-suite.json', 'a suite of recorded calls'],
  ['*.faultline-faults.json', 'faults to inject'],
];
