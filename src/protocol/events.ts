import type { Brand } from '../base/brand.ts';
import type { InjectedFault } from './faults.ts';
import type { Envelope } from './jsonrpc.ts';

/** One run of a client: an extension host's or a CLI's life. */
export type SessionId = Brand<string, 'SessionId'>;
/** A server definition's id, unique within its source: `<source>:<name>`. */
export type ServerId = Brand<string, 'ServerId'>;
/** One launch of, or one connection to, a server. A restart makes a new one. */
export type ConnectionId = Brand<string, 'ConnectionId'>;
/** One logical call, over all its attempts. */
export type ChainId = Brand<string, 'ChainId'>;

/** Who caused an event: our own client, a replay, a lint run, or another client that is tapped. */
export type Origin = 'client' | 'replay' | 'lint' | `tap:${string}`;

export type Direction = 'sent' | 'received';

/** What every event carries. Times are microseconds: wall since the epoch, monotonic from an origin of its process. */
export interface EventContext {
  readonly session: SessionId;
  readonly server: ServerId;
  readonly connection: ConnectionId;
  readonly wallUs: number;
  readonly monoUs: number;
  readonly origin: Origin;
}

/** A JSON-RPC message or what came in its place, exactly as on the wire. */
export interface MessageBody {
  readonly kind: 'message';
  readonly direction: Direction;
  /** The text without its line end or SSE framing. */
  readonly raw: string;
  /** The exact bytes, only where `raw` cannot give them back (invalid UTF-8). */
  readonly rawBytes?: Uint8Array;
  /** Size in bytes on the wire, without framing. */
  readonly bytes: number;
  readonly envelope: Envelope;
  /** The HTTP exchange that carried it: the `id` of an `http` event. */
  readonly http?: string;
  /** How many secrets the log replaced in `raw` before it kept it; absent when none. `bytes` is the size before. */
  readonly redactions?: number;
}

/** Bytes in the place of a message that are none: a stdout line, an SSE frame that is not JSON. */
export interface NoiseBody {
  readonly kind: 'noise';
  readonly stream: 'stdout' | 'sse' | 'http';
  readonly raw: string;
  readonly rawBytes?: Uint8Array;
  readonly bytes: number;
  /** `frame-too-large`: a line over the cap, of which `raw` is the beginning. */
  readonly problem: 'not-json' | 'not-jsonrpc' | 'frame-too-large' | 'lsp-framing' | 'unterminated';
}

export interface StderrBody {
  readonly kind: 'stderr';
  readonly line: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error' | 'unknown';
}

/** One HTTP exchange. Its URL has no userinfo and no secret parameters, its headers are redacted. */
export interface HttpBody {
  readonly kind: 'http';
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** Absent when no answer came: see `failure`. */
  readonly status?: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly durationUs: number;
  /** Body of an answer that is not JSON-RPC, at most 64 KiB of it. */
  readonly body?: string;
  readonly failure?: TransportFailure;
  /** The JSON-RPC request that the POST carried. */
  readonly requestId?: string | number;
}

/** Why there was no JSON-RPC answer. */
export interface TransportFailure {
  readonly reason:
    | 'spawn-failed'
    | 'exited'
    | 'refused'
    | 'unresolved'
    | 'reset'
    | 'tls'
    | 'stream-ended'
    | 'http-status'
    | 'not-json-rpc'
    | 'unauthorized'
    | 'accepted-without-answer'
    | 'session-lost'
    /** Not sent: the server has failed too often of late (see the breaker). */
    | 'unavailable'
    | 'closed'
    | 'unknown';
  /** System error code such as `ENOENT` or `ECONNREFUSED`. */
  readonly code?: string;
  readonly message: string;
  readonly exitCode?: number | null;
  readonly exitSignal?: string | null;
  readonly status?: number;
  /** From the `Retry-After` header, both forms turned into milliseconds from now. */
  readonly retryAfterMs?: number;
  readonly stderrTail?: readonly string[];
}

