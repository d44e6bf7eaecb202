import { vi } from 'vitest';
import type { TapContext } from '../../../../src/core/transport/recorder.ts';
import type { Frame, Wire } from '../../../../src/core/transport/wire.ts';
import type {
  ConnectionId,
  EventBody,
  EventSink,
  NewLogEvent,
  ServerId,
  SessionId,
  TransportFailure,
} from '../../../../src/protocol/events.ts';
import type { JsonRpcId } from '../../../../src/protocol/jsonrpc.ts';

export const testContext: TapContext = {
  session: 'session' as SessionId,
  server: 'test:server' as ServerId,
  connection: 'connection' as ConnectionId,
  origin: 'client',
};

type Kind = EventBody['kind'];

/** A sink that keeps what it is given. */
export class MemorySink implements EventSink {
  readonly events: NewLogEvent[] = [];

  append(event: NewLogEvent): void {
    this.events.push(event);
  }

  /** The recorded bodies of one kind, in order. */
  bodies<K extends Kind>(kind: K): Extract<EventBody, { kind: K }>[] {
    return this.events.flatMap(({ body }) => (isKind(body, kind) ? [body] : []));
  }

  /** What the lifecycle events say, in order. */
  steps(): string[] {
    return this.bodies('lifecycle').map(({ detail }) =>
      detail.step === 'shutdown' ? `shutdown ${detail.action}` : detail.step,
    );
  }
}

function isKind<K extends Kind>(body: EventBody, kind: K): body is Extract<EventBody, { kind: K }> {
  return body.kind === kind;
}

/** All that a wire has said, and for each frame how many events had been recorded by then. */
export class WireProbe {
  readonly sent: Frame[] = [];
  readonly received: Frame[] = [];
  readonly lost: { id: JsonRpcId; failure: TransportFailure }[] = [];
  readonly closed: TransportFailure[] = [];

  constructor(wire: Wire) {
    wire.onDidSend((frame) => this.sent.push(frame));
    wire.onDidReceive((frame) => this.received.push(frame));
    wire.onDidLoseRequest((loss) => this.lost.push(loss));
    wire.onDidClose((failure) => this.closed.push(failure));
  }
}

/** Waits until `find` gives something other than `undefined` or `false`, and returns it. */
export function until<T>(find: () => T | undefined | false): Promise<T> {
  return vi.waitFor(
    () => {
      const found = find();
      if (found === undefined || found === false) {
        throw new Error(`Still waiting for: ${find.toString()}`);
      }
      return found;
    },
    { timeout: 15_000, interval: 5 },
  );
}
