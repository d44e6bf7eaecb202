import { findNodeAtLocation, type JSONPath, type Node } from 'jsonc-parser';
import * as vscode from 'vscode';
import { stepsOf } from '../../base/jsonPointer.ts';
import { readTree } from '../../core/jsonc/readTree.ts';
import type { PayloadView, TreeSource } from '../../protocol/details.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { exactText, type ShownBytes } from './exactText.ts';
import { imagesOf } from './images.ts';
import { cutJson } from './jsonCut.ts';
import { parsedJson, prettyPrint, type RecordedText } from './messageText.ts';

/** Characters of a message that the page is sent; the rest opens as a document. */
const SHOWN_CHARACTERS = 64 * 1024;

/** Longest message that is laid out anew; a larger one is shown as it came, cut. */
const PRETTY_CHARACTERS = 512 * 1024;

/** Longest message of which a tree is made. */
const TREE_CHARACTERS = 16 * 1024 * 1024;

/**
 * A message laid out for reading and as it came, with the places that the pointers name. A text that is no JSON, or too
 * large to lay out, is shown as it came.
 */
export function payloadView(seq: number, body: RecordedText, pointers: readonly string[]): PayloadView {
  const { raw, bytes } = body;
  const isSmall = raw.length <= PRETTY_CHARACTERS;
  const text = isSmall ? prettyPrint(raw) : raw;
  const shown = text.slice(0, SHOWN_CHARACTERS);
  const exact = exactOf(body);
  const value = raw.length <= TREE_CHARACTERS ? parsedJson(raw) : undefined;
  return {
    seq,
    text: shown,
    highlights: isSmall ? highlightsOf(text, pointers, shown.length) : [],
    raw: exact.text,
    invalid: exact.invalid,
    tree: treeOf(raw, exact, value),
    pointers: [...new Set(pointers)],
    images: value === undefined ? [] : imagesOf(value),
    bytes,
    isTruncated: raw.length > SHOWN_CHARACTERS,
  };
}

/** The beginning of a message with nothing left out, bytes that are no text included. */
function exactOf({ raw, rawBytes }: RecordedText): ShownBytes {
  return rawBytes === undefined
    ? { text: raw.slice(0, SHOWN_CHARACTERS), invalid: [] }
    : exactText(rawBytes.subarray(0, SHOWN_CHARACTERS));
}

function treeOf(raw: string, exact: ShownBytes, value: JsonValue | undefined): TreeSource {
  if (value === undefined) {
    const text =
      raw.length > TREE_CHARACTERS
        ? vscode.l10n.t('It is too large to be shown as a tree.')
        : vscode.l10n.t('It is not JSON, so there is no tree of it.');
    return { kind: 'none', text };
  }
  return exact.text === raw ? { kind: 'raw' } : { kind: 'cut', ...cutJson(value, SHOWN_CHARACTERS * 2) };
}

/** RFC 6901 pointer to the path form of the parser: digits address array items. */
function pathOf(pointer: string): JSONPath {
  return stepsOf(pointer).map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part));
}

function highlightsOf(text: string, pointers: readonly string[], limit: number): PayloadView['highlights'] {
  if (pointers.length === 0) {
    return [];
  }
  const { tree } = readTree(text);
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
