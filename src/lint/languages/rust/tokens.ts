import type { Entry, Expression } from '../../ir.ts';
import { constantText, readEscapes } from '../lowering.ts';
import {
  callOf,
  constantOf,
  entryOf,
  listOf,
  memberOf,
  nameOf,
  objectOf,
  otherOf,
  textOfParts,
} from '../shared/build.ts';
import { closeOf, type Range, splitTop, trimmed } from './scan.ts';

/**
 * Inside a macro the grammar sees tokens only. This reads the expressions that macros such as `format!`, `vec!` and
 * `json!` are given: literals, paths, calls, fields, and macros again. Anything else keeps just the names in it.
 */

const MAX_NESTING = 24;
const FORMATS = new Set(['format', 'concat', 'anyhow', 'bail', 'format_args', 'eyre']);
/** `{}`, `{0}`, `{name:?}`; doubled braces are braces. */
const PLACE = /\{\{|\}\}|\{([^{}:]{0,80})(?::[^{}]{0,40})?\}/g;

/** What `name!(…)` gives; `range` is what stands between its brackets. */
export function macroValue(whole: Range, name: string, text: string, range: Range, depth = 0): Expression {
  const last = name.split('::').at(-1) ?? name;
  if (last === 'json') {
    return jsonValue(text, range, depth);
  }
  const args = splitTop(text, range, ',').map((part) => expressionIn(text, part, depth + 1));
  if (last === 'vec') {
    return listOf(whole, args);
  }
  const at = args.findIndex(({ kind }) => kind === 'text');
  const [format] = at < 0 ? [] : args.slice(at, at + 1);
  const constant = format === undefined ? undefined : constantText(format);
  return FORMATS.has(last) && format !== undefined && constant !== undefined
    ? textOfParts(whole, formatText(constant, format, args.slice(at + 1)))
    : callOf(whole, nameOf(whole, `${last}!`), args);
}

function formatText(constant: string, span: Range, args: readonly Expression[]): (string | Expression)[] {
  // A place that names a variable stands for it.
  const parts: (string | Expression)[] = [];
  let last = 0;
  let used = 0;
  for (const match of constant.matchAll(PLACE)) {
    const [whole, inner] = match;
    if (inner === undefined) {
      continue;
    }
    const argument = /^\d*$/.test(inner) ? args[inner === '' ? used++ : Number(inner)] : nameOf(span, inner.trim());
    parts.push(constant.slice(last, match.index), ...(argument === undefined ? [] : [argument]));
    last = match.index + whole.length;
  }
  return [...parts, constant.slice(last)].filter((part) => part !== '');
}

/** A value of `json!`: an object, a list, or an expression. */
function jsonValue(text: string, range: Range, depth: number): Expression {
  const span = trimmed(text, range);
  const open = text[span.start];
  if (depth > MAX_NESTING) {
    return otherOf(span);
  }
  const inside = { start: span.start + 1, end: span.end - 1 };
  if (open === '{') {
    const entries = splitTop(text, inside, ',').flatMap((part): Entry[] => {
      const [key, value] = splitTop(text, part, ':', 2);
      return key === undefined || value === undefined
        ? []
        : [
            entryOf(
              trimmed(text, part),
              constantText(expressionIn(text, key, depth + 1)),
              jsonValue(text, value, depth + 1),
            ),
          ];
    });
    return objectOf(span, entries);
  }
  return open === '['
    ? listOf(
        span,
        splitTop(text, inside, ',').map((part) => jsonValue(text, part, depth + 1)),
      )
    : expressionIn(text, span, depth + 1);
}

/** The expression that stands in `range`. */
function expressionIn(text: string, range: Range, depth = 0): Expression {
  const span = trimmed(text, range);
  const slice = text.slice(span.start, span.end);
  if (depth > MAX_NESTING || span.start >= span.end) {
    return otherOf(span);
  }
  const prefix = /^(?:&\s*(?:mut\s+)?|\*)+/.exec(slice);
  if (prefix !== null) {
    return { ...expressionIn(text, { start: span.start + prefix[0].length, end: span.end }, depth + 1), ...span };
  }
  const literal = literalIn(slice, span);
  if (literal !== undefined) {
    return literal;
  }
  const reader = new PostfixReader(text, span, depth);
  return reader.read() ?? otherOf(span, namesIn(slice, span));
}