export type LifecycleStep =
  | { readonly step: 'spawn'; readonly command: string; readonly args: readonly string[]; readonly cwd?: string }
  | { readonly step: 'started'; readonly pid: number }
  | { readonly step: 'connecting'; readonly url: string }
  | {
      readonly step: 'initialized';
      readonly revision: string;
      readonly serverName?: string;
      readonly serverVersion?: string;
      readonly capabilities: readonly string[];
      readonly durationUs: number;
    }
  | { readonly step: 'failed'; readonly failure: TransportFailure; readonly durationUs: number }
  | {
      readonly step: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly expected: boolean;
    }
  | { readonly step: 'backoff'; readonly delayMs: number; readonly attempt: number }
  /** The process ended by itself so often that it is not started again; `failure` is its last end. */
  | {
      readonly step: 'crash-loop';
      readonly crashes: number;
      readonly withinMs: number;
      readonly failure: TransportFailure;
    }
  | {
      readonly step: 'breaker';
      readonly state: 'open' | 'half-open' | 'closed';
      /** When open: how long until one call is let through, ms. */
      readonly retryInMs?: number;
      /** When open: failures in a row. */
      readonly failures?: number;
    }
  | {
      readonly step: 'shutdown';
      readonly action: 'stdin-closed' | 'sigterm' | 'sigkill' | 'session-deleted' | 'closed';
    };

export interface LifecycleBody {
  readonly kind: 'lifecycle';
  readonly detail: LifecycleStep;
}

/**
 * A decision of the retry loop. `token` is the `_meta.progressToken` of the request that the attempt sends, which is how
 * a recorded request is joined to its attempt; `replayOf` is the row (the `seq` of its request) that a replay repeats.
 */
export interface AttemptBody {
  readonly kind: 'attempt';
  readonly chain: ChainId;
  readonly number: number;
  readonly maxAttempts: number;
  readonly decision: 'send' | 'wait' | 'give-up' | 'refuse' | 'cancel';
  readonly token?: string;
  readonly delayMs?: number;
  /** Names a sentence in `protocol/texts.ts`. */
  readonly reason: string;
  readonly replayOf?: number;
  /** The request is a recorded one that a person has changed. */
  readonly isEdited?: true;
}

/**
 * A local end of a request that no message tells: our timeout, our cancel, the loss of what carried it. `id` and
 * `connection` name the request.
 */
export interface LocalEndBody {
  readonly kind: 'local-end';
  readonly id: string | number;
  readonly end:
    | {
        readonly kind: 'timeout';
        readonly limit: 'idle' | 'total';
        readonly afterMs: number;
        readonly progressSeen: boolean;
      }
    | { readonly kind: 'cancelled'; readonly by: 'user' | 'client' | 'shutdown' }
    | { readonly kind: 'transport'; readonly failure: TransportFailure };
}

export interface NoteBody {
  readonly kind: 'note';
  readonly note:
    | { readonly type: 'gap'; readonly events: number; readonly bytes: number; readonly reason: string }
    /** Old events that were deleted to keep to a limit: those of `events` count, none later than `untilUs` (wall). */
    | {
        readonly type: 'evicted';
        readonly reason: 'size' | 'age';
        readonly events: number;
        readonly bytes: number;
        readonly untilUs: number;
      }
    | { readonly type: 'mark'; readonly text: string }
    /**
     * A fault that Faultline itself injected into the exchange of the client's request `requestId`; what follows from it is
     * not the server's doing. `original` is what the server really answered, where something else was passed on: its
     * beginning, with its size in bytes. Written before what was passed on instead.
     */
    | ({
        readonly type: 'injected';
        readonly requestId: string | number;
        readonly original?: { readonly raw: string; readonly bytes: number };
      } & InjectedFault);
}

export type EventBody =
  | MessageBody
  | NoiseBody
  | StderrBody
  | HttpBody
  | LifecycleBody
  | AttemptBody
  | LocalEndBody
  | NoteBody;

/** An event on its way to the log. */
export type NewLogEvent = EventContext & { readonly body: EventBody };

/** A recorded event. `seq` is given by the log and strictly increasing over all processes that write it. */
export type LogEvent = NewLogEvent & { readonly seq: number };

/** Where the tap puts what it sees. Never throws, never waits: a sink that cannot keep up records a gap. */
export interface EventSink {
  append(event: NewLogEvent): void;
}
