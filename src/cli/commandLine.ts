/**
 * Splits a command line into words as a POSIX shell does, with quotes and backslashes and nothing else: no variables, no
 * globs. Returns `undefined` when a quote is left open.
 */
export function splitCommandLine(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'" && index + 1 < line.length) {
      index += 1;
      word = (word ?? '') + line.charAt(index);
    } else if (quote !== undefined) {
      quote = character === quote ? undefined : quote;
      word = (word ?? '') + (quote === undefined ? '' : character);
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) {
        words.push(word);
        word = undefined;
      }
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) {
    return undefined;
  }
  return word === undefined ? words : [...words, word];
}