function literalIn(slice: string, span: Range): Expression | undefined {
  const raw = /^b?r(#*)"([\s\S]*)"\1$/.exec(slice);
  if (raw !== null) {
    return textOfParts(span, [raw[2] ?? '']);
  }
  if (/^"(?:[^"\\]|\\[\s\S])*"$/.test(slice)) {
    return textOfParts(span, [readEscapes(slice.slice(1, -1))]);
  }
  switch (slice) {
    case 'true':
    case 'false':
      return constantOf(span, slice === 'true');
    case 'null':
    case 'None':
      return constantOf(span, null);
  }
  return /^\d[\d_.]*(?:[A-Za-z]\w*)?$/.test(slice) ? constantOf(span, Number.parseFloat(slice)) : undefined;
}

/** Names in what cannot be read: enough to know that the caught error is in it. */
const namesIn = (slice: string, span: Range): Expression[] =>
  [...slice.slice(0, 400).matchAll(/(?<![\w"'.:])[a-z_]\w*(?![\w!("':])/g)]
    .slice(0, 8)
    .map(([name]) => nameOf(span, name));

/** `a::b(c).d(e)?.await`, read from the left. */
class PostfixReader {
  readonly #text: string;
  readonly #span: Range;
  readonly #depth: number;
  #at: number;

  constructor(text: string, span: Range, depth: number) {
    this.#text = text;
    this.#span = span;
    this.#depth = depth;
    this.#at = span.start;
  }

  read(): Expression | undefined {
    let value = this.#primary();
    while (value !== undefined && this.#at < this.#span.end) {
      value = this.#postfix(value);
    }
    return value;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text.slice(this.#at, Math.min(this.#span.end, this.#at + 200)));
    if (match === null) {
      return undefined;
    }
    this.#at += match[0].length;
    return match;
  }

  #primary(): Expression | undefined {
    const { start } = this.#span;
    const text = this.#take(/^"(?:[^"\\]|\\[\s\S])*"/);
    if (text !== undefined) {
      return literalIn(text[0], { start, end: this.#at });
    }
    const macro = this.#take(/^((?:\w+::)*\w+)!\s*(?=[([{])/);
    if (macro !== undefined) {
      const inside = this.#brackets();
      return inside === undefined
        ? undefined
        : macroValue({ start, end: this.#at }, macro[1] ?? '', this.#text, inside, this.#depth + 1);
    }
    const path = this.#take(/^[A-Za-z_]\w*(?:::(?:<[^<>]*>)?[A-Za-z_]\w*)*/);
    if (path === undefined) {
      return undefined;
    }
    const names = path[0].split(/::(?:<[^<>]*>::)?/).map((name) => name.replace(/^<.*>/, ''));
    const span = { start, end: this.#at };
    const [head = '', ...rest] = names;
    return rest.reduce<Expression>((object, name) => memberOf(span, object, name), nameOf(span, head));
  }

  #postfix(value: Expression): Expression | undefined {
    const { start } = this.#span;
    if (this.#take(/^\s*(?:\?|\.await\b)/) !== undefined) {
      return { ...value, end: this.#at };
    }
    const member = this.#take(/^\s*\.\s*([A-Za-z_]\w*)(?:::<[^<>]*>)?/);
    if (member !== undefined) {
      return memberOf({ start, end: this.#at }, value, member[1] ?? '');
    }
    if (this.#text[this.#at] !== '(') {
      return undefined;
    }
    const inside = this.#brackets();
    if (inside === undefined) {
      return undefined;
    }
    const args = splitTop(this.#text, inside, ',').map((part) => expressionIn(this.#text, part, this.#depth + 1));
    const isWrapped = value.kind === 'name' && (value.name === 'Some' || value.name === 'Ok');
    const [first] = args;
    return isWrapped && first !== undefined ? first : callOf({ start, end: this.#at }, value, args);
  }

  /** What stands inside the brackets that open here; goes on behind them. */
  #brackets(): Range | undefined {
    const end = closeOf(this.#text, this.#at, this.#span.end);
    if (end === undefined) {
      return undefined;
    }
    const inside = { start: this.#at + 1, end };
    this.#at = end + 1;
    return inside;
  }
}
