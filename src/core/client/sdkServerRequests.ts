import { type Client, type ClientCapabilities, ProtocolError } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { ServerRequestHandler, ServerRequestHandlers } from './serverRequests.ts';

/** The capabilities that these handlers stand for. */
export function requestCapabilities(handlers: ServerRequestHandlers | undefined): ClientCapabilities {
  return {
    ...(handlers?.sampling === undefined ? {} : { sampling: {} }),
    ...(handlers?.elicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
  };
}

/** Lets the handlers answer what the server asks for; the capabilities must have been declared. */
export function answerRequests(client: Client, handlers: ServerRequestHandlers | undefined): void {
  const { sampling, elicitation } = handlers ?? {};
  if (sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', async (request, context) =>
      // The SDK checks the shape of what is sent back by its own schema.
      resultOf<never>(sampling, request.params, context.mcpReq.signal),
    );
  }
  if (elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', async (request, context) =>
      resultOf<never>(elicitation, request.params, context.mcpReq.signal),
    );
  }
}

/** The SDK sends what is thrown as a JSON-RPC error. */
async function resultOf<Result>(handler: ServerRequestHandler, params: object, signal: AbortSignal): Promise<Result> {
  const answer = await handler(params as JsonObject, signal);
  if (answer.kind === 'error') {
    throw new ProtocolError(answer.code, answer.message);
  }
  return answer.result as Result;
}
