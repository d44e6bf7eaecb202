import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Batch, BatchWriter, type Channel, type Fact, PASSAGE_BYTES, weightOf } from './passage.ts';

/**
 * What passed goes to be recorded in the first pause of this length: on a machine with few processors to spare, recording in
 * the middle of a burst is what traffic would feel.
 */
const PAUSE_MS = 20;
/** It goes without a pause when the oldest has waited so long, or when so much waits. */
const MAX_WAIT_MS = 250;
/** What waits while the recorder rests: a burst of large messages (at 16 MiB one of 26 MB was slowed by a fifth). */
const FIRST_BATCH_BYTES = 48 * 1024 * 1024;
/** What waits while the recorder is behind: there is room again as soon as it has dealt with a batch. */
const BATCH_BYTES = 16 * 1024 * 1024;
const FIRST_BYTES = 16 * 1024;
/** What the recorder may be behind; what passes beyond is a gap. */
const MAX_BEHIND_BYTES = 96 * 1024 * 1024;
/** Facts are small, and without them bytes say little: they still find room for a while. */
const FACT_BYTES = 4 * 1024 * 1024;
const LF = 0x0a;

/**
 * What the forwarding side tells of what it has forwarded. Costs little; never throws, never waits. What there is no room
 * for is counted, and said to be missing as soon as there is room again.
 */
export interface Tape {
  /** `isSpent`: whoever else had the bytes is done with them, so that their memory may be taken. Without it they are copied. */
  passed(channel: Channel, exchange: number, bytes: Uint8Array, isSpent?: () => boolean): void;
  happened(exchange: number, fact: Fact): void;
  /** Sends what waits. */
  flush(): void;
  /** The recorder has dealt with a batch. */
  recorded(batchBytes: number): void;
  /** The recorder died: what it had not dealt with is gone. */
  lost(reason: string): void;
}

export interface TapeOptions {
  readonly clock: Clock;
  /** Hands a batch over, with the memory that goes with it; false when nobody takes it, which loses it. */
  readonly post: (batch: Batch, transfer: readonly ArrayBuffer[]) => boolean;
  readonly maxBehindBytes?: number;
}

interface Loss {
  readonly channel: Channel;
  readonly exchange: number;
  readonly reason: string;
  lines: number;
  bytes: number;
  endsLine: boolean;
}

export function createTape({ clock, post, maxBehindBytes = MAX_BEHIND_BYTES }: TapeOptions): Tape {
  const writer = new BatchWriter(FIRST_BYTES);
  const losses = new Map<string, Loss>();
  let timer: Disposable | undefined;
  /** When the first and the last of what waits have passed. */
  let firstUs = 0;
  let lastUs = 0;
  /** Posted and not dealt with. */
  let behindBytes = 0;

  function lossOf(channel: Channel, exchange: number, reason: string): Loss {
    const key = `${channel} ${exchange}`;
    const loss = losses.get(key) ?? { channel, exchange, reason, lines: 0, bytes: 0, endsLine: false };
    losses.set(key, loss);
    return loss;
  }

  function hasRoom(bytes: number, limit = maxBehindBytes): boolean {
    // One that finds nothing before it is taken whatever its size.
    const behind = behindBytes + writer.bytes + writer.count * PASSAGE_BYTES;
    return behind === 0 || behind + bytes + PASSAGE_BYTES <= limit;
  }

  function added(nowUs: number): void {
    lastUs = nowUs;
    if (writer.bytes >= (behindBytes === 0 ? FIRST_BATCH_BYTES : BATCH_BYTES)) {
      flush();
    } else if (timer === undefined) {
      firstUs = nowUs;
      timer = clock.setTimer(PAUSE_MS, look);
    }
  }

  /** Looks whether there was a pause; a timer anew for each passage would cost more than all the rest. */
  function look(): void {
    const nowUs = clock.monoUs();
    const isPause = nowUs - lastUs >= PAUSE_MS * 1000;
    if (isPause || nowUs - firstUs >= MAX_WAIT_MS * 1000) {
      flush();
    } else {
      timer = clock.setTimer(Math.max(1, PAUSE_MS - (nowUs - lastUs) / 1000), look);
    }
  }

  function tellLosses(): void {
    if (losses.size === 0) {
      return;
    }
    const monoUs = clock.monoUs();
    for (const { exchange, ...loss } of losses.values()) {
      writer.addFact(monoUs, exchange, { fact: 'gap', ...loss });
    }
    losses.clear();
  }

  function flush(): void {
    timer?.dispose();
    timer = undefined;
    if (losses.size > 0 && hasRoom(0)) {
      tellLosses();
    }
    if (writer.count === 0) {
      return;
    }
    const { batch, transfer } = writer.take(clock.wallUs() - clock.monoUs());
    const weight = weightOf(batch);
    if (post(batch, transfer)) {
      behindBytes += weight;
    }
  }

  return {
    passed(channel, exchange, bytes, isSpent) {
      if (!hasRoom(bytes.length)) {
        const loss = lossOf(channel, exchange, 'log.gap.tap-behind');
        loss.lines += linesIn(bytes);
        loss.bytes += bytes.length;
        loss.endsLine = bytes.at(-1) === LF;
        return;
      }
      tellLosses();
      const nowUs = clock.monoUs();
      writer.addBytes(nowUs, exchange, channel, bytes, isSpent);
      added(nowUs);
    },
    happened(exchange, fact) {
      if (!hasRoom(0, maxBehindBytes + FACT_BYTES)) {
        lossOf('received', exchange, 'log.gap.tap-behind').lines += 1;
        return;
      }
      tellLosses();
      const nowUs = clock.monoUs();
      writer.addFact(nowUs, exchange, fact);
      added(nowUs);
    },
    flush,
    recorded(batchBytes) {
      behindBytes = Math.max(0, behindBytes - batchBytes);
      if (losses.size > 0 && hasRoom(0)) {
        tellLosses();
        added(clock.monoUs());
      }
    },
    lost(reason) {
      lossOf('received', 0, reason).bytes += behindBytes;
      behindBytes = 0;
      tellLosses();
      added(clock.monoUs());
    },
  };
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let lf = bytes.indexOf(LF); lf !== -1; lf = bytes.indexOf(LF, lf + 1)) {
    lines += 1;
  }
  return lines;
}
