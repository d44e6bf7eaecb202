import { isArray } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import { type EnvNames, type Part, replaceHidden, unitEscapes } from './parts.ts';

/** How a language writes values. */
export interface Language {
  readonly string: (text: string) => string;
  readonly env: (name: string) => string;
  readonly join: string;
  readonly name: (value: boolean | null) => string;
  /** What equals any value of a kind. */
  readonly any: (value: JsonValue) => string;
  readonly key: (name: string) => string;
}

/** A string of JavaScript; what cannot be seen is written as an escape. */
export function jsString(text: string): string {
  return replaceHidden(JSON.stringify(text), (_code, character) => unitEscapes(character));
}

/** A string of Python; its escapes are those of JSON but for characters beyond U+FFFF. */
export function pyString(text: string): string {
  return replaceHidden(JSON.stringify(text), (code, character) =>
    code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : unitEscapes(character),
  );
}

export const JAVASCRIPT: Language = {
  string: jsString,
  env: (name) => `(process.env.${name} ?? '')`,
  join: ' + ',
  name: String,
  any: (value) => (typeof value === 'number' ? 'expect.any(Number)' : 'expect.any(String)'),
  // `__proto__` as a plain key would set the prototype.
  key: (name) => (name === '__proto__' ? `[${jsString(name)}]` : jsString(name)),
};

export const PYTHON: Language = {
  string: pyString,
  env: (name) => `os.environ[${pyString(name)}]`,
  join: ' + ',
  name: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  any: () => 'ANY',
  key: pyString,
};

/** A text in parts as one expression. */
export function expressionOf(parts: readonly Part[], language: Language): string {
  return parts.map((part) => ('env' in part ? language.env(part.env) : language.string(part.text))).join(language.join);
}

export interface LiteralOptions {
  readonly language: Language;
  /** Columns before the lines after the first. */
  readonly indent: number;
  readonly env: EnvNames;
  /** Values to write as what equals anything; absent for values that are sent. */
  readonly isVolatile?: (name: string | undefined, value: JsonValue) => boolean;
}

const MAX_LINE = 90;

/** A JSON value as a literal, in one line where it is short, else one member a line. */
export function literal(value: JsonValue, options: LiteralOptions, name?: string): string {
  if (options.isVolatile?.(name, value) === true) {
    return options.language.any(value);
  }
  if (typeof value === 'string') {
    return expressionOf(options.env.partsOf(value, name ?? 'value', 'recorded'), options.language);
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number' ? number(value) : options.language.name(value);
  }
  const deeper = { ...options, indent: options.indent + 2 };
  return isArray(value)
    ? bracketed(
        '[',
        ']',
        value.map((item) => literal(item, deeper, name)),
        options.indent,
      )
    : bracketed(
        '{',
        '}',
        Object.entries(value).map(([key, item]) => `${options.language.key(key)}: ${literal(item, deeper, key)}`),
        options.indent,
      );
}

/** JSON has no infinity, but a number too large for a double is read as one. */
function number(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? '1e999' : '-1e999';
}

function bracketed(open: string, close: string, items: readonly string[], indent: number): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length + indent <= MAX_LINE && !line.includes('\n')) {
    return line;
  }
  const pad = ' '.repeat(indent + 2);
  return `${open}\n${items.map((item) => `${pad}${item},`).join('\n')}\n${' '.repeat(indent)}${close}`;
}
