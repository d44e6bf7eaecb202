import type { NoteBody } from '../../protocol/events.ts';
import type { HttpRequest } from './httpExchange.ts';

// What injects faults into our own client's wires: an optional dependency, without which nothing of it is on the way.

type Note = (note: NoteBody['note']) => void;

/** Stands between a server process and what reads it. */
export type StdioWireFaults = (hooks: {
  /** Records, before anything of the fault is on the wire. */
  readonly note: Note;
  /** Ends the process at once. */
  readonly kill: () => void;
  readonly onReceived: (bytes: Uint8Array) => void;
}) => {
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  /** Its output has ended; calls back when all that was held back has been given. */
  ended(done: () => void): void;
};

/** Answers a request in the place of `send`, which sends it as it is. May reject, as `fetch` does. */
export type HttpWireFaults = (
  request: HttpRequest,
  hooks: { readonly send: () => Promise<Response>; readonly note: Note; readonly signal: AbortSignal },
) => Promise<Response>;
