import { Transform } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import type { InjectedNote } from './answers.ts';
import type { FaultEngine } from './engine.ts';
import { createLineFaults } from './lineFaults.ts';

/** What faults need of a tap over stdio. */
export interface StdioFaultHooks {
  note(note: InjectedNote): void;
  kill(): void;
}

/** Faults within a tap over stdio: what the client sends is looked at, what the server says goes through `received`. */
export interface StdioFaults {
  sent(bytes: Uint8Array): void;
  readonly received: Transform;
}

/** Faults for `runStdioTap`. */
export function createStdioFaults(engine: FaultEngine, clock: Clock): (hooks: StdioFaultHooks) => StdioFaults {
  return ({ note, kill }) => {
    const lines = createLineFaults({
      engine,
      clock,
      note,
      kill,
      onReceived: (bytes) => {
        if (!received.destroyed) {
          received.push(bytes);
        }
      },
    });
    const received = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        lines.received(chunk);
        done();
      },
      flush: (done) => lines.ended(() => done()),
    });
    return { sent: (bytes) => lines.sent(bytes), received };
  };
}
