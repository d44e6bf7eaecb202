import { findNodeAtLocation, type Node, type ParseError, type ParseErrorCode, parseTree } from 'jsonc-parser';
import { pointerStep } from '../../base/jsonPointer.ts';

/** By its number: the library's own name for it is not there when sources run as they are. */
const VALUE_EXPECTED: ParseErrorCode = 4;

export interface TreeReading {
  /** Absent when there is no value at all, or one that nests deeper than the parser's recursion goes, which is an error. */
  readonly tree: Node | undefined;
  readonly errors: readonly ParseError[];
}

/**
 * Reads JSON with comments and trailing commas. The mark of some editors on Windows, which is no part of the text, is read as
 * a space, so that offsets are those of `text`. Never throws.
 */
export function readTree(text: string): TreeReading {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
    return { tree, errors };
  } catch {
    return { tree: undefined, errors: [...errors, { error: VALUE_EXPECTED, offset: 0, length: 0 }] };
  }
}

/** The node at a path, or the last one on the way to it that is there. */
export function nodeNear(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length).map(stepOf));
    if (node !== undefined) {
      return node;
    }
  }
  return tree;
}

/** A path as an RFC 6901 JSON pointer. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => pointerStep(stepOf(step))).join('');
}

const stepOf = (step: PropertyKey): string | number => (typeof step === 'symbol' ? String(step) : step);
