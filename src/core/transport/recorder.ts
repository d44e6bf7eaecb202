import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { EventBody, EventContext, EventSink } from '../../protocol/events.ts';

/** What all events of one connection have in common. */
export type TapContext = Pick<EventContext, 'session' | 'server' | 'connection' | 'origin'>;

export interface RecorderOptions {
  readonly context: TapContext;
  readonly sink: EventSink;
  readonly clock: Clock;
}

/** Records one event, stamped with the present moment, and returns that moment on the monotonic clock. Never throws. */
export type Recorder = (body: EventBody) => number;

/**
 * A recorder that traffic can rely on. Should the sink throw against its contract, the loss is counted and recorded as a
 * gap as soon as the sink takes events again: a failing log costs its own records, never a message.
 */
export function createRecorder({ context, sink, clock }: RecorderOptions): Recorder {
  let lost = { events: 0, bytes: 0, reason: '' };

  function append(body: EventBody, monoUs: number): void {
    sink.append({ ...context, wallUs: clock.wallUs(), monoUs, body });
  }

  return (body) => {
    const monoUs = clock.monoUs();
    try {
      if (lost.events > 0) {
        append({ kind: 'note', note: { type: 'gap', ...lost } }, monoUs);
        lost = { events: 0, bytes: 0, reason: '' };
      }
      append(body, monoUs);
    } catch (error) {
      lost = {
        events: lost.events + 1,
        bytes: lost.bytes + ('bytes' in body ? body.bytes : 0),
        reason: messageOf(error),
      };
    }
    return monoUs;
  };
}
