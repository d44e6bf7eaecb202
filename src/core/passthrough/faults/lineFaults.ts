import type { Clock } from '../../../base/clock.ts';
import { parseFrame } from '../../transport/envelope.ts';
import { MAX_LINE_BYTES } from '../../transport/lineFramer.ts';
import { createFaultyAnswers, type InjectedNote } from './answers.ts';
import { createDeliveries } from './deliveries.ts';
import type { FaultEngine } from './engine.ts';

const LF = 0x0a;

export interface LineFaultsOptions {
  readonly engine: FaultEngine;
  readonly clock: Clock;
  readonly note: (note: InjectedNote) => void;
  /** Takes what the client is to see of the server's output. */
  readonly onReceived: (bytes: Uint8Array) => void;
  /** Ends the server at once, without asking it. */
  readonly kill: () => void;
}

/** Faults between a client and a server over stdio. */
export interface LineFaults {
  /** Bytes of the client, which have been passed on. */
  sent(bytes: Uint8Array): void;
  /** Bytes of the server, which are not. */
  received(bytes: Uint8Array): void;
  /** The server's output has ended: what was begun is passed on, and `done` called when nothing is left. */
  ended(done: () => void): void;
}

/** Lines that no fault is for come out byte for byte as they went in, and in their order. */
export function createLineFaults({ engine, clock, note, onReceived, kill }: LineFaultsOptions): LineFaults {
  const answers = createFaultyAnswers(engine, note);
  let isCut = false;
  const deliveries = createDeliveries(clock, {
    write: onReceived,
    cut() {
      isCut = true;
      kill();
    },
  });
  const sent = createLines((line) => {
    const met = answers.asked(parseFrame(Buffer.from(line).toString('utf8')));
    const killing = met?.injections.find(({ fault }) => fault.type === 'kill');
    if (met !== undefined && killing !== undefined) {
      answers.inject(met, killing);
      isCut = true;
      deliveries.stop();
      kill();
    }
  });
  const received = createLines((line) => {
    const broken = answers.isWaiting ? brokenAnswer(line) : undefined;
    if (broken === undefined) {
      deliveries.deliver(line);
      return;
    }
    if (broken.texts.length > 0) {
      deliveries.deliver(Buffer.from(broken.texts.map((text) => `${text}\n`).join('')), broken.pace);
    }
  });

  function brokenAnswer(line: Uint8Array) {
    const raw = Buffer.from(line)
      .toString('utf8')
      .replace(/\r?\n$/, '');
    return answers.answered(raw, parseFrame(raw));
  }

  return {
    sent: (bytes) => sent.push(bytes),
    received(bytes) {
      if (!isCut) {
        received.push(bytes);
      }
    },
    ended(done) {
      if (!isCut) {
        received.end();
      }
      deliveries.whenIdle(done);
    },
  };
}

/** Cuts bytes into lines, their line ends included. A line beyond the cap of the log is given on in pieces, and unread. */
function createLines(take: (line: Uint8Array) => void): { push(bytes: Uint8Array): void; end(): void } {
  let begun: Uint8Array[] = [];
  let bytesBegun = 0;

  function end(): void {
    if (begun.length > 0) {
      const line = Buffer.concat(begun);
      begun = [];
      bytesBegun = 0;
      take(line);
    }
  }

  return {
    push(bytes) {
      let from = 0;
      for (let lf = bytes.indexOf(LF); lf !== -1; lf = bytes.indexOf(LF, from)) {
        begun.push(bytes.subarray(from, lf + 1));
        from = lf + 1;
        end();
      }
      if (from < bytes.length) {
        begun.push(bytes.subarray(from));
        bytesBegun += bytes.length - from;
        if (bytesBegun > MAX_LINE_BYTES) {
          end();
        }
      }
    },
    end,
  };
}
