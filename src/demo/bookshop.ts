import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Shop } from './shop.ts';
import type { RawCall, ToolGroup } from './toolGroup.ts';
import { registerCatalogueTools } from './tools/catalogue.ts';
import { registerExportTools } from './tools/exports.ts';
import { registerOrderTools } from './tools/orders.ts';
import { unreliableTools } from './tools/unreliable.ts';
import { wireTools } from './tools/wire.ts';

const groups: readonly ToolGroup[] = [registerCatalogueTools, registerOrderTools, registerExportTools];
const rawTools = new Map([...unreliableTools, ...wireTools].map((tool) => [tool.name, tool]));

/** What a transport lends to the tools that work below the SDK. */
export interface RawChannel {
  print(line: string): void;
  crash(lastWords: string, id: RequestId): void;
  endStream(id: RequestId): void;
}

/** The bookshop's MCP server with all its tools; `extraGroups` are those of one transport alone. */
export function createBookshop(shop: Shop, extraGroups: readonly ToolGroup[] = []): McpServer {
  const server = new McpServer(
    { name: 'faultline-demo-server', title: 'Bookshop', version: '0.1.0' },
    { instructions: 'A bookshop whose tools fail in every way that a call can end.' },
  );
  for (const register of [...groups, ...extraGroups]) {
    register(server, shop);
  }
  for (const { name, title, description, inputSchema, annotations } of rawTools.values()) {
    const config = { title, description, inputSchema, ...(annotations === undefined ? {} : { annotations }) };
    // Registered to be listed; calls never get as far as this, see `connectBookshop`.
    server.registerTool(name, config, () => ({ content: [] }));
  }
  return server;
}

/** Connects the server and answers the raw tools' calls before the SDK sees them, because it would not let them misbehave. */
export async function connectBookshop(
  server: McpServer,
  transport: Transport,
  shop: Shop,
  channel: RawChannel,
): Promise<void> {
  await server.connect(transport);
  const toSdk = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const call = CallToolRequestSchema.safeParse(message);
    const tool = call.success ? rawTools.get(call.data.params.name) : undefined;
    if (call.success && tool !== undefined && 'id' in message) {
      tool.answer(rawCall(call.data, message.id as RequestId, transport, shop, channel));
    } else {
      toSdk?.(message, extra);
    }
  };
}

function rawCall(
  request: CallToolRequest,
  id: RequestId,
  transport: Transport,
  shop: Shop,
  channel: RawChannel,
): RawCall {
  return {
    id,
    args: request.params.arguments ?? {},
    shop,
    // A stream that was answered is closed: over HTTP a second answer has nowhere to go, and that is no reason to die.
    send: (message) =>
      void transport.send(message as JSONRPCMessage, { relatedRequestId: id }).catch((error: unknown) => {
        process.stderr.write(`not sent: ${String(error)}\n`);
      }),
    print: (line) => channel.print(line),
    crash: (lastWords) => channel.crash(lastWords, id),
    endStream: () => channel.endStream(id),
  };
}
