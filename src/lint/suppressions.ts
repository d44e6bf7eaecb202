import type { SourceText } from './syntax.ts';

const MARK = /faultline-disable-(next-line|line|file)\b((?:[ \t,]*FL\d{3})*)/g;
const COMMENT = /(?:#|\/\/|\/\*|\*)[ \t]*$/;

/**
 * Which findings comments switch off: `faultline-disable-next-line FL001 -- reason`, also `-line` and `-file`. Without
 * codes a comment switches off every rule. Lines are 0-based.
 */
export class Suppressions {
  readonly #lines = new Map<number, Set<string>>();
  readonly #file = new Set<string>();

  constructor(source: SourceText) {
    if (!source.text.includes('faultline-disable-')) {
      return;
    }
    for (const match of source.text.matchAll(MARK)) {
      const line = source.lineAt(match.index);
      if (!COMMENT.test(source.text.slice(source.lineStart(line), match.index))) {
        continue;
      }
      const codes = match[2]?.match(/FL\d{3}/g) ?? ['*'];
      const target = match[1] === 'file' ? this.#file : this.#at(match[1] === 'line' ? line : line + 1);
      for (const code of codes) {
        target.add(code);
      }
    }
  }

  covers(code: string, line: number): boolean {
    return [this.#file, this.#lines.get(line)].some((set) => set !== undefined && (set.has(code) || set.has('*')));
  }

  #at(line: number): Set<string> {
    const known = this.#lines.get(line) ?? new Set<string>();
    this.#lines.set(line, known);
    return known;
  }
}
