import { assertNever } from '../../base/assertNever.ts';
import type { MessageBody } from '../../protocol/events.ts';
import { type ParsedFrame, parseFrame } from '../transport/envelope.ts';
import { createLineFramer, type FramedLine } from '../transport/lineFramer.ts';
import { levelOf } from '../transport/stderr.ts';
import { createStdoutReader } from '../transport/stdoutReader.ts';
import { watchHandshake } from './handshakeWatch.ts';
import type { Naming } from './naming.ts';
import type { Channel, Passage } from './passage.ts';
import type { PassingClock } from './passingClock.ts';

const LF = 0x0a;
/** A line of stderr is cut here: a log, of which the beginning says what it is. */
const STDERR_LINE_BYTES = 64 * 1024;

/** Turns what passed over one stdio connection into events. */
export interface ConnectionRecording {
  take(passage: Passage): void;
  /** Nothing more comes. */
  end(): void;
}

/** The events of one stdio connection, in the order of what passed. */
export function recordStdio(naming: Naming, clock: PassingClock): ConnectionRecording {
  const readStdout = createStdoutReader();
  const startUs = clock.monoUs();
  const watch = watchHandshake({
    onClient: (name) => naming.client(name),
    onServer: (name) => naming.server(name),
    onAnswered: () => naming.release(),
    onUp: (step) => naming.record({ kind: 'lifecycle', detail: { ...step, durationUs: clock.monoUs() - startUs } }),
  });
  const lines: Readonly<Record<Channel, ChannelLines>> = {
    sent: channelLines(takeSent),
    received: channelLines(takeReceived),
    stderr: channelLines(takeStderr, STDERR_LINE_BYTES),
  };

  function takeMessage(body: MessageBody, parsed: ParsedFrame): void {
    // A request may name its sender; an answer tells what is then recorded after it.
    if (body.direction === 'sent') {
      watch(body.direction, parsed);
      naming.record(body);
    } else {
      naming.record(body);
      watch(body.direction, parsed);
    }
  }

  /** A client writes nothing but messages, so that a line that is none is a malformed one. */
  function takeSent({ kind: _, ...line }: FramedLine): void {
    const parsed = parseFrame(line.raw);
    takeMessage({ kind: 'message', direction: 'sent', envelope: parsed.envelope, ...line }, parsed);
  }

  function takeReceived(line: FramedLine): void {
    const { body, parsed } = readStdout(line);
    if (parsed === undefined) {
      naming.record(body);
    } else {
      takeMessage(body, parsed);
    }
  }

  function takeStderr({ raw }: FramedLine): void {
    naming.record({ kind: 'stderr', line: raw, level: levelOf(raw) });
  }

  return {
    take({ what }) {
      if (!('fact' in what)) {
        lines[what.channel].push(what.bytes);
        return;
      }
      switch (what.fact) {
        case 'lifecycle':
          naming.record({ kind: 'lifecycle', detail: what.detail });
          if (what.detail.step === 'failed' || what.detail.step === 'exited') {
            naming.release();
          }
          return;
        case 'end':
          lines[what.channel].end();
          return;
        case 'gap': {
          lines[what.channel].skip(what.endsLine);
          const { bytes, reason } = what;
          naming.record({ kind: 'note', note: { type: 'gap', events: Math.max(1, what.lines), bytes, reason } });
          return;
        }
        case 'injected':
          naming.record({ kind: 'note', note: what.note });
          return;
        case 'request':
        case 'response':
        case 'failed':
        case 'endpoint-rewritten':
          return;
        default:
          assertNever(what);
      }
    },
    end() {
      for (const channel of Object.values(lines)) {
        channel.end();
      }
      naming.release();
    },
  };
}

interface ChannelLines {
  push(bytes: Uint8Array): void;
  /** Bytes are missing here: what was begun cannot be completed, and what comes may be the rest of a line. */
  skip(isToLineEnd: boolean): void;
  end(): void;
}

function channelLines(take: (line: FramedLine) => void, maxLineBytes?: number): ChannelLines {
  let framer = createLineFramer(maxLineBytes);
  let isSkipping = false;
  return {
    push(bytes) {
      let rest = bytes;
      if (isSkipping) {
        const lf = bytes.indexOf(LF);
        if (lf === -1) {
          return;
        }
        isSkipping = false;
        rest = bytes.subarray(lf + 1);
      }
      framer.push(rest).forEach(take);
    },
    skip(isToLineEnd) {
      framer = createLineFramer(maxLineBytes);
      isSkipping = !isToLineEnd;
    },
    end() {
      framer.end().forEach(take);
      isSkipping = false;
    },
  };
}
