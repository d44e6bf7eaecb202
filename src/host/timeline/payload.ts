import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import type { PayloadView } from '../../protocol/webview.ts';

/** Characters of a message that the page is sent; the rest opens as a document. */
const SHOWN_CHARACTERS = 64 * 1024;

/** Longest message that is laid out anew; a larger one is shown as it came, cut. */
const PRETTY_CHARACTERS = 512 * 1024;

/**
 * A message laid out for reading, with the places that the pointers name. A text that is no JSON, or too large to lay
 * out, is shown as it came.
 */
export function payloadView(seq: number, raw: string, bytes: number, pointers: readonly string[]): PayloadView {
  const text = raw.length > PRETTY_CHARACTERS ? raw : prettyPrint(raw);
  const shown = text.slice(0, SHOWN_CHARACTERS);
  return {
    seq,
    text: shown,
    bytes,
    isTruncated: shown.length < text.length,
    highlights: raw.length > PRETTY_CHARACTERS ? [] : highlightsOf(text, pointers, shown.length),
  };
}

/** JSON with two spaces of indentation; other text as it is. */
export function prettyPrint(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), undefined, 2);
  } catch {
    return raw;
  }
}

/** RFC 6901 pointer to the path form of the parser: digits address array items. */
export function pathOf(pointer: string): JSONPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part));
}

function highlightsOf(text: string, pointers: readonly string[], limit: number): PayloadView['highlights'] {
  if (pointers.length === 0) {
    return [];
  }
  const tree = parseTree(text);
  if (tree === undefined) {
    return [];
  }
  return [...new Set(pointers)]
    .filter((pointer) => pointer !== '')
    .map((pointer) => nodeAt(tree, pathOf(pointer)))
    .filter((node) => node !== undefined)
    .map((node) => ({ start: node.offset, end: Math.min(node.offset + node.length, limit) }))
    .filter((range) => range.start < range.end)
    .sort((a, b) => a.start - b.start)
    .filter((range, index, all) => index === 0 || range.start >= (all[index - 1]?.end ?? 0));
}

/** Digits may also name a key of an object. */
function nodeAt(tree: Node, path: JSONPath): Node | undefined {
  return findNodeAtLocation(tree, path) ?? findNodeAtLocation(tree, path.map(String));
}
