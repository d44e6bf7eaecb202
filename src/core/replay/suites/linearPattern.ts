import { messageOf } from '../../../base/messageOf.ts';

/** A pattern that is looked for in time linear in the text. */
export interface LinearPattern {
  /** Whether it is found anywhere in `text`. */
  test(text: string): boolean;
}

/** Most states of an automaton, and the most often that one part is repeated. */
const MAX_STATES = 4000;
const MAX_REPEAT = 500;

type State =
  | { readonly kind: 'one'; readonly is: (character: string) => boolean; next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'at'; readonly where: 'start' | 'end' | 'boundary' | 'inside'; next: number }
  | { readonly kind: 'found' };

class Unusable extends Error {}

/**
 * Compiles a regular expression in the syntax of JavaScript (flag `u`) without look-around and back-references, which no
 * automaton has: it is run as one (Thompson, 1968), so that no text and no pattern takes long. A sentence when it is none.
 */
export function compileLinear(source: string): LinearPattern | { readonly problem: string } {
  try {
    // Says better than we could what is wrong with it.
    new RegExp(source, 'u');
    const states = new Compiler(source).compile();
    return { test: (text) => isFound(states, text) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** A part of an automaton: its first state, and the places that what follows is entered in. */
interface Part {
  readonly first: number;
  readonly open: readonly ((next: number) => void)[];
}

class Compiler {
  private readonly source: string;
  private at = 0;
  private readonly states: State[] = [];

  constructor(source: string) {
    this.source = source;
  }

  compile(): readonly State[] {
    const whole = this.alternatives(0);
    const found = this.add({ kind: 'found' });
    join(whole, found);
    // The automaton begins with the last state.
    this.add({ kind: 'split', next: whole.first, other: whole.first });
    return this.states;
  }

  private alternatives(depth: number): Part {
    if (depth > 50) {
      throw new Unusable('nested too deep');
    }
    let part = this.sequence(depth);
    while (this.source[this.at] === '|') {
      this.at += 1;
      const other = this.sequence(depth);
      const first = this.add({ kind: 'split', next: part.first, other: other.first });
      part = { first, open: [...part.open, ...other.open] };
    }
    return part;
  }

  private sequence(depth: number): Part {
    let part = this.nothing();
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const item = this.repeated(depth);
      join(part, item.first);
      part = { first: part.first, open: item.open };
    }
    return part;
  }

  private repeated(depth: number): Part {
    const from = this.at;
    const once = this.atom(depth);
    const to = this.at;
    const times = this.quantifier();
    if (times === undefined) {
      return once;
    }
    const [least, most] = times;
    const after = this.at;
    const again = () => {
      this.at = from;
      const part = this.atom(depth);
      this.at = to;
      return part;
    };
    let part = this.nothing();
    const append = (next: Part) => {
      join(part, next.first);
      part = { first: part.first, open: next.open };
    };
    for (let count = 0; count < least; count += 1) {
      append(count === 0 ? once : again());
    }
    if (most === Number.POSITIVE_INFINITY) {
      append(this.star(least === 0 ? once : again()));
    } else {
      const ways: ((next: number) => void)[] = [];
      for (let count = least; count < most; count += 1) {
        const optional = count === 0 ? once : again();
        const { state, index } = this.split(optional.first);
        join(part, index);
        ways.push((next) => {
          state.other = next;
        });
        part = { first: part.first, open: optional.open };
      }
      part = { first: part.first, open: [...part.open, ...ways] };
    }
    this.at = after;
    return part;
  }

  private star(part: Part): Part {
    const { state, index } = this.split(part.first);
    join(part, index);
    return {
      first: index,
      open: [
        (next) => {
          state.other = next;
        },
      ],
    };
  }

  /** How often, at least and at most; lazy ones find the same. */
  private quantifier(): readonly [number, number] | undefined {
    const [whole, sign, least, comma, most] = /^(?:([*+?])|\{(\d{1,6})(,(\d{0,6}))?\})\??/.exec(this.rest()) ?? [];
    if (whole === undefined) {
      return undefined;
    }
    this.at += whole.length;
    if (sign !== undefined) {
      return sign === '?' ? [0, 1] : [sign === '+' ? 1 : 0, Number.POSITIVE_INFINITY];
    }
    const from = Number(least);
    const to = comma === undefined ? from : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    if (from > MAX_REPEAT || (Number.isFinite(to) && to > MAX_REPEAT)) {
      throw new Unusable(`repeats more than ${MAX_REPEAT} times`);
    }
    return [from, to];
  }

  private atom(depth: number): Part {
    const character = this.source[this.at];
    if (character === '(') {
      return this.group(depth);
    }
    if (character === '^' || character === '$') {
      this.at += 1;
      return this.place(character === '^' ? 'start' : 'end');
    }
    const [boundary] = /^\\[bB]/.exec(this.rest()) ?? [];
    if (boundary !== undefined) {
      this.at += 2;
      return this.place(boundary === '\\b' ? 'boundary' : 'inside');
    }
    return this.one();
  }

  private group(depth: number): Part {
    const [opening = '('] = /^\((?:\?:|\?<[A-Za-z_$][\w$]*>)?/.exec(this.rest()) ?? [];
    this.at += opening.length;
    if (this.source[this.at] === '?') {
      throw new Unusable('look-around is not supported');
    }
    const inner = this.alternatives(depth + 1);
    this.at += 1;
    return inner;
  }

  /** One character: a class, an escape or itself, which the platform's own engine compares, one character at a time. */
  private one(): Part {
    const [text] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\c[A-Za-z]|\\.|.)/su.exec(
        this.rest(),
      ) ?? [];
    if (text === undefined || /^\\[1-9k]/.test(text)) {
      throw new Unusable('back-references are not supported');
    }
    this.at += text.length;
    const single = new RegExp(`^${text}$`, 'u');
    return this.step({ kind: 'one', is: (character) => single.test(character), next: -1 });
  }

  private place(where: 'start' | 'end' | 'boundary' | 'inside'): Part {
    return this.step({ kind: 'at', where, next: -1 });
  }

  private step(state: Extract<State, { next: number }>): Part {
    const first = this.add(state);
    return {
      first,
      open: [
        (next) => {
          state.next = next;
        },
      ],
    };
  }

  /** A state that leads on by itself. */
  private nothing(): Part {
    const state: State = { kind: 'split', next: -1, other: -1 };
    return {
      first: this.add(state),
      open: [
        (next) => {
          state.next = next;
          state.other = next;
        },
      ],
    };
  }

  private split(next: number) {
    const state: Extract<State, { kind: 'split' }> = { kind: 'split', next, other: -1 };
    return { state, index: this.add(state) };
  }

  private add(state: State): number {
    if (this.states.length >= MAX_STATES) {
      throw new Unusable('too large');
    }
    return this.states.push(state) - 1;
  }

  private rest(): string {
    return this.source.slice(this.at);
  }
}

function join({ open }: Part, next: number): void {
  for (const enter of open) {
    enter(next);
  }
}

const isWord = (character: string | undefined) => character !== undefined && /^\w$/.test(character);

/** Every state that can be reached is looked at once a character. */
function isFound(states: readonly State[], text: string): boolean {
  const characters = [...text];
  let current = new Set<number>();
  for (let at = 0; at <= characters.length; at += 1) {
    const before = characters[at - 1];
    const character = characters[at];
    const pending = [...current, states.length - 1];
    const reached = new Set<number>();
    const next = new Set<number>();
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      const state = states[index];
      if (state === undefined || reached.has(index)) {
        continue;
      }
      reached.add(index);
      switch (state.kind) {
        case 'found':
          return true;
        case 'split':
          pending.push(state.next, state.other);
          break;
        case 'one':
          if (character !== undefined && state.is(character)) {
            next.add(state.next);
          }
          break;
        case 'at':
          if (holds(state.where, before, character)) {
            pending.push(state.next);
          }
      }
    }
    current = next;
  }
  return false;
}

function holds(
  where: 'start' | 'end' | 'boundary' | 'inside',
  before: string | undefined,
  after: string | undefined,
): boolean {
  switch (where) {
    case 'start':
      return before === undefined;
    case 'end':
      return after === undefined;
    case 'boundary':
      return isWord(before) !== isWord(after);
    case 'inside':
      return isWord(before) === isWord(after);
  }
}
