import { assertNever } from '../../../../src/base/assertNever.ts';
import { parseRegex, type RegexNode } from './regexSyntax.ts';

type Step =
  | { readonly op: 'set'; readonly has: (char: string) => boolean }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'goto'; readonly to: number }
  | { readonly op: 'keep'; readonly slot: number }
  | { readonly op: 'moved'; readonly slot: number }
  | { readonly op: 'edge'; readonly kind: '^' | '$' | 'b' | 'B' }
  | {
      readonly op: 'look';
      readonly program: Program;
      readonly widths: readonly number[] | undefined;
      readonly isNegative: boolean;
    }
  | { readonly op: 'back'; readonly index: number }
  | { readonly op: 'found' };

type Program = readonly Step[];

/** A pattern that can be run by backtracking, as the platform does, counting what that costs. */
export interface CountingRegex {
  readonly node: RegexNode;
  /**
   * Steps for all that `exec`, or `matchAll` and `replace` where the pattern is global, would try on the text; `limit` when
   * it is not over by then.
   */
  steps(text: string, limit: number): number;
}

/** Compiles a pattern so that its cost is counted rather than timed. Throws on a look-behind of unbounded length. */
export function countingRegex(regex: RegExp): CountingRegex {
  const node = parseRegex(regex);
  const program = programOf(node);
  return {
    node,
    steps: (text, limit) => {
      const chars = regex.flags.includes('u') ? Array.from(text) : text.split('');
      const run = new Run(chars, regex.multiline, regex.ignoreCase, limit);
      let start = 0;
      while (start <= chars.length && run.steps < limit) {
        const end = run.match(program, start);
        if (regex.sticky || (end !== undefined && !regex.global)) {
          break;
        }
        start = end === undefined ? start + 1 : Math.max(end, start + 1);
      }
      return Math.min(run.steps, limit);
    },
  };
}

/** A thread that is tried when those before it have failed. */
interface Thread {
  readonly at: number;
  readonly position: number;
  readonly slots: readonly (number | undefined)[];
}

class Run {
  steps = 0;
  private readonly chars: readonly string[];
  private readonly isMultiline: boolean;
  private readonly ignoresCase: boolean;
  private readonly limit: number;

  constructor(chars: readonly string[], isMultiline: boolean, ignoresCase: boolean, limit: number) {
    this.chars = chars;
    this.isMultiline = isMultiline;
    this.ignoresCase = ignoresCase;
    this.limit = limit;
  }

  /** Where the first match that begins at `start` ends. */
  match(
    program: Program,
    start: number,
    given: readonly (number | undefined)[] = [],
    end?: number,
  ): number | undefined {
    const threads: Thread[] = [{ at: 0, position: start, slots: given }];
    for (let thread = threads.pop(); thread !== undefined; thread = threads.pop()) {
      let { at, position, slots } = thread;
      let isAlive = true;
      while (isAlive) {
        this.steps += 1;
        if (this.steps >= this.limit) {
          return undefined;
        }
        const step = program[at];
        at += 1;
        switch (step?.op) {
          case undefined:
          case 'found':
            if (end === undefined || position === end) {
              return position;
            }
            isAlive = false;
            break;
          case 'set':
            isAlive = position < this.chars.length && step.has(this.chars[position] ?? '');
            position += 1;
            break;
          case 'split':
            threads.push({ at: step.second, position, slots });
            at = step.first;
            break;
          case 'goto':
            at = step.to;
            break;
          case 'keep':
            slots = withSlot(slots, step.slot, position);
            break;
          case 'moved':
            isAlive = slots[step.slot] !== position;
            break;
          case 'edge':
            isAlive = this.isAtEdge(step.kind, position);
            break;
          case 'look':
            isAlive = this.looks(step, position, slots) !== step.isNegative;
            break;
          case 'back': {
            const length = this.backLength(slots, step.index, position);
            isAlive = length !== undefined;
            position += length ?? 0;
            break;
          }
          default:
            assertNever(step);
        }
      }
    }
    return undefined;
  }

  private looks(step: Extract<Step, { op: 'look' }>, position: number, slots: Thread['slots']): boolean {
    if (step.widths === undefined) {
      return this.match(step.program, position, slots) !== undefined;
    }
    return step.widths.some(
      (width) => width <= position && this.match(step.program, position - width, slots, position) !== undefined,
    );
  }

  private isAtEdge(kind: '^' | '$' | 'b' | 'B', position: number): boolean {
    const isWord = (at: number) => /^\w$/.test(this.chars[at] ?? '');
    switch (kind) {
      case '^':
        return position === 0 || (this.isMultiline && this.chars[position - 1] === '\n');
      case '$':
        return position === this.chars.length || (this.isMultiline && this.chars[position] === '\n');
      case 'b':
        return isWord(position - 1) !== isWord(position);
      case 'B':
        return isWord(position - 1) === isWord(position);
      default:
        return assertNever(kind);
    }
  }

  private backLength(slots: Thread['slots'], index: number, position: number): number | undefined {
    const [from, to] = [slots[index * 2], slots[index * 2 + 1]];
    if (from === undefined || to === undefined) {
      return 0;
    }
    const fold = (text: string) => (this.ignoresCase ? text.toLowerCase() : text);
    for (let offset = 0; offset < to - from; offset++) {
      this.steps += 1;
      const next = this.chars[position + offset];
      if (next === undefined || fold(this.chars[from + offset] ?? '') !== fold(next)) {
        return undefined;
      }
    }
    return to - from;
  }
}

