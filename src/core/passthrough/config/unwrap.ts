import { createScanner, getNodePath, type JSONPath, modify, type Node } from 'jsonc-parser';
import { readMarkArgument, readTappedAddress, type TapId } from './mark.ts';
import {
  configTree,
  type Edited,
  endOf,
  isRefusal,
  membersOf,
  type Refusal,
  refused,
  type Splice,
  sliceOf,
  splice,
  valueNode,
} from './tree.ts';

/** A tap that stands in a configuration. */
export interface FoundTap {
  readonly id: TapId;
  /** Of the entry, as its client calls it. */
  readonly name: string;
  /** Where its listener is to be and which server it is for; absent over stdio. */
  readonly http?: { readonly port: number; readonly url: string };
}

type Spot = FoundTap & { readonly path: JSONPath } & (
    | { readonly kind: 'stdio'; readonly command: Node; readonly args: Node; readonly hadArgs: boolean }
    | { readonly kind: 'http'; readonly url: Node }
  );

/** The taps of a configuration of whichever client. One that cannot be read has none. */
export function findTaps(text: string): readonly FoundTap[] {
  const tree = configTree(text);
  return isRefusal(tree)
    ? []
    : spotsIn(tree).map(({ id, name, http }) => ({ id, name, ...(http === undefined ? {} : { http }) }));
}

/**
 * Takes a tap out again. When nothing else of the entry was changed, its text is what it was, byte for byte; when a client has
 * written the file anew, the entry says the same as before in that client's own layout. All other text stays.
 */
export function unwrapEntry(text: string, id: TapId): Edited | Refusal {
  const tree = configTree(text);
  if (isRefusal(tree)) {
    return tree;
  }
  const [spot, ...copies] = spotsIn(tree).filter((each) => each.id === id);
  if (spot === undefined) {
    return refused('noMark', { id });
  }
  const edited = spot.kind === 'stdio' ? unwrapStdio(text, spot) : unwrapHttp(text, spot.url);
  // Somebody may have copied the entry, mark and all.
  return edited.kind === 'refused' || copies.length === 0 ? edited : unwrapEntry(edited.text, id);
}

function unwrapHttp(text: string, node: Node): Edited | Refusal {
  const written = readTappedAddress(sliceOf(text, node).slice(1, -1));
  const original = written?.original ?? readTappedAddress(String(node.value))?.original ?? '';
  const literal = written === undefined ? JSON.stringify(original) : `"${original}"`;
  return { kind: 'edited', text: splice(text, [{ from: node.offset, to: endOf(node), text: literal }]) };
}

function unwrapStdio(
  text: string,
  { name, path, command, args, hadArgs }: Extract<Spot, { kind: 'stdio' }>,
): Edited | Refusal {
  const items = args.children ?? [];
  const own = items[items.findIndex(({ value }) => value === '--') + 1];
  if (own === undefined || own.type !== 'string') {
    return refused('noCommand', { name });
  }
  const starts: Splice = { from: command.offset, to: endOf(command), text: sliceOf(text, own) };
  const isAlone = own === items.at(-1);
  if (isAlone && !hadArgs) {
    return withoutArgs(text, starts, command, args, path);
  }
  const from = args.offset + 1;
  const comma = isAlone ? undefined : commaAfter(text, own);
  const rest = text.slice(endOf(own), endOf(args) - 1);
  // Laid out anew by a client, an empty list is written without a line of its own.
  const to = isAlone && items[0]?.offset !== from && rest.trim() === '' ? endOf(args) - 1 : endOf(own);
  const commas = comma === undefined ? [] : [{ from: comma, to: comma + 1, text: '' }];
  return { kind: 'edited', text: splice(text, [starts, { from, to, text: '' }, ...commas]) };
}

/** The entry had no `args`. */
function withoutArgs(text: string, starts: Splice, command: Node, args: Node, path: JSONPath): Edited {
  const between = text.slice(endOf(command), args.parent?.offset ?? args.offset);
  if (/^,\s*$/.test(between)) {
    return { kind: 'edited', text: splice(text, [starts, { from: endOf(command), to: endOf(args), text: '' }]) };
  }
  const removal = modify(text.replace(/^\uFEFF/, ' '), path, undefined, {}).map(({ offset, length, content }) => ({
    from: offset,
    to: offset + length,
    text: content,
  }));
  return { kind: 'edited', text: splice(text, [starts, ...removal]) };
}

function commaAfter(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === ',' ? offset : undefined;
}

/** Every entry with a mark, wherever it stands: which sections a client has does not matter any more. */
function spotsIn(node: Node): readonly Spot[] {
  const here = spotAt(node);
  return [...(here === undefined ? [] : [here]), ...(node.children ?? []).flatMap(spotsIn)];
}

function spotAt(node: Node): Spot | undefined {
  const [key, value] = node.type === 'property' ? (node.children ?? []) : [];
  if (value === undefined) {
    return undefined;
  }
  if (key?.value === 'args' && value.type === 'array') {
    return stdioSpot(node, value);
  }
  if ((key?.value === 'url' || key?.value === 'serverUrl') && typeof value.value === 'string') {
    const address = readTappedAddress(value.value);
    const path = getNodePath(value);
    return address === undefined
      ? undefined
      : {
          kind: 'http',
          id: address.id,
          name: nameIn(path),
          http: { port: address.port, url: address.original },
          path,
          url: value,
        };
  }
  return undefined;
}

function stdioSpot(property: Node, args: Node): Spot | undefined {
  const words = (args.children ?? []).map(({ value }) => value as unknown);
  const mark = words
    .slice(0, words.indexOf('--'))
    .map(readMarkArgument)
    .find((each) => each !== undefined);
  const holder = property.parent;
  const command = holder === undefined ? undefined : (membersOf(holder, 'command')[0] ?? membersOf(holder, 'path')[0]);
  if (mark === undefined || command === undefined) {
    return undefined;
  }
  const path = getNodePath(args);
  return { kind: 'stdio', ...mark, name: nameIn(path), path, command: valueNode(command), args };
}

/** `…, <name>, args` or, of Zed, `…, <name>, command, args`. */
function nameIn(path: JSONPath): string {
  const names = path.slice(0, -1);
  return String(names.at(-1) === 'command' ? (names.at(-2) ?? '') : (names.at(-1) ?? ''));
}
