import type { Clock } from '../../base/clock.ts';
import type { HttpDefinition, StdioDefinition } from '../../protocol/definition.ts';
import type { EventSink, TransportFailure } from '../../protocol/events.ts';
import type { JsonObject, JsonRpcId } from '../../protocol/jsonrpc.ts';
import type { Revision } from '../../protocol/revisions.ts';
import type { TapContext } from '../transport/recorder.ts';
import type { HttpWire, StdioWire } from '../transport/wire.ts';
import type { Authorizer } from './authorizer.ts';
import type { ServerRequestHandlers } from './serverRequests.ts';

/** A wire with what its engine needs beside it. */
export type EngineWire =
  | { readonly type: 'stdio'; readonly wire: StdioWire }
  | { readonly type: 'http'; readonly wire: HttpWire; readonly definition: HttpDefinition };

export interface WireOptions<Definition> {
  readonly definition: Definition;
  readonly context: TapContext;
  readonly sink: EventSink;
  readonly clock: Clock;
}

/** Makes the wires of the two transports. Neither may throw; nothing happens before a wire is started or used. */
export interface WireFactory {
  stdio(options: WireOptions<StdioDefinition>): StdioWire;
  http(options: WireOptions<HttpDefinition> & { readonly holdsRefusals?: boolean }): Promise<HttpWire>;
}

/** A folder that the server may ask for (specification, "Roots"). */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

export interface EngineOptions {
  readonly wire: EngineWire;
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  readonly roots: () => readonly Root[];
  /** Absent: sampling and elicitation are not declared. */
  readonly serverRequests?: ServerRequestHandlers | undefined;
  /** Answers a server that asks for authorization. */
  readonly authorizer?: Authorizer | undefined;
}

/** How an engine opens: with the handshake, or with what `server/discover` has told. */
export type EngineStart =
  | {
      readonly kind: 'initialize';
      /** Newest first: the first is asked for. */
      readonly offer: readonly Revision[];
      readonly isOverSse: boolean;
    }
  | { readonly kind: 'modern'; readonly facts: ServerFacts };

export interface EngineRequestOptions {
  /** The tool that is called, as the server listed it: some of its arguments may belong into headers (2026-07-28). */
  readonly tool?: JsonObject | undefined;
}

/** What the server said of itself in the handshake. */
export interface ServerFacts {
  readonly revision: string;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

/** That an engine could not do its part. `failure` when the wire refused the message, which then never left. */
export interface EngineFailure {
  readonly kind: 'failed';
  readonly failure?: TransportFailure;
  readonly message: string;
}

/**
 * Speaks MCP over a wire: handshake, sessions, resumption, answers to the server's own requests. It only sends; what
 * becomes of a request is read off the wire by whoever sent it, since engines hide what they find unfit. Nothing rejects.
 */
export interface ClientEngine {
  /**
   * Starts the wire and sends `server/discover` with `token` as its progress token. Resolves when the engine is done with it,
   * which says nothing about its answer. Aborting lets go of what this needed beside the wire.
   */
  discover(token: string, signal: AbortSignal): Promise<{ readonly kind: 'done' } | EngineFailure>;
  /** Starts the wire, unless it is, and opens. Aborting gives up without a word to the server. */
  connect(start: EngineStart, signal: AbortSignal): Promise<({ readonly kind: 'ready' } & ServerFacts) | EngineFailure>;
  /**
   * Sends a request. Resolves when the engine is done with it, which says nothing about its outcome. Aborting sends
   * `notifications/cancelled` with the abort reason, or over HTTP closes the stream where the revision wants that.
   */
  request(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    options?: EngineRequestOptions,
  ): Promise<{ readonly kind: 'done' } | EngineFailure>;
  /** What is declared to the server. */
  readonly capabilities: JsonObject;
  /** Lets go of a request that is settled, whatever the engine still waits for. Sends nothing. */
  forget(id: JsonRpcId): void;
  /** Ends the session, then the wire. */
  close(): Promise<void>;
}

export interface EngineModule {
  createEngine(options: EngineOptions): ClientEngine;
}
