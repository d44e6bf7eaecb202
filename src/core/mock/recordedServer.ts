import type { JsonObject, JsonRpcId } from '../../protocol/jsonrpc.ts';

/** Something that a server did, `afterMs` milliseconds after what it did it about. Ids in it are the recorded ones. */
export type MockStep = { readonly afterMs: number } & (
  | { readonly kind: 'message'; readonly raw: string }
  /** Bytes in the place of a message. */
  | { readonly kind: 'noise'; readonly raw: string; readonly stream: 'stdout' | 'sse' | 'http' }
  | { readonly kind: 'stderr'; readonly line: string }
  /** An HTTP answer that carries no message. */
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** The process ended, or the connection did before the answer. */
  | {
      readonly kind: 'end';
      readonly how: 'exit' | 'reset' | 'stream-ended';
      readonly code: number | null;
      readonly signal: string | null;
    }
  /** The client answered a request of the server. */
  | { readonly kind: 'answered'; readonly id: JsonRpcId }
  /** The client cancelled. */
  | { readonly kind: 'cancelled' }
);

/** A request or notification of the client, with all that the server did about it. */
export interface RecordedCall {
  /** Its place in the recording. */
  readonly seq: number;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** Absent of a notification. */
  readonly id: JsonRpcId | undefined;
  readonly progressToken: JsonRpcId | undefined;
  readonly steps: readonly MockStep[];
  /** How its answer came over HTTP. */
  readonly http?: { readonly status: number; readonly isStream: boolean };
}

/** What was recorded of one server, over all its connections. */
export interface RecordedServer {
  readonly name: string;
  readonly calls: readonly RecordedCall[];
  /** What it did before anybody said anything to it. */
  readonly opening: readonly MockStep[];
  readonly transport: 'stdio' | 'http';
  /** Over HTTP: did it give its clients a session? */
  readonly hasSessions: boolean;
  /** Of the handshakes, as far as they are recorded; the newest. */
  readonly revision: string | undefined;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
}
