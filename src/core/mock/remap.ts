import { findNodeAtLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import type { JsonRpcId } from '../../protocol/jsonrpc.ts';

/** What the ids in a recorded message stand for in the conversation that is held now. */
export interface LiveIds {
  /** The id of the request that an answer to the recorded one answers now; `undefined`: leave it as it is. */
  request(recorded: JsonRpcId): JsonRpcId | undefined;
  /** The token of progress; `null` when the client wants none, so that it is not told. */
  token(recorded: JsonRpcId): JsonRpcId | null | undefined;
  /** The id of a request of the server. */
  ask(recorded: JsonRpcId): JsonRpcId;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/**
 * A recorded message with the ids of now, every other byte of it as it was: order, spaces and mistakes are part of what is
 * played. `undefined` for one that must not be sent. What is no JSON stays as it is.
 */
export function remap(raw: string, ids: LiveIds): string | undefined {
  let tree: Node | undefined;
  try {
    JSON.parse(raw);
    tree = parseTree(raw);
  } catch {
    return raw;
  }
  if (tree === undefined) {
    return raw;
  }
  const edits: { readonly node: Node; readonly value: JsonRpcId }[] = [];
  for (const message of tree.type === 'array' ? (tree.children ?? []) : [tree]) {
    const found = editsOf(message, ids);
    if (found === undefined) {
      return undefined;
    }
    edits.push(...found);
  }
  let text = raw;
  for (const { node, value } of edits.toSorted((a, b) => b.node.offset - a.node.offset)) {
    text = text.slice(0, node.offset) + JSON.stringify(value) + text.slice(node.offset + node.length);
  }
  return text;
}

function editsOf(
  message: Node,
  ids: LiveIds,
): readonly { readonly node: Node; readonly value: JsonRpcId }[] | undefined {
  if (message.type !== 'object') {
    return [];
  }
  const id = findNodeAtLocation(message, ['id']);
  const isCall = findNodeAtLocation(message, ['method']) !== undefined;
  const edits: { readonly node: Node; readonly value: JsonRpcId }[] = [];
  const change = (node: Node | undefined, live: (recorded: JsonRpcId) => JsonRpcId | undefined) => {
    const recorded: unknown = node === undefined ? undefined : getNodeValue(node);
    if (node !== undefined && (typeof recorded === 'string' || typeof recorded === 'number')) {
      const value = live(recorded);
      if (value !== undefined && value !== recorded) {
        edits.push({ node, value });
      }
    }
  };
  change(id, isCall ? ids.ask : ids.request);
  change(findNodeAtLocation(message, ['params', '_meta', SUBSCRIPTION]), ids.request);
  if (isCall) {
    const node = findNodeAtLocation(message, ['params', 'progressToken']);
    const recorded: unknown = node === undefined ? undefined : getNodeValue(node);
    const token = typeof recorded === 'string' || typeof recorded === 'number' ? ids.token(recorded) : undefined;
    if (token === null) {
      return undefined;
    }
    change(node, () => token);
  }
  return edits;
}
