import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, RequestId, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { ZodRawShape } from 'zod';
import type { Shop } from './shop.ts';

/** Registers a few related tools that behave, each answering through the SDK. */
export type ToolGroup = (server: McpServer, shop: Shop) => void;

/** A call that a raw tool answers by itself, below the SDK, where answers can be wrong. */
export interface RawCall {
  readonly id: RequestId;
  readonly args: Readonly<Record<string, unknown>>;
  readonly shop: Shop;
  /** Sends a message as it is, right or wrong. */
  send(message: object): void;
  /** Prints on stdout, which over stdio is where only messages belong. */
  print(line: string): void;
  /** Says `lastWords` on stderr and is gone in mid-call: over stdio the process with exit code 3, over HTTP the response. */
  crash(lastWords: string): void;
  /** Gives up the answer's stream after a message that does not count as an answer. Nothing to do over stdio. */
  endStream(): void;
}

/** A tool that misbehaves in a way that the SDK would not let it. */
export interface RawTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ZodRawShape;
  readonly annotations?: ToolAnnotations;
  answer(call: RawCall): void;
}

/** A result of one text block. */
export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

/** A tool execution error as the specification wants it: the model sees the text and that it is an error. */
export function toolError(value: string): CallToolResult {
  return { ...text(value), isError: true };
}

/** A complete answer to `call` with a result. */
export function resultMessage(call: RawCall, result: object): object {
  return { jsonrpc: '2.0', id: call.id, result };
}

/** A JSON-RPC error in answer to `call`. */
export function errorMessage(call: RawCall, code: number, message: string): object {
  return { jsonrpc: '2.0', id: call.id, error: { code, message } };
}
