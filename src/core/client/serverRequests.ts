import type { ServerId } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';

/** What a server's own request is answered with. An error is sent as a JSON-RPC error. */
export type ServerRequestAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

/** Answers one kind of request of one server; `signal` aborts when the server takes it back. Never rejects. */
export type ServerRequestHandler = (params: JsonObject, signal: AbortSignal) => Promise<ServerRequestAnswer>;

/**
 * Who answers what a server asks for. A capability is declared only where its handler is there (specification, "Lifecycle":
 * capability negotiation), so a server does not ask what nobody answers.
 */
export interface ServerRequestHandlers {
  /** `sampling/createMessage`. */
  readonly sampling?: ServerRequestHandler;
  /** `elicitation/create`, both modes. */
  readonly elicitation?: ServerRequestHandler;
}

/** Gives the handlers for one server, asked when it is launched. */
export type ServerRequestHandlersFor = (server: ServerId) => ServerRequestHandlers;
