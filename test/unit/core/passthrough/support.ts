import { createNaming, type Naming, type NamingOptions } from '../../../../src/core/passthrough/naming.ts';
import type { Channel, Fact, Passage } from '../../../../src/core/passthrough/passage.ts';
import { createPassingClock } from '../../../../src/core/passthrough/passingClock.ts';
import type { ConnectionId, NewLogEvent, SessionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';

/** What a recording has to do with, on a clock that is moved by hand. */
export interface Scene {
  readonly clock: FakeClock;
  readonly passing: ReturnType<typeof createPassingClock>;
  readonly events: NewLogEvent[];
  readonly naming: Naming;
}

export function scene(options: Partial<NamingOptions> = {}): Scene {
  const clock = new FakeClock();
  const passing = createPassingClock(clock);
  const events: NewLogEvent[] = [];
  const naming = createNaming({
    sink: { append: (event) => events.push(event) },
    clock: passing,
    session: 'session' as SessionId,
    connection: 'connection' as ConnectionId,
    server: undefined,
    fallbackServer: 'fallback',
    ...options,
  });
  return { clock, passing, events, naming };
}

export const bytesOf = (text: string) => new TextEncoder().encode(text);

export const passed = (channel: Channel, text: string | Uint8Array, exchange = 0): Passage => ({
  monoUs: 0,
  exchange,
  what: { channel, bytes: typeof text === 'string' ? bytesOf(text) : text },
});

export const happened = (fact: Fact, exchange = 0): Passage => ({ monoUs: 0, exchange, what: fact });

/** Who speaks, and what each event is, in a form to compare. */
export function told(events: readonly NewLogEvent[]): readonly string[] {
  return events.map(({ server, origin, body }) => {
    const what = (() => {
      switch (body.kind) {
        case 'message':
          return `${body.direction} ${body.envelope.kind} ${body.raw.slice(0, 40)}`;
        case 'noise':
          return `${body.problem} ${body.raw}`;
        case 'stderr':
          return body.line;
        case 'http':
          return `${body.method} ${body.status ?? body.failure?.reason}`;
        case 'lifecycle':
          return body.detail.step;
        case 'note':
          return body.note.type === 'gap'
            ? `gap ${body.note.events} ${body.note.bytes} ${body.note.reason}`
            : body.note.type;
        case 'local-end':
          return `${body.id} ${body.end.kind}`;
        default:
          return '';
      }
    })();
    return `${origin} ${server} ${body.kind} ${what}`.trimEnd();
  });
}
