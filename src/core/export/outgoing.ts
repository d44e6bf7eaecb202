import type { EventBody, LogEvent, TransportFailure } from '../../protocol/events.ts';
import { cutPayload } from './cutPayload.ts';
import type { LeftOutCounts, LeftOutKind } from './sessionFile.ts';

/** Replaces secrets in an event. What was recorded has been redacted before; rules may have grown since. */
export type RedactEvent = (event: LogEvent) => LogEvent;

export interface OutgoingOptions {
  readonly redact: RedactEvent;
  /** Which events may go out at all; all when absent. */
  readonly isChosen?: (event: LogEvent) => boolean;
  /** Messages longer than this, UTF-16 code units, are cut to it. */
  readonly maxPayloadLength: number;
}

/** What leaves the machine in a bug report, and the count of what does not. */
export interface Outgoing {
  /** The event as it goes out, or `undefined` when it stays. */
  pass(event: LogEvent): LogEvent | undefined;
  counts(): LeftOutCounts;
}

/** Lets events out for a bug report: redacted, without stderr and working folders, long messages cut. */
export function createOutgoing({ redact, isChosen, maxPayloadLength }: OutgoingOptions): Outgoing {
  const counts: Partial<Record<LeftOutKind, number>> = {};
  const leaveOut = (kind: LeftOutKind) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const withoutTail = (failure: TransportFailure): TransportFailure => {
    const { stderrTail, ...rest } = failure;
    if (stderrTail !== undefined && stderrTail.length > 0) {
      leaveOut('stderr');
    }
    return rest;
  };
  const bodyOf = (body: EventBody): EventBody | undefined => {
    switch (body.kind) {
      case 'stderr':
        leaveOut('stderr');
        return undefined;
      case 'message':
      case 'noise': {
        if (body.raw.length <= maxPayloadLength) {
          return body;
        }
        leaveOut('large-payload');
        const { rawBytes: _, ...rest } = body;
        return { ...rest, raw: cutPayload(body.raw, maxPayloadLength) };
      }
      case 'http':
        return body.failure === undefined ? body : { ...body, failure: withoutTail(body.failure) };
      case 'local-end':
        return body.end.kind === 'transport'
          ? { ...body, end: { ...body.end, failure: withoutTail(body.end.failure) } }
          : body;
      case 'lifecycle': {
        const { detail } = body;
        if (detail.step === 'failed') {
          return { ...body, detail: { ...detail, failure: withoutTail(detail.failure) } };
        }
        if (detail.step === 'spawn' && detail.cwd !== undefined) {
          leaveOut('working-folder');
          const { cwd: _, ...rest } = detail;
          return { ...body, detail: rest };
        }
        return body;
      }
      default:
        return body;
    }
  };
  return {
    pass(event) {
      if (isChosen?.(event) === false) {
        leaveOut('other-exchange');
        return undefined;
      }
      // Before anything is cut: half a secret would not be known for one.
      const redacted = redact(event);
      const body = bodyOf(redacted.body);
      return body === undefined ? undefined : { ...redacted, body };
    },
    counts: () => ({ ...counts }),
  };
}
