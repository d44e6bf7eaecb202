import type { Event } from '../../base/event.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { Envelope, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';

/** A message as it passed, with its moment on the monotonic clock. */
export interface Frame {
  readonly raw: string;
  readonly envelope: Envelope;
  /** The parsed JSON; `undefined` when the envelope says `not-json`. */
  readonly message: JsonValue | undefined;
  readonly monoUs: number;
  /** HTTP status of the answer that carried it, over HTTP. */
  readonly httpStatus?: number;
  /**
   * Over HTTP, the request whose POST was answered by a frame that names no request itself: its id is null or absent, or
   * it is an error with a foreign id in an answer of status 400 and above. Treat it as that request's answer.
   */
  readonly answers?: JsonRpcId;
  /** From the `Retry-After` header of the answer that carried it, in milliseconds from then. */
  readonly retryAfterMs?: number;
  /** The HTTP answer that carried it says that the session is gone (see `isSessionLost`). */
  readonly isSessionLost?: boolean;
}

/**
 * What the client sees of the wire, over either transport. Everything has been given to the event sink before an event
 * fires; noise and stderr go to the sink alone.
 */
export interface Wire {
  readonly onDidSend: Event<Frame>;
  readonly onDidReceive: Event<Frame>;
  /**
   * A request that can get no answer any more although the connection lives on (HTTP): which, and why. Fires at most once
   * a request, never after its answer, and also for one that the caller aborted itself (reason `closed`).
   */
  readonly onDidLoseRequest: Event<{ readonly id: JsonRpcId; readonly failure: TransportFailure }>;
  /**
   * Fires once, when nothing can arrive any more, with the cause: `exited` when the server went by itself, `closed` after
   * `close`. A `start` that failed has said so by its result and fires nothing here.
   */
  readonly onDidClose: Event<TransportFailure>;
}

/** A server process spoken to over its stdin and stdout. */
export interface StdioWire extends Wire {
  readonly pid: number | undefined;
  /** Launches the process. Never rejects: `undefined` is success. */
  start(): Promise<TransportFailure | undefined>;
  /** Writes one message as a line. Never rejects; a failure says that the message cannot have reached the server. */
  send(message: string): Promise<TransportFailure | undefined>;
  /** Staged shutdown of the whole process group; resolves when it is gone. A second call hurries the first. */
  close(): Promise<void>;
}

/** The HTTP side: a `fetch` to hand to the SDK, which records what passes through it. */
export interface HttpWire extends Wire {
  readonly fetch: typeof fetch;
  /**
   * Tells where to POST, once, when a GET stream of HTTP+SSE (2024-11-05) has said so. Requests are answered on that stream
   * from then on; its end is the end of the wire.
   */
  readonly onDidOpenEndpoint: Event<string>;
  /** Aborts what is in flight and lets the sockets go. */
  close(): Promise<void>;
}
