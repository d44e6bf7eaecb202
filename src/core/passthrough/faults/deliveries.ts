import type { Clock } from '../../../base/clock.ts';

/** How often a slow stream sends a piece, ms. */
const PIECE_MS = 100;

export interface Pace {
  readonly delayMs: number;
  /** As fast as it goes when absent. */
  readonly bytesPerSecond?: number | undefined;
  /** Break the connection after so many bytes of it. */
  readonly cutAtByte?: number | undefined;
}

/** Where bytes go in the end. */
export interface Outlet {
  write(bytes: Uint8Array): void;
  /** Breaks the connection. */
  cut(): void;
}

export interface Deliveries {
  /** What is delayed lets others pass; what is sent slowly holds up what comes behind it, as on any wire. */
  deliver(bytes: Uint8Array, pace?: Pace): void;
  /** Calls back once all has been delivered, at once when it has. */
  whenIdle(done: () => void): void;
  /** Nothing more is delivered: the connection was cut, or somebody has stopped it. */
  readonly isStopped: boolean;
  /** Delivers nothing more. */
  stop(): void;
}

interface Item {
  readonly bytes: Uint8Array;
  readonly pace: Pace | undefined;
}

export function createDeliveries(clock: Clock, outlet: Outlet): Deliveries {
  const queue: Item[] = [];
  const timers = new Set<{ dispose(): void }>();
  const waiting: (() => void)[] = [];
  let isSending = false;
  let isStopped = false;

  function later(ms: number, work: () => void): void {
    const timer = clock.setTimer(ms, () => {
      timers.delete(timer);
      work();
      settle();
    });
    timers.add(timer);
  }

  function settle(): void {
    if (timers.size === 0 && !isSending) {
      waiting.splice(0).forEach((done) => {
        done();
      });
    }
  }

  function stop(): void {
    isStopped = true;
    isSending = false;
    queue.length = 0;
    for (const timer of timers) {
      timer.dispose();
    }
    timers.clear();
    settle();
  }

  function send(): void {
    while (!isSending && !isStopped) {
      const item = queue.shift();
      if (item === undefined) {
        return;
      }
      const { cutAtByte, bytesPerSecond } = item.pace ?? {};
      const bytes = cutAtByte === undefined ? item.bytes : item.bytes.subarray(0, cutAtByte);
      const end = () => {
        if (cutAtByte !== undefined) {
          outlet.cut();
          stop();
        }
      };
      if (bytesPerSecond === undefined) {
        if (bytes.length > 0) {
          outlet.write(bytes);
        }
        end();
      } else {
        isSending = true;
        sendSlowly(bytes, bytesPerSecond, () => {
          isSending = false;
          end();
          send();
        });
      }
    }
  }

  function sendSlowly(bytes: Uint8Array, bytesPerSecond: number, done: () => void): void {
    const size = Math.max(1, Math.round((bytesPerSecond * PIECE_MS) / 1000));
    // Less than a byte in a turn makes the turns longer.
    const everyMs = Math.max(PIECE_MS, 1000 / bytesPerSecond);
    let at = 0;
    const next = () => {
      outlet.write(bytes.subarray(at, at + size));
      at += size;
      if (at < bytes.length) {
        later(everyMs, next);
      } else {
        done();
      }
    };
    next();
  }

  return {
    deliver(bytes, pace) {
      if (isStopped) {
        return;
      }
      const take = () => {
        queue.push({ bytes, pace });
        send();
      };
      if (pace !== undefined && pace.delayMs > 0) {
        later(pace.delayMs, take);
      } else {
        take();
      }
    },
    get isStopped() {
      return isStopped;
    },
    whenIdle(done) {
      waiting.push(done);
      settle();
    },
    stop,
  };
}
