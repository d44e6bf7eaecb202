import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ConnectionId, EventBody, EventSink, NewLogEvent, ServerId, SessionId } from '../../protocol/events.ts';
import { sizeOf } from '../log/store.ts';

/** How long events wait for the names of those who speak. A server that hangs at its start shows after this. */
const HOLD_MS = 2000;
const HOLD_BYTES = 1024 * 1024;
const UNNAMED_CLIENT = 'unknown';
const NAME_CHARACTERS = 100;

export interface NamingOptions {
  readonly sink: EventSink;
  /** Stamps events: shows when they passed. */
  readonly clock: Clock;
  readonly session: SessionId;
  readonly connection: ConnectionId;
  readonly server: string | undefined;
  readonly fallbackServer: string;
}

/**
 * Puts the events of one connection under the names of its client and its server, which only the handshake tells: the first
 * events are held until it is answered, for at most two seconds and 1 MiB. The server's name stays as it is from then on,
 * since exchanges are joined by it; the client's may come later.
 */
export interface Naming {
  record(body: EventBody): void;
  client(name: string): void;
  server(name: string): void;
  /** The handshake has been answered, or there is nothing to wait for. */
  release(): void;
}

export function createNaming(options: NamingOptions): Naming {
  const { sink, clock, session, connection, fallbackServer } = options;
  let held: { readonly body: EventBody; readonly wallUs: number; readonly monoUs: number }[] | undefined = [];
  let heldBytes = 0;
  let clientName: string | undefined;
  let serverName = options.server;
  let timer: Disposable | undefined;

  function append(body: EventBody, wallUs: number, monoUs: number): void {
    const event: NewLogEvent = {
      session,
      server: `tap:${serverName ?? fallbackServer}` as ServerId,
      connection,
      wallUs,
      monoUs,
      origin: `tap:${clientName ?? UNNAMED_CLIENT}`,
      body,
    };
    sink.append(event);
  }

  function release(): void {
    timer?.dispose();
    const events = held ?? [];
    held = undefined;
    serverName ??= fallbackServer;
    for (const { body, wallUs, monoUs } of events) {
      append(body, wallUs, monoUs);
    }
  }

  return {
    record(body) {
      const [wallUs, monoUs] = [clock.wallUs(), clock.monoUs()];
      if (held === undefined) {
        append(body, wallUs, monoUs);
        return;
      }
      timer ??= clock.setTimer(HOLD_MS, release);
      held.push({ body, wallUs, monoUs });
      heldBytes += sizeOf({ body } as NewLogEvent);
      if (heldBytes > HOLD_BYTES) {
        release();
      }
    },
    client(name) {
      clientName = safeName(name) ?? clientName;
    },
    server(name) {
      if (held !== undefined) {
        serverName ??= safeName(name);
      }
    },
    release() {
      if (held !== undefined) {
        release();
      }
    },
  };
}

/** A name is what a stranger says of itself: one line, of a length to be shown; none when nothing is left. */
function safeName(name: string): string | undefined {
  const shown = name
    .slice(0, NAME_CHARACTERS * 2)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return shown === '' ? undefined : shown.slice(0, NAME_CHARACTERS);
}
