import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks the person at the terminal, on stderr, so that stdout stays what the command prints. `undefined` after Ctrl+D. */
export async function askOnTerminal(question: string, isSecret: boolean): Promise<string | undefined> {
  // What readline would show of a secret goes nowhere.
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  if (isSecret) {
    process.stderr.write(question);
  }
  const answer = await Promise.race([lines.question(isSecret ? '' : question), closed]);
  lines.close();
  if (isSecret) {
    process.stderr.write('\n');
  }
  return answer;
}
