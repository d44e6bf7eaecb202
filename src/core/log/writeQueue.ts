import type { ConnectionId, EventContext, NewLogEvent } from '../../protocol/events.ts';
import { payloadBytesOf, sizeOf } from './store.ts';

/** Events that were lost at one place of the queue. Grows until something is queued behind it. */
interface PendingGap {
  readonly context: EventContext;
  readonly reason: string;
  events: number;
  bytes: number;
}

export interface QueueBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/**
 * Events that wait to be written, bounded: one that finds the queue full is dropped and counted, and the count takes its
 * place in the order. One gap a connection, so that each loss is told where it belongs.
 */
export class WriteQueue {
  private items: Array<NewLogEvent | PendingGap> = [];
  private bytes = 0;
  private readonly tailGaps = new Map<ConnectionId, PendingGap>();
  private readonly bounds: QueueBounds;

  constructor(bounds: QueueBounds) {
    this.bounds = bounds;
  }

  get length(): number {
    return this.items.length;
  }

  /** Of the events that wait. */
  get byteLength(): number {
    return this.bytes;
  }

  /** Queues the event, or counts it as lost for `reason` when there is no room. An empty queue takes any event. */
  push(event: NewLogEvent, reason: string): void {
    const size = sizeOf(event);
    const { maxEvents, maxBytes } = this.bounds;
    if (this.items.length > 0 && (this.items.length >= maxEvents || this.bytes + size > maxBytes)) {
      this.lose(event, reason);
      return;
    }
    this.tailGaps.clear();
    this.items.push(event);
    this.bytes += size;
  }

  /** Queues a gap, whatever the bounds. */
  pushGap(context: EventContext, events: number, bytes: number, reason: string): void {
    this.tailGaps.clear();
    this.items.push(gapOf(context, events, bytes, reason));
  }

  /** The first events, at most `maxEvents`, and no more once they reach `maxBytes`. They stay until `remove`. */
  peek(maxEvents: number, maxBytes: number): readonly NewLogEvent[] {
    const events: NewLogEvent[] = [];
    let bytes = 0;
    for (const item of this.items) {
      if (events.length >= maxEvents || bytes >= maxBytes) {
        break;
      }
      const event = isGap(item) ? gapEvent(item) : item;
      events.push(event);
      bytes += sizeOf(event);
    }
    return events;
  }

  /** Forgets the first `count`, which have been written. */
  remove(count: number): void {
    for (const item of this.items.slice(0, count)) {
      this.forget(item);
    }
    this.items = this.items.slice(count);
  }

  /** Turns the event at `index`, which can never be written, into a gap. */
  reject(index: number, reason: string): void {
    const item = this.items[index];
    if (item === undefined) {
      return;
    }
    this.forget(item);
    // A gap holds nothing that could be refused; if one is all the same, the queue must not wait for it for ever.
    this.items.splice(index, 1, ...(isGap(item) ? [] : [gapOf(item, 1, payloadBytesOf(item), reason)]));
  }

  private lose(event: NewLogEvent, reason: string): void {
    const gap = this.tailGaps.get(event.connection);
    if (gap === undefined) {
      const opened = gapOf(event, 1, payloadBytesOf(event), reason);
      this.tailGaps.set(event.connection, opened);
      this.items.push(opened);
    } else {
      gap.events++;
      gap.bytes += payloadBytesOf(event);
    }
  }

  private forget(item: NewLogEvent | PendingGap): void {
    if (!isGap(item)) {
      this.bytes -= sizeOf(item);
    } else if (this.tailGaps.get(item.context.connection) === item) {
      this.tailGaps.delete(item.context.connection);
    }
  }
}

function gapOf(context: EventContext, events: number, bytes: number, reason: string): PendingGap {
  const { session, server, connection, wallUs, monoUs, origin } = context;
  const times = { wallUs: finite(wallUs), monoUs: finite(monoUs) };
  return { context: { session, server, connection, origin, ...times }, events, bytes, reason };
}

function gapEvent({ context, events, bytes, reason }: PendingGap): NewLogEvent {
  return { ...context, body: { kind: 'note', note: { type: 'gap', events, bytes, reason } } };
}

function isGap(item: NewLogEvent | PendingGap): item is PendingGap {
  return 'context' in item;
}

/** A broken time may be why an event was refused. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
