/** A piece of a text: as it stands, or the environment variable that holds it. */
export type Part = { readonly text: string } | { readonly env: string };

/** What the log and recorded headers have in the place of a secret. */
const PLACEHOLDER = String.raw`\[redacted(?::([^\]:\s]{1,60}):([0-9a-f]{1,12}))?\]`;
/** What a definition has in the place of a value. */
const VARIABLE = String.raw`\$\{(env|input|secret):([^}]{1,100})\}`;

const ABSENT = {
  recorded: new RegExp(PLACEHOLDER, 'g'),
  definition: new RegExp(`${PLACEHOLDER}|${VARIABLE}`, 'g'),
};

/**
 * Where a text comes from. What was recorded can hold what a server wrote: it must not be able to name a variable of
 * the person who runs the copy.
 */
export type TextSource = keyof typeof ABSENT;

/** Before the names of variables that we choose. */
const PREFIX = 'FAULTLINE_';

/** Characters that a reader cannot see or that reorder what he sees (Unicode TR36), as in the page's own list. */
export const HIDDEN_CLASS = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]`;

const HIDDEN = new RegExp(HIDDEN_CLASS, 'gu');

/** Replaces each hidden character by what `escaped` makes of its code point. A lone surrogate is one of them. */
export function replaceHidden(text: string, escaped: (codePoint: number, character: string) => string): string {
  return text.replace(HIDDEN, (character) => escaped(character.codePointAt(0) ?? 0, character));
}

/** `\uXXXX` for each UTF-16 unit of a character: an escape in JSON, JavaScript and Java alike. */
export function unitEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** Gives names of environment variables: the same secret the same name, different ones different names. */
export class EnvNames {
  private readonly bySecret = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** In the order in which they were asked for. */
  get names(): readonly string[] {
    return [...this.taken];
  }

  /** The variable for a secret; `hint` says what it is called where it stands. */
  nameOf(secret: string, hint: string, prefix = PREFIX): string {
    const known = this.bySecret.get(secret);
    if (known !== undefined) {
      return known;
    }
    const plain = hint
      .slice(0, 100)
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    const base = `${/^\d/.test(plain) || plain === '' ? PREFIX : prefix}${plain === '' ? 'SECRET' : plain}`;
    let name = base;
    for (let number = 2; this.taken.has(name); number += 1) {
      name = `${base}_${number}`;
    }
    this.bySecret.set(secret, name);
    this.taken.add(name);
    return name;
  }

  /** Notes a variable that a program reads by its own name. */
  note(name: string): void {
    this.taken.add(name);
  }

  /** A text in parts. `owner` names what the text is the value of, for placeholders that say nothing themselves. */
  partsOf(text: string, owner: string, source: TextSource): readonly Part[] {
    const parts: Part[] = [];
    let from = 0;
    for (const match of text.matchAll(ABSENT[source])) {
      if (match.index > from) {
        parts.push({ text: text.slice(from, match.index) });
      }
      parts.push({ env: this.variableFor(match, owner) });
      from = match.index + match[0].length;
    }
    if (from < text.length || parts.length === 0) {
      parts.push({ text: text.slice(from) });
    }
    return parts;
  }

  private variableFor([whole, kind, digits, type, variable]: RegExpExecArray, owner: string): string {
    if (variable !== undefined && type === 'env' && /^[A-Za-z_]\w*$/.test(variable)) {
      this.note(variable);
      return variable;
    }
    if (variable !== undefined) {
      return this.nameOf(whole, variable, '');
    }
    return this.nameOf(digits === undefined ? `${owner} ${whole}` : whole, kind ?? owner);
  }
}
