import type { Node } from 'jsonc-parser';
import { markArgument, readMarkArgument, readTappedAddress, type TapId, tappedAddress } from './mark.ts';
import {
  configTree,
  type Edited,
  endOf,
  isRefusal,
  memberOf,
  type Refusal,
  refused,
  type Splice,
  sliceOf,
  splice,
  valueNode,
} from './tree.ts';
import { unwrapEntry } from './unwrap.ts';

/** Where an entry stands: the names of the objects around it, and its own. */
export interface EntryPlace {
  readonly section: readonly string[];
  readonly name: string;
}

/** What is to stand before a server. */
export interface TapWords {
  readonly id: TapId;
  /** What starts the tap, up to its first option: a command and perhaps arguments. */
  readonly launcher: readonly [command: string, ...args: string[]];
  /** Options of `faultline tap`. */
  readonly options: readonly string[];
  /** Where the listener is to be, when the server is remote. */
  readonly port: number;
}

/** An entry as an edit sees it. */
export type EntryShape =
  | { readonly kind: 'stdio'; readonly command: string }
  | { readonly kind: 'http'; readonly url: string };

export type Wrapped = (Edited & { readonly shape: EntryShape }) | Refusal;

type Found =
  | {
      readonly kind: 'stdio';
      /** The object that holds `command` and `args`, or `path` and `args`. */
      readonly command: Node;
      readonly args: Node | undefined;
    }
  | { readonly kind: 'http'; readonly url: Node };

/**
 * Puts a tap before the server of an entry: of stdio before its command, of HTTP in the place of its scheme and authority. The
 * server's own words stay as they are written, behind the tap's, and all other text stays. What could not be undone is
 * refused. Never throws.
 */
export function wrapEntry(text: string, place: EntryPlace, tap: TapWords): Wrapped {
  const found = findEntry(text, place);
  if (isRefusal(found)) {
    return found;
  }
  const wrapped = found.kind === 'stdio' ? wrapStdio(text, found, place, tap) : wrapHttp(text, found.url, place, tap);
  if (wrapped.kind === 'refused') {
    return wrapped;
  }
  // Nobody is promised what has not been tried.
  const undone = unwrapEntry(wrapped.text, tap.id);
  return undone.kind === 'edited' && undone.text === text ? wrapped : refused('notUndone', { name: place.name });
}

/** Whether an entry could be tapped, without doing it. */
export function shapeOfEntry(text: string, place: EntryPlace): EntryShape | Refusal {
  const trial = wrapEntry(text, place, { id: '00000000', launcher: ['tap'], options: [], port: 1 });
  return trial.kind === 'refused' ? trial : trial.shape;
}

function findEntry(text: string, { section, name }: EntryPlace): Found | Refusal {
  const tree = configTree(text);
  if (isRefusal(tree)) {
    return tree;
  }
  let node: Node = tree;
  for (const step of [...section, name]) {
    const member = memberOf(node, step);
    if (isRefusal(member)) {
      return member;
    }
    if (member === undefined) {
      return refused('gone', { name });
    }
    node = valueNode(member);
  }
  return findTransport(node, name);
}

function findTransport(entry: Node, name: string): Found | Refusal {
  const [command, url, serverUrl] = ['command', 'url', 'serverUrl'].map((member) => memberOf(entry, member));
  const address = url ?? serverUrl;
  if (isRefusal(command) || isRefusal(url) || isRefusal(serverUrl)) {
    return [command, url, serverUrl].find(isRefusal) ?? refused('neither', { name });
  }
  if (command !== undefined && address !== undefined) {
    return refused('both', { name });
  }
  if (command !== undefined) {
    // Zed once had both of them in an object of their own.
    const holder = valueNode(command).type === 'object' ? valueNode(command) : entry;
    const path = holder === entry ? command : memberOf(holder, 'path');
    const args = memberOf(holder, 'args');
    if (isRefusal(path) || isRefusal(args)) {
      return isRefusal(path) ? path : isRefusal(args) ? args : refused('neither', { name });
    }
    return path === undefined ? refused('neither', { name }) : { kind: 'stdio', command: path, args };
  }
  return address === undefined || isRefusal(address) ? refused('neither', { name }) : { kind: 'http', url: address };
}

