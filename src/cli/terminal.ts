import process from 'node:process';
import { styleText } from 'node:util';

/** Where a command reads its surroundings and writes, so that it can be tested without a process. */
export interface Terminal {
  readonly cwd: string;
  /** Writes to stdout; resolves when the reader has room for more, so that streams of any length stay small in memory. */
  out(text: string): Promise<void>;
  err(text: string): void;
  /** A person's answer in one line; `undefined` when nobody can be asked. A secret is not shown while it is typed. */
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string | undefined>;
  /** Colours text for stdout, or leaves it as it is where colours are not wanted. */
  style(style: TextStyle, text: string): string;
}

export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan' | 'blue';

/**
 * The process's own terminal. Colours follow `NO_COLOR`, `FORCE_COLOR` and whether stdout is one. A reader that goes away
 * early (`| head`) ends the process quietly: what it wanted, it has.
 */
export function processTerminal(): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      process.exit();
    }
    throw error;
  });
  return {
    cwd: process.cwd(),
    out: (text) =>
      process.stdout.write(text) ? Promise.resolve() : new Promise((resolve) => process.stdout.once('drain', resolve)),
    err: (text) => {
      process.stderr.write(text);
    },
    ask: async (question, { isSecret = false } = {}) => {
      if (!process.stdin.isTTY || !process.stderr.isTTY) {
        return undefined;
      }
      const { askOnTerminal } = await import('./askOnTerminal.ts');
      return askOnTerminal(question, isSecret);
    },
    style: (style, text) => styleText(style, text, { stream: process.stdout }),
  };
}
