import { type Node, printParseErrorCode } from 'jsonc-parser';
import type { TextArgs } from '../../../base/text.ts';
import { readTree } from '../../jsonc/readTree.ts';

/** Why a configuration is left as it is: a code of `protocol/texts/tapConfig.ts`. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code: string;
  readonly args: TextArgs;
}

/** A configuration with an edit applied. */
export interface Edited {
  readonly kind: 'edited';
  readonly text: string;
}

/** A piece of the text that another takes the place of. Offsets are UTF-16 units. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function refused(code: string, args: TextArgs = {}): Refusal {
  return { kind: 'refused', code: `tap.edit.${code}`, args };
}

/** Reads a configuration with comments, trailing commas and a byte order mark; one with any other fault is refused. */
export function configTree(text: string): Node | Refusal {
  const { tree, errors } = readTree(text);
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    const line = text.slice(0, first?.offset ?? 0).split(/\r\n|\r|\n/).length;
    return refused('syntax', { problem: first === undefined ? 'Empty' : printParseErrorCode(first.error), line });
  }
  return tree;
}

/** The members of that name: more than one is what an edit could not undo, since clients differ in which one counts. */
export function membersOf(node: Node, name: string): readonly Node[] {
  return node.type === 'object' ? (node.children ?? []).filter((member) => member.children?.[0]?.value === name) : [];
}

/** The only member of that name; `undefined` without one, a refusal with several. */
export function memberOf(node: Node, name: string): Node | undefined | Refusal {
  const [member, ...more] = membersOf(node, name);
  return more.length > 0 ? refused('duplicate', { name }) : member;
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused';
}

/** The node behind a member's name. */
export function valueNode(member: Node): Node {
  // A member without a value is a syntax error, which nobody gets past.
  return member.children?.[1] ?? member;
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

/** The text of a node, exactly as it is written. */
export function sliceOf(text: string, node: Node): string {
  return text.slice(node.offset, endOf(node));
}

/** Applies splices that do not overlap, in whichever order they come. */
export function splice(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, text: piece } of splices.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    pieces.push(text.slice(at, from), piece);
    at = to;
  }
  return pieces.join('') + text.slice(at);
}