function wrapStdio(
  text: string,
  { command, args }: Extract<Found, { kind: 'stdio' }>,
  { name }: EntryPlace,
  { id, launcher: [starter, ...leading], options }: TapWords,
): Wrapped {
  const commandNode = valueNode(command);
  const argsNode = args === undefined ? undefined : valueNode(args);
  if (typeof commandNode.value !== 'string' || commandNode.value.trim() === '') {
    return refused('notText', { name, member: 'command' });
  }
  const items = argsNode?.children ?? [];
  if (argsNode !== undefined && (argsNode.type !== 'array' || items.some(({ type }) => type !== 'string'))) {
    return refused('notList', { name });
  }
  if (items.some(({ value }) => readMarkArgument(value) !== undefined)) {
    return refused('tapped', { name });
  }
  const words = [...leading, markArgument(id, argsNode !== undefined), ...options, '--'].map((word) =>
    JSON.stringify(word),
  );
  // The command as it is written, escapes and all: it is taken out again the same way.
  const before = [...words, sliceOf(text, commandNode)].join(', ');
  const starts: Splice = { from: commandNode.offset, to: endOf(commandNode), text: JSON.stringify(starter) };
  if (argsNode !== undefined) {
    const from = argsNode.offset + 1;
    const edited = splice(text, [starts, { from, to: from, text: items.length > 0 ? `${before},` : before }]);
    return { kind: 'edited', text: edited, shape: { kind: 'stdio', command: commandNode.value } };
  }
  const added = `,${indentBefore(text, command)}"args"${colonOf(text, command)}[${before}]`;
  return {
    kind: 'edited',
    text: splice(text, [{ ...starts, text: starts.text + added }]),
    shape: { kind: 'stdio', command: commandNode.value },
  };
}

/** Scheme and authority, as written in a JSON string, where slashes may be escaped. */
const ORIGIN = /^"(https?:(?:\\?\/){2}[^/?#"\\]+)((?:[/?\\][^#]*)?)"$/i;

function wrapHttp(text: string, member: Node, { name }: EntryPlace, { id, port }: TapWords): Wrapped {
  const node = valueNode(member);
  const url: unknown = node.value;
  if (typeof url !== 'string') {
    return refused('notText', { name, member: String(member.children?.[0]?.value) });
  }
  if (readTappedAddress(url) !== undefined) {
    return refused('tapped', { name });
  }
  const [, origin, rest] = ORIGIN.exec(sliceOf(text, node)) ?? [];
  if (origin === undefined || rest === undefined) {
    return refused(url.includes('#') ? 'fragment' : 'address', { name, url });
  }
  if (origin.includes('$')) {
    return refused('variableAddress', { name, url });
  }
  if (origin.includes('@')) {
    return refused('credentials', { name });
  }
  const address = `"${tappedAddress(id, port, origin, rest)}"`;
  const edited = splice(text, [{ from: node.offset, to: endOf(node), text: address }]);
  return { kind: 'edited', text: edited, shape: { kind: 'http', url } };
}

/** What stands between a member and the one before it: its line's end and indentation, or a space. */
function indentBefore(text: string, member: Node): string {
  return /(?:\r\n|\r|\n)[ \t]*$/.exec(text.slice(0, member.offset))?.[0] ?? ' ';
}

function colonOf(text: string, member: Node): string {
  const key = member.children?.[0];
  const between = key === undefined ? '' : text.slice(endOf(key), valueNode(member).offset);
  return /^[ \t]*:[ \t]*$/.test(between) ? between : ': ';
}
