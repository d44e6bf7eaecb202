import type { Tree } from 'web-tree-sitter';
import { BROKEN, type NodeType, nodeTypesOf } from './nodeTypes.ts';
import type { Pacer } from './pacer.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/** Nodes copied between two looks at the clock. */
const COPY_STEP = 2048;

/** Shared by all leaves: half of a tree. Nothing is ever added to it. */
const NO_CHILDREN: SyntaxNode[] = [];

/** Its children, once it is closed; nothing else of a node is ever set again. */
interface OpenNode extends SyntaxNode {
  children: SyntaxNode[];
}

/**
 * Copies a tree into plain nodes; undefined when `pacer` says on the way that it is no longer wanted. Walks with a cursor,
 * so that depth costs no stack. Each question to the cursor leaves JavaScript, which is most of the cost: what the text
 * tells is not asked. Broken text tells nothing, since a token there may be of nothing at all.
 */
export async function copyTree(tree: Tree, text: string, pacer: Pacer): Promise<SyntaxTree | undefined> {
  const { language } = tree;
  const types = nodeTypesOf(language);
  const { hasError } = tree.rootNode;
  const cursor = tree.walk();
  // No field of a root is asked for.
  let insideType: NodeType = { ...(types[cursor.nodeTypeId] ?? BROKEN), hasFields: false };
  const root = nodeOf(insideType, undefined, cursor.startIndex, cursor.endIndex);
  // Children wait on one stack until their parent closes: lists that grow one by one are most of what is collected.
  const waiting: SyntaxNode[] = [];
  const open: OpenNode[] = [];
  const openTypes: NodeType[] = [];
  /** For each open node, how many waited before its children. */
  const opened: number[] = [];
  let inside = root;
  let from = 0;
  /** Where the node at the cursor starts; negative when that is not known yet. */
  let start = -1;
  let isInside = cursor.gotoFirstChild();
  for (let count = 1; isInside; count++) {
    if (count % COPY_STEP === 0 && pacer.isDue && !(await pacer.goOn())) {
      cursor.delete();
      return undefined;
    }
    const type = types[cursor.nodeTypeId] ?? BROKEN;
    const fieldId = insideType.hasFields && !type.isSkipped ? cursor.currentFieldId : 0;
    /** The node that the cursor leaves; undefined when it was not copied. */
    let left: SyntaxNode | undefined;
    if (!type.isSkipped && (type.isNamed || fieldId !== 0)) {
      start = start < 0 ? cursor.startIndex : start;
      const wordEnd = type.isWord && !hasError ? endOfWord(text, start) : -1;
      const field = fieldId === 0 ? undefined : (language.fields[fieldId] ?? undefined);
      const node = nodeOf(type, field, start, wordEnd < 0 ? cursor.endIndex : wordEnd);
      waiting.push(node);
      const isList = !hasError && isListAt(type, text, start);
      if (mayHoldNodes(node, type, isList, text) && cursor.gotoFirstChild()) {
        open.push(inside);
        openTypes.push(insideType);
        opened.push(from);
        inside = node;
        insideType = type;
        from = waiting.length;
        start = type.isOpenedByChild && !hasError ? start : -1;
        if (isList) {
          cursor.gotoNextSibling();
        }
        continue;
      }
      left = node;
    }
    start = -1;
    for (;;) {
      if (left === undefined || hasError) {
        if (cursor.gotoNextSibling()) {
          break;
        }
      } else if (!onlyCloses(text, left, inside)) {
        // Only what is in brackets has a comma right behind it that is a node and nothing else.
        if (text.charCodeAt(left.end) === COMMA && isListAt(insideType, text, inside.start)) {
          cursor.gotoNextSibling();
        }
        if (cursor.gotoNextSibling()) {
          break;
        }
      }
      if (waiting.length > from) {
        inside.children = waiting.splice(from);
      }
      const outer = open.pop();
      if (outer === undefined || !cursor.gotoParent()) {
        isInside = false;
        break;
      }
      left = inside;
      inside = outer;
      insideType = openTypes.pop() ?? BROKEN;
      from = opened.pop() ?? 0;
    }
  }
  cursor.delete();
  return { root, hasError };
}

const COMMA = 0x2c;

/** Whether a node of this type is a list in brackets that starts here: both are marks alone, and so are its commas. */
function isListAt({ isList }: NodeType, text: string, start: number): boolean {
  if (!isList) {
    return false;
  }
  const character = text.charCodeAt(start);
  return character === 0x28 || character === 0x5b || character === 0x7b;
}

/** Whether anything in a node may be asked for: not so of leaves, plain strings and empty brackets. */
function mayHoldNodes({ start, end }: SyntaxNode, type: NodeType, isList: boolean, text: string): boolean {
  return (
    type.isNamed && !type.isLeaf && !(isList && end - start === 2) && !(type.isPrefixed && isPlainString(text, start))
  );
}

/** The end of a word of letters, digits, `_` and `$`; negative when what follows could belong to it in some language. */
function endOfWord(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    if (isLetter || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x24) {
      continue;
    }
    // r#type, empty?, save!, \u0061, ä
    return at === start || code === 0x23 || code === 0x3f || code === 0x21 || code === 0x5c || code >= 0x80 ? -1 : at;
  }
  return at;
}

/** Characters looked at behind a node: more than white space before a bracket ever takes. */
const MAX_CLOSING = 64;
/**
 * Whether nothing but white space, commas and closing brackets stands between the ends of a node and of its parent: no
 * node is made of these, but for the braces of an interpolation in C#. In broken text one may be, of nothing at all.
 */
function onlyCloses(text: string, { end: from }: SyntaxNode, { end: to, type }: SyntaxNode): boolean {
  if (to - from > MAX_CLOSING || (type === 'interpolation' && to > from)) {
    return false;
  }
  for (let at = from; at < to; at++) {
    switch (text.charCodeAt(at)) {
      case 0x09:
      case 0x0a:
      case 0x0d:
      case 0x20:
      case 0x29: // )
      case 0x2c: // ,
      case 0x5d: // ]
      case 0x7d: // }
        break;
      case 0x3b: // ; alone ends its statement; with others it may be an empty one.
        if (to - from > 1) {
          return false;
        }
        break;
      default:
        return false;
    }
  }
  return true;
}

/** A string without interpolations: all but Python's f-strings and t-strings. */
function isPlainString(text: string, start: number): boolean {
  for (let at = start; at < start + 4; at++) {
    const character = text[at];
    if (character === '"' || character === "'" || character === '`') {
      return true;
    }
    if (character === 'f' || character === 'F' || character === 't' || character === 'T') {
      // Only what stands before a quote is a prefix.
      return !/["'`]/.test(text.slice(at, start + 4));
    }
  }
  return true;
}

function nodeOf({ name, isNamed }: NodeType, field: string | undefined, start: number, end: number): OpenNode {
  return { type: name, field, isNamed, start, end, children: NO_CHILDREN };
}
