import type { LifecycleStep, TransportFailure } from '../../protocol/events.ts';

/** Which way bytes went, over stdio and over HTTP: `sent` by the client, `received` from the server. */
export type Channel = 'sent' | 'received' | 'stderr';

/** What happened beside the bytes. */
export type Fact =
  | { readonly fact: 'lifecycle'; readonly detail: LifecycleStep }
  /** The stream of bytes is at its end. */
  | { readonly fact: 'end'; readonly channel: Channel }
  /** Bytes that passed and that the record misses from here on: `lines` is how many line ends were among them. */
  | {
      readonly fact: 'gap';
      readonly channel: Channel;
      readonly lines: number;
      readonly bytes: number;
      readonly reason: string;
      /** The bytes end with a line. */
      readonly endsLine: boolean;
    }
  | {
      readonly fact: 'request';
      readonly method: string;
      /** Of the server. */
      readonly url: string;
      readonly headers: readonly (readonly [string, string])[];
    }
  | { readonly fact: 'response'; readonly status: number; readonly headers: readonly (readonly [string, string])[] }
  /** No answer came, or it broke off; `isAborted` by the client. */
  | { readonly fact: 'failed'; readonly failure: TransportFailure; readonly isAborted: boolean }
  /** The one field that is ever changed: where an HTTP+SSE server says to POST. */
  | { readonly fact: 'endpoint-rewritten'; readonly from: string; readonly to: string };

/** One thing that passed. `exchange` numbers HTTP exchanges from 1; it is 0 over stdio. Times are monotonic, µs. */
export interface Passage {
  readonly monoUs: number;
  readonly exchange: number;
  readonly what: { readonly channel: Channel; readonly bytes: Uint8Array } | Fact;
}

/**
 * Several passages on their way to the thread that records: one copy for all, and two buffers that change hands. `index`
 * has four numbers a passage: what it is, its exchange, its time, its size in `data`.
 */
export interface Batch {
  readonly index: Float64Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
  /** Wall time of the monotonic clock's origin, µs. */
  readonly wallOriginUs: number;
}

const FIELDS = 4;
const FACT = 3;
const CHANNELS: readonly Channel[] = ['sent', 'received', 'stderr'];

/** Collects passages for one batch. Copies what it is given, so that the bytes stay their owner's. */
export class BatchWriter {
  private index = new Float64Array(64 * FIELDS);
  private data: Buffer<ArrayBuffer>;
  private readonly firstBytes: number;
  private passages = 0;
  private used = 0;

  constructor(firstBytes: number) {
    this.firstBytes = firstBytes;
    this.data = Buffer.from(new ArrayBuffer(firstBytes));
  }

  get count(): number {
    return this.passages;
  }

  get bytes(): number {
    return this.used;
  }

  addBytes(monoUs: number, exchange: number, channel: Channel, bytes: Uint8Array): void {
    this.add(CHANNELS.indexOf(channel), exchange, monoUs, bytes);
  }

  addFact(monoUs: number, exchange: number, fact: Fact): void {
    this.add(FACT, exchange, monoUs, Buffer.from(JSON.stringify(fact)));
  }

  /** The batch, in buffers of its own; the writer is empty again. */
  take(wallOriginUs: number): Batch {
    const index = this.index.slice(0, this.passages * FIELDS);
    // A buffer that is nearly full goes as it is.
    const data = this.used * 2 > this.data.length ? this.data.subarray(0, this.used) : copyOf(this.data, this.used);
    if (data.buffer === this.data.buffer) {
      this.data = Buffer.from(new ArrayBuffer(this.firstBytes));
    }
    this.passages = 0;
    this.used = 0;
    return { index, data, wallOriginUs };
  }

  private add(kind: number, exchange: number, monoUs: number, bytes: Uint8Array): void {
    const at = this.passages * FIELDS;
    if (at === this.index.length) {
      const wider = new Float64Array(this.index.length * 2);
      wider.set(this.index);
      this.index = wider;
    }
    this.index[at] = kind;
    this.index[at + 1] = exchange;
    this.index[at + 2] = monoUs;
    this.index[at + 3] = bytes.length;
    this.passages += 1;
    if (this.used + bytes.length > this.data.length) {
      const wider = Buffer.from(new ArrayBuffer(Math.max(this.data.length * 2, this.used + bytes.length)));
      this.data.copy(wider, 0, 0, this.used);
      this.data = wider;
    }
    this.data.set(bytes, this.used);
    this.used += bytes.length;
  }
}

function copyOf(data: Buffer<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(length);
  copy.set(data.subarray(0, length));
  return copy;
}

/** The passages of a batch, in their order. Their bytes share its memory. */
export function* passagesOf({ index, data }: Pick<Batch, 'index' | 'data'>): Generator<Passage> {
  let offset = 0;
  for (let at = 0; at < index.length; at += FIELDS) {
    const [kind = 0, exchange = 0, monoUs = 0, size = 0] = index.subarray(at, at + FIELDS);
    const bytes = data.subarray(offset, offset + size);
    offset += size;
    const channel = CHANNELS[kind];
    if (channel !== undefined) {
      yield { monoUs, exchange, what: { channel, bytes } };
    } else {
      // Written by `addFact` in this very process.
      yield { monoUs, exchange, what: JSON.parse(Buffer.from(bytes).toString('utf8')) as Fact };
    }
  }
}
