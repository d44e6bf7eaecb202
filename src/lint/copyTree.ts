import type { Tree } from 'web-tree-sitter';
import { BROKEN, type NodeType, nodeTypesOf } from './nodeTypes.ts';
import type { Pacer } from './pacer.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';
import { type Walk, walkThrough } from './treeWalk.ts';

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
 * so that depth costs no stack.
 */
export async function copyTree(
  tree: Tree,
  text: string,
  pacer: Pacer,
  walk: (tree: Tree) => Walk = walkThrough,
): Promise<SyntaxTree | undefined> {
  const { language } = tree;
  const types = nodeTypesOf(language);
  const { hasError } = tree.rootNode;
  const cursor = walk(tree);
  // No field of a root is asked for.
  let insideType: NodeType = { ...(types[cursor.nodeTypeId] ?? BROKEN), hasFields: false };
  const root = nodeAt(cursor, insideType, undefined);
  // Children wait on one stack until their parent closes: lists that grow one by one are most of what is collected.
  const waiting: SyntaxNode[] = [];
  const open: OpenNode[] = [];
  const openTypes: NodeType[] = [];
  /** For each open node, how many waited before its children. */
  const opened: number[] = [];
  let inside = root;
  let from = 0;
  let isInside = cursor.gotoFirstChild();
  for (let count = 1; isInside; count++) {
    if (count % COPY_STEP === 0 && pacer.isDue) {
      cursor.pause?.();
      const isWanted = await pacer.goOn();
      cursor.resume?.();
      if (!isWanted) {
        cursor.delete();
        return undefined;
      }
    }
    const type = types[cursor.nodeTypeId] ?? BROKEN;
    const fieldId = insideType.hasFields && !type.isSkipped ? cursor.currentFieldId : 0;
    if (!type.isSkipped && (type.isNamed || fieldId !== 0)) {
      const node = nodeAt(cursor, type, fieldId === 0 ? undefined : (language.fields[fieldId] ?? undefined));
      waiting.push(node);
      const isOpened = type.isNamed && !type.isLeaf && !(type.isPrefixed && isPlainString(text, node.start));
      if (isOpened && cursor.gotoFirstChild()) {
        open.push(inside);
        openTypes.push(insideType);
        opened.push(from);
        inside = node;
        insideType = type;
        from = waiting.length;
        continue;
      }
    }
    while (!cursor.gotoNextSibling()) {
      if (waiting.length > from) {
        inside.children = waiting.splice(from);
      }
      const outer = open.pop();
      if (outer === undefined || !cursor.gotoParent()) {
        isInside = false;
        break;
      }
      inside = outer;
      insideType = openTypes.pop() ?? BROKEN;
      from = opened.pop() ?? 0;
    }
  }
  cursor.delete();
  return { root, hasError };
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

function nodeAt(cursor: Walk, { name, isNamed }: NodeType, field: string | undefined): OpenNode {
  return { type: name, field, isNamed, start: cursor.startIndex, end: cursor.endIndex, children: NO_CHILDREN };
}
