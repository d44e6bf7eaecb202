import { assertNever } from '../../../../src/base/assertNever.ts';
import { widthOf } from './regexSteps.ts';
import type { RegexNode } from './regexSyntax.ts';

/** A beginning, what is repeated, and what spoils the match at last. */
export interface Attack {
  readonly head: string;
  readonly pump: string;
  readonly tail: string;
}

const ALPHABET = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...'\t\n\r\0éß中\u200b\u202e\u2013\u2028',
];

/** Neither of these is what most patterns want next. */
const SPOILERS = ['\0', '', '\n', 'a'];

/** Texts that make a pattern try much for nothing: for each part that repeats, what leads there, it again and again, a spoiler. */
export function attacksOn(node: RegexNode): readonly Attack[] {
  const attacks = new Map<string, Attack>();
  const add = (head: string, pump: string) => {
    if (pump !== '') {
      for (const tail of SPOILERS) {
        attacks.set(JSON.stringify([head, pump, tail]), { head, pump, tail });
      }
    }
  };
  walk(node, '', (head, repeated) => {
    for (const pump of witnesses(repeated, 4)) {
      add(head, pump);
    }
  });
  for (const whole of witnesses(node, 3)) {
    // Nearly a match, again and again: what is sought from each place anew.
    add('', whole.slice(0, -1));
    add('', `${whole.slice(0, -1)} `);
  }
  for (const char of leadingChars(node)) {
    add('', char);
  }
  return [...attacks.values()];
}

/** The attack's text at a length in UTF-16 units, about. */
export function textOf({ head, pump, tail }: Attack, length: number): string {
  return head + pump.repeat(Math.ceil(length / pump.length)) + tail;
}

/** Calls for each part that repeats without a bound, or often, with a text that leads to it. */
function walk(node: RegexNode, head: string, visit: (head: string, repeated: RegexNode) => void): void {
  switch (node.type) {
    case 'sequence': {
      let before = head;
      for (const each of node.nodes) {
        walk(each, before, visit);
        before += witnesses(each, 1)[0] ?? '';
      }
      return;
    }
    case 'choice':
      for (const each of node.nodes) {
        walk(each, head, visit);
      }
      return;
    case 'repeat':
      if (node.max > 8) {
        visit(head, node.node);
      }
      walk(node.node, head, visit);
      return;
    case 'group':
    case 'look':
      walk(node.node, head, visit);
      return;
    default:
      return;
  }
}

/** Some of the texts that a part matches, short ones, at most `max`. */
function witnesses(node: RegexNode, max: number): readonly string[] {
  switch (node.type) {
    case 'set': {
      // From all over what it has, since another part may have only some of it.
      const chars = ALPHABET.filter(node.has);
      const step = Math.max(1, Math.floor(chars.length / max));
      return chars.filter((_, index) => index % step === 0).slice(0, max);
    }
    case 'sequence':
      return node.nodes.reduce<readonly string[]>(
        (heads, each) => {
          const tails = witnesses(each, max);
          return tails.length === 0
            ? heads
            : Array.from(
                { length: Math.min(max, Math.max(heads.length, tails.length)) },
                (_, index) => `${heads[index % heads.length] ?? ''}${tails[index % tails.length] ?? ''}`,
              );
        },
        [''],
      );
    case 'choice':
      return node.nodes
        .flatMap((each) => witnesses(each, Math.max(1, Math.floor(max / node.nodes.length))))
        .slice(0, max);
    case 'group':
      return witnesses(node.node, max);
    case 'repeat': {
      const count = Math.max(node.min, node.max === 0 ? 0 : 1);
      return witnesses(node.node, max).map((text) => text.repeat(Math.min(count, 50)));
    }
    case 'look':
    case 'edge':
    case 'back':
      return [''];
    default:
      return assertNever(node);
  }
}

/** A character of each set that the pattern has, those that it can begin with among them. */
function leadingChars(node: RegexNode): ReadonlySet<string> {
  const chars = new Set<string>();
  const visit = (each: RegexNode): void => {
    if (each.type === 'set') {
      const [first] = witnesses(each, 1);
      if (first !== undefined) {
        chars.add(first);
      }
    } else if ('nodes' in each) {
      each.nodes.slice(0, 8).forEach(visit);
    } else if ('node' in each && widthOf(each.node)[1] > 0) {
      visit(each.node);
    }
  };
  visit(node);
  return new Set([...chars].slice(0, 8));
}
