import type { LifecycleStep, TransportFailure } from '../../protocol/events.ts';
import type { InjectedNote } from './faults/answers.ts';

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
  /** A fault was injected, on purpose; see the note of the same name. */
  | { readonly fact: 'injected'; readonly note: InjectedNote }
  /** The one field that is ever changed: where an HTTP+SSE server says to POST. */
  | { readonly fact: 'endpoint-rewritten'; readonly from: string; readonly to: string };

/** One thing that passed. `exchange` numbers HTTP exchanges from 1; it is 0 over stdio. Times are monotonic, µs. */
export interface Passage {
  readonly monoUs: number;
  readonly exchange: number;
  readonly what: { readonly channel: Channel; readonly bytes: Uint8Array } | Fact;
}

/**
 * Several passages on their way to the thread that records. `index` has four numbers a passage: what it is, its exchange,
 * its time, its size. Small ones are copied one after the other into `data`; large ones are in `chunks`, as they are.
 */
export interface Batch {
  readonly index: Float64Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly chunks: readonly Uint8Array[];
  /** Wall time of the monotonic clock's origin, µs. */
  readonly wallOriginUs: number;
}

const FIELDS = 4;
const FACT = 3;
/** Added to what a passage is: its bytes are the next of `chunks`. */
const IN_CHUNKS = 8;
/** What is smaller is cheaper to copy than to hand over. */
const CHUNK_BYTES = 8 * 1024;
const CHANNELS: readonly Channel[] = ['sent', 'received', 'stderr'];

/** A chunk that whoever wrote it may be done with: only then can its memory change hands. */
interface Chunk {
  readonly bytes: Uint8Array;
  readonly isSpent: () => boolean;
}

/** Collects passages for one batch. */
export class BatchWriter {
  private index = new Float64Array(64 * FIELDS);
  private data: Buffer<ArrayBuffer>;
  private chunks: Chunk[] = [];
  private readonly firstBytes: number;
  private passages = 0;
  private used = 0;
  private chunkBytes = 0;

  constructor(firstBytes: number) {
    this.firstBytes = firstBytes;
    this.data = Buffer.from(new ArrayBuffer(firstBytes));
  }

  get count(): number {
    return this.passages;
  }

  get bytes(): number {
    return this.used + this.chunkBytes;
  }

  /** With `isSpent`, a large chunk that has its memory for itself is not copied before it is taken. */
  addBytes(monoUs: number, exchange: number, channel: Channel, bytes: Uint8Array, isSpent?: () => boolean): void {
    const kind = CHANNELS.indexOf(channel);
    if (bytes.length < CHUNK_BYTES) {
      this.add(kind, exchange, monoUs, bytes);
      return;
    }
    const isOwn = isSpent !== undefined && bytes.length === bytes.buffer.byteLength;
    this.chunks.push(isOwn ? { bytes, isSpent } : { bytes: copyOf(bytes), isSpent: () => true });
    this.chunkBytes += bytes.length;
    this.addIndex(kind + IN_CHUNKS, exchange, monoUs, bytes.length);
  }

  addFact(monoUs: number, exchange: number, fact: Fact): void {
    this.add(FACT, exchange, monoUs, Buffer.from(JSON.stringify(fact)));
  }

  /** The batch, and which of its memory changes hands with it; the writer is empty again. */
  take(wallOriginUs: number): { readonly batch: Batch; readonly transfer: readonly ArrayBuffer[] } {
    const index = this.index.slice(0, this.passages * FIELDS);
    const data = new Uint8Array(this.used);
    data.set(this.data.subarray(0, this.used));
    const chunks = this.chunks.map(({ bytes }) => bytes);
    const spent = this.chunks.filter(({ isSpent }) => isSpent()).map(({ bytes }) => bytes.buffer as ArrayBuffer);
    if (this.data.length > this.firstBytes * 8) {
      this.data = Buffer.from(new ArrayBuffer(this.firstBytes));
    }
    this.chunks = [];
    this.passages = 0;
    this.used = 0;
    this.chunkBytes = 0;
    return { batch: { index, data, chunks, wallOriginUs }, transfer: [index.buffer, data.buffer, ...spent] };
  }

  private add(kind: number, exchange: number, monoUs: number, bytes: Uint8Array): void {
    this.addIndex(kind, exchange, monoUs, bytes.length);
    if (this.used + bytes.length > this.data.length) {
      const wider = Buffer.from(new ArrayBuffer(Math.max(this.data.length * 2, this.used + bytes.length)));
      this.data.copy(wider, 0, 0, this.used);
      this.data = wider;
    }
    this.data.set(bytes, this.used);
    this.used += bytes.length;
  }

  private addIndex(kind: number, exchange: number, monoUs: number, size: number): void {
    const at = this.passages * FIELDS;
    if (at === this.index.length) {
      const wider = new Float64Array(this.index.length * 2);
      wider.set(this.index);
      this.index = wider;
    }
    this.index[at] = kind;
    this.index[at + 1] = exchange;
    this.index[at + 2] = monoUs;
    this.index[at + 3] = size;
    this.passages += 1;
  }
}

/** In memory of its own, which is not cleared first. */
function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The passages of a batch, in their order. Their bytes share its memory. */
export function* passagesOf({ index, data, chunks }: Pick<Batch, 'index' | 'data' | 'chunks'>): Generator<Passage> {
  let offset = 0;
  let chunk = 0;
  for (let at = 0; at < index.length; at += FIELDS) {
    const [kind = 0, exchange = 0, monoUs = 0, size = 0] = index.subarray(at, at + FIELDS);
    const isChunk = kind >= IN_CHUNKS;
    const bytes = (isChunk ? chunks[chunk] : data.subarray(offset, offset + size)) ?? new Uint8Array();
    offset += isChunk ? 0 : size;
    chunk += isChunk ? 1 : 0;
    const channel = CHANNELS[isChunk ? kind - IN_CHUNKS : kind];
    if (channel !== undefined) {
      yield { monoUs, exchange, what: { channel, bytes } };
    } else {
      // Written by `addFact` in this very process.
      yield { monoUs, exchange, what: JSON.parse(Buffer.from(bytes).toString('utf8')) as Fact };
    }
  }
}

/** What a passage takes beside its bytes, about. */
export const PASSAGE_BYTES = 64;

/** By how much a batch counts against what may be behind. */
export function weightOf({ index }: Pick<Batch, 'index'>): number {
  let weight = 0;
  for (let at = FIELDS - 1; at < index.length; at += FIELDS) {
    weight += (index[at] ?? 0) + PASSAGE_BYTES;
  }
  return weight;
}
