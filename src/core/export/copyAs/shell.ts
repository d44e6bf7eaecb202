import { Buffer } from 'node:buffer';
import { HIDDEN_CLASS, type Part } from './parts.ts';

/** Runs of hidden characters but line feeds, and of all others. */
const RUNS = new RegExp(`((?:(?!\\n)${HIDDEN_CLASS})+)|(?:\\n|(?!${HIDDEN_CLASS})[^])+`, 'gu');

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * One word of a command line for a POSIX shell (IEEE Std 1003.1, 2.2), whatever the text: it is never expanded, split or
 * run. Hidden characters, which a terminal may obey when it is pasted into, are written by `printf` in octal; line feeds
 * stay. A NUL, which no argument can hold, becomes U+FFFD.
 */
export function shellWord(parts: readonly Part[]): string {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && 'text' in only && PLAIN.test(only.text)) {
    return only.text;
  }
  const words = parts.map((part) => ('env' in part ? `"$${part.env}"` : quoted(part.text)));
  return words.join('') || `''`;
}

/** A word of a text without variables. */
export function shellText(text: string): string {
  return shellWord([{ text }]);
}

function quoted(text: string): string {
  return [...text.replaceAll('\0', '\uFFFD').matchAll(RUNS)]
    .map(([run, hidden]) =>
      hidden === undefined
        ? // A quote cannot stand within quotes: they are closed, one is written with a backslash, and they are opened again.
          `'${run.replaceAll("'", `'\\''`)}'`
        : `"$(printf '${octal(hidden)}')"`,
    )
    .join('');
}

/** UTF-8 bytes as octal escapes of `printf`. */
function octal(text: string): string {
  return [...Buffer.from(text, 'utf8')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/**
 * A command line in one text, words quoted, as `faultline call --command` splits it. Variables stay parts of it.
 */
export function commandLine(words: readonly (readonly Part[])[]): readonly Part[] {
  return words.flatMap((parts, index): readonly Part[] => [
    ...(index === 0 ? [] : [{ text: ' ' }]),
    ...parts.flatMap((part): readonly Part[] =>
      'env' in part ? [{ text: "'" }, part, { text: "'" }] : [{ text: innerWord(part.text) }],
    ),
  ]);
}

function innerWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
