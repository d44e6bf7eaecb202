import type { SourceText } from './syntax.ts';

const MARK =
  /faultline-(?:disable-(?<place>next-line|line|file)|(?<block>disable|enable))(?![\w-])(?<codes>(?:[ \t,]*FL\d{3})*)/g;
const COMMENT = /(?:#|\/\/|\/\*|\*)[ \t]*$/;

/** A comment that switches rules off. */
export interface Suppression {
  /** Offsets of its words, from `faultline` to the last code. */
  readonly start: number;
  readonly end: number;
  /** Undefined: every rule. */
  readonly codes: readonly string[] | undefined;
}

export interface UnusedSuppression extends Suppression {
  /** Those of its codes that switch nothing off; undefined when it names none. */
  readonly unused: readonly string[] | undefined;
}

interface Entry extends Suppression {
  /** The first 0-based line that it covers. */
  readonly first: number;
  /** The last one, by code; a block that is still open ends at infinity. */
  readonly last: Map<string, number>;
  readonly used: Set<string>;
}

/** Blocks and whole files; more no one writes, and each costs at every finding. */
const MAX_RANGES = 500;
const ALL = '*';
/** The rule about these comments, which only its own code switches off. */
const OF_THIS = 'FL000';

/**
 * Which findings comments switch off: `faultline-disable-next-line FL001 -- reason`, also `-line` and `-file`, and
 * `faultline-disable FL001` up to `faultline-enable FL001` or the end of the file. Without codes a comment switches off
 * every rule. Lines are 0-based.
 */
export class Suppressions {
  readonly #entries: Entry[] = [];
  /** Those for one line, by that line. */
  readonly #lines = new Map<number, Entry[]>();
  readonly #ranges: Entry[] = [];
  /** Blocks that `faultline-enable` may still end. */
  #open: Entry[] = [];

  constructor(source: SourceText) {
    if (!source.text.includes('faultline-')) {
      return;
    }
    for (const match of source.text.matchAll(MARK)) {
      const line = source.lineAt(match.index);
      if (COMMENT.test(source.text.slice(source.lineStart(line), match.index))) {
        this.#add(match, line);
      }
    }
  }

  /** Whether a finding of `code` on `line` is switched off; remembers that the comment was of use. */
  covers(code: string, line: number): boolean {
    let isCovered = false;
    for (const { codes, first, last, used } of [...(this.#lines.get(line) ?? []), ...this.#ranges]) {
      // A comment that is of no use does not hide that it is.
      const key = codes === undefined && code !== OF_THIS ? ALL : code;
      if (line >= first && line <= (last.get(key) ?? -1)) {
        used.add(key);
        isCovered = true;
      }
    }
    return isCovered;
  }

  /** The comments that switched nothing off, after all of `checked` ran. Codes of rules that did not run are left alone. */
  unused(checked: ReadonlySet<string>): readonly UnusedSuppression[] {
    return this.#entries.flatMap((entry): UnusedSuppression[] => {
      const { start, end, codes, used } = entry;
      if (codes === undefined) {
        return used.size === 0 ? [{ start, end, codes, unused: undefined }] : [];
      }
      const unused = codes.filter((code) => !used.has(code) && (checked.has(code) || !KNOWN.test(code)));
      return unused.length === 0 ? [] : [{ start, end, codes, unused }];
    });
  }

  #add(match: RegExpExecArray, line: number): void {
    const start = match.index;
    const end = start + match[0].length;
    const codes = match.groups?.['codes']?.match(/FL\d{3}/g) ?? undefined;
    const { place, block } = match.groups ?? {};
    if (block === 'enable') {
      this.#close(codes, line);
      return;
    }
    const first = place === 'file' ? 0 : place === 'next-line' ? line + 1 : line;
    const lastLine = place === 'line' || place === 'next-line' ? first : Number.POSITIVE_INFINITY;
    const last = new Map((codes ?? [ALL]).map((code) => [code, lastLine]));
    const entry: Entry = { start, end, codes, first, last, used: new Set() };
    if (lastLine === first) {
      this.#lines.set(first, [...(this.#lines.get(first) ?? []), entry]);
    } else if (this.#ranges.length < MAX_RANGES) {
      this.#ranges.push(entry);
      this.#open.push(...(block === undefined ? [] : [entry]));
    } else {
      return;
    }
    this.#entries.push(entry);
  }

  /** Ends the open blocks that are about the same rules; `faultline-enable` alone ends all of them. */
  #close(codes: readonly string[] | undefined, line: number): void {
    for (const { last } of this.#open) {
      for (const [code, end] of last) {
        if (end === Number.POSITIVE_INFINITY && (codes === undefined || codes.includes(code))) {
          last.set(code, line);
        }
      }
    }
    this.#open = this.#open.filter(({ last }) => [...last.values()].includes(Number.POSITIVE_INFINITY));
  }
}

/** Codes of rules that exist; any other code is a slip. */
const KNOWN = /^FL0(?:0\d|1[0-4])$/;