function withSlot(slots: Thread['slots'], slot: number, position: number): Thread['slots'] {
  const copy = slots.slice();
  copy[slot] = position;
  return copy;
}

/** Copies that a counted repetition is written out as; more would be compiled for ever. */
const MAX_STEPS = 200_000;

function programOf(node: RegexNode): Program {
  const program: Step[] = [];
  let groups = 0;
  contains(node, (each) => {
    groups = each.type === 'group' ? Math.max(groups, each.index) : groups;
    return false;
  });
  // Slots beyond those of groups are those of loops that must move on.
  let loops = groups * 2 + 2;
  const hasBacks = contains(node, (each) => each.type === 'back');
  const add = (step: Step): number => {
    if (program.length > MAX_STEPS) {
      throw new Error('too many repetitions to write out');
    }
    return program.push(step) - 1;
  };
  const write = (each: RegexNode): void => {
    switch (each.type) {
      case 'set':
        add({ op: 'set', has: each.has });
        return;
      case 'sequence':
        each.nodes.forEach(write);
        return;
      case 'choice': {
        const ends: number[] = [];
        each.nodes.forEach((branch, index) => {
          if (index === each.nodes.length - 1) {
            write(branch);
            return;
          }
          const split = add({ op: 'found' });
          write(branch);
          ends.push(add({ op: 'found' }));
          program[split] = { op: 'split', first: split + 1, second: program.length };
        });
        for (const end of ends) {
          program[end] = { op: 'goto', to: program.length };
        }
        return;
      }
      case 'group':
        if (hasBacks) {
          add({ op: 'keep', slot: each.index * 2 });
        }
        write(each.node);
        if (hasBacks) {
          add({ op: 'keep', slot: each.index * 2 + 1 });
        }
        return;
      case 'repeat':
        writeRepeat(each);
        return;
      case 'look': {
        const [low, high] = widthOf(each.node);
        if (each.isBehind && high > 1000) {
          throw new Error('a look-behind without bounds');
        }
        const widths = each.isBehind ? Array.from({ length: high - low + 1 }, (_, index) => low + index) : undefined;
        add({ op: 'look', program: programOf(each.node), widths, isNegative: each.isNegative });
        return;
      }
      case 'edge':
        add({ op: 'edge', kind: each.kind });
        return;
      case 'back':
        add({ op: 'back', index: each.index });
        return;
      default:
        assertNever(each);
    }
  };
  const writeRepeat = ({ min, max, isLazy, node: body }: Extract<RegexNode, { type: 'repeat' }>): void => {
    for (let count = 0; count < min; count++) {
      write(body);
    }
    const optional = (rest: () => void) => {
      const split = add({ op: 'found' });
      rest();
      const [into, past] = [split + 1, program.length];
      program[split] = { op: 'split', first: isLazy ? past : into, second: isLazy ? into : past };
    };
    if (max === Number.POSITIVE_INFINITY) {
      const canBeEmpty = widthOf(body)[0] === 0;
      optional(() => {
        const split = program.length - 1;
        const slot = loops++;
        if (canBeEmpty) {
          add({ op: 'keep', slot });
        }
        write(body);
        if (canBeEmpty) {
          add({ op: 'moved', slot });
        }
        add({ op: 'goto', to: split });
      });
      return;
    }
    const splits: number[] = [];
    for (let count = min; count < max; count++) {
      splits.push(add({ op: 'found' }));
      write(body);
    }
    for (const split of splits) {
      const [into, past] = [split + 1, program.length];
      program[split] = { op: 'split', first: isLazy ? past : into, second: isLazy ? into : past };
    }
  };
  write(node);
  add({ op: 'found' });
  return program;
}

/** Does a part of the pattern hold? */
export function contains(node: RegexNode, holds: (node: RegexNode) => boolean): boolean {
  if (holds(node)) {
    return true;
  }
  if ('nodes' in node) {
    return node.nodes.some((each) => contains(each, holds));
  }
  return 'node' in node && contains(node.node, holds);
}

/** Least and greatest number of characters that a part takes. */
export function widthOf(node: RegexNode): readonly [number, number] {
  switch (node.type) {
    case 'set':
      return [1, 1];
    case 'sequence': {
      const widths = node.nodes.map(widthOf);
      return [widths.reduce((sum, [low]) => sum + low, 0), widths.reduce((sum, [, high]) => sum + high, 0)];
    }
    case 'choice': {
      const widths = node.nodes.map(widthOf);
      return [Math.min(...widths.map(([low]) => low)), Math.max(...widths.map(([, high]) => high))];
    }
    case 'group':
      return widthOf(node.node);
    case 'repeat': {
      const [low, high] = widthOf(node.node);
      return [low * node.min, high === 0 ? 0 : high * node.max];
    }
    case 'look':
    case 'edge':
      return [0, 0];
    case 'back':
      return [0, Number.POSITIVE_INFINITY];
    default:
      return assertNever(node);
  }
}
