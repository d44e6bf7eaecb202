import { type Exchange, ROW_KINDS } from '../../protocol/exchange.ts';
import { MARKS, type Mark, OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { StringTable } from './stringTable.ts';

/** No row, where a row number is meant. */
export const NONE = 0xffffffff;

/**
 * Marks an entry of the shown rows that is a head's own first attempt, under the head, which speaks for the chain. Leaves
 * room for 2^31 - 1 rows.
 */
const OWN_ATTEMPT = 0x80000000;

/** The entry of a head's own first attempt. */
export function ownAttempt(head: number): number {
  return (head | OWN_ATTEMPT) >>> 0;
}

export function isOwnAttempt(entry: number): boolean {
  return entry >= OWN_ATTEMPT;
}

/** The row that an entry shows. */
export function rowOfEntry(entry: number): number {
  return entry & ~OWN_ATTEMPT;
}

/** No outcome, where an index into `OUTCOME_KINDS` is meant. */
export const NO_OUTCOME = 0xff;

/** Bits of `flags`. */
export const FROM_SERVER = 1;
export const HAS_CHAIN = 2;
export const EXPANDED = 4;
export const SHOWN = 8;
export const HAS_ANOMALY = 16;
/** Passes the filter, whatever the range of time is. */
export const PASSES = 32;

/** No error code, where one is meant. */
export const NO_CODE = -0x80000000;

/** Its signal names the address instead (MCP 2025-11-25, "URL Elicitation Required Error"). */
const URL_ELICITATION_REQUIRED = -32042;

const MAX_U16 = 0xffff;
const MAX_U32 = 0xffffffff;

/**
 * The rows of the timeline in typed arrays that grow by doubling: about 90 bytes a row and no object. A row's number is
 * its place of arrival and never changes.
 */
export class Columns {
  length = 0;
  key = new Float64Array(0);
  startUs = new Float64Array(0);
  /** NaN while pending. */
  endUs = new Float64Array(0);
  /** Numbers of the string table. */
  server = new Uint32Array(0);
  connection = new Uint32Array(0);
  method = new Uint32Array(0);
  target = new Uint32Array(0);
  session = new Uint32Array(0);
  origin = new Uint32Array(0);
  /** JSON-RPC error code of the answer or HTTP status in the place of one, else `NO_CODE`. */
  code = new Int32Array(0);
  /** Saturates at 4 GiB. */
  bytes = new Uint32Array(0);
  /** Distance of `endSeq` from `key`; 0 while pending. */
  endOffset = new Uint32Array(0);
  /** Distance of the highest `seq` that belongs to the exchange from `key`. */
  lastOffset = new Uint32Array(0);
  /** Bit n stands for `MARKS[n]`. */
  marks = new Uint32Array(0);
  attempt = new Uint16Array(0);
  maxAttempts = new Uint16Array(0);
  /** Index into `ROW_KINDS`. */
  kind = new Uint8Array(0);
  /** Index into `OUTCOME_KINDS`, or `NO_OUTCOME`. */
  outcome = new Uint8Array(0);
  flags = new Uint8Array(0);
  /** Row under which this one folds; itself when it stands alone or is the head. */
  head = new Uint32Array(0);
  /** Next row of the same chain, or `NONE`. */
  next = new Uint32Array(0);
  /** Of a head: the last row of its chain, itself when there is no other. */
  last = new Uint32Array(0);

  /** Bytes that the arrays occupy, reserve included. */
  get byteLength(): number {
    return this.arrays().reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** Adds a row that stands alone, still without values; returns its number. */
  add(): number {
    if (this.length === this.key.length) {
      this.grow(Math.max(16, this.length * 2));
    }
    const row = this.length++;
    this.head[row] = row;
    this.next[row] = NONE;
    this.last[row] = row;
    return row;
  }

  /** Sets what the exchange says of itself; links and what a person has set stay. */
  write(row: number, exchange: Exchange, strings: StringTable): void {
    const { key, chain, endSeq } = exchange;
    this.key[row] = key;
    this.startUs[row] = exchange.startUs;
    this.endUs[row] = exchange.endUs ?? Number.NaN;
    this.server[row] = strings.idOf(exchange.server);
    this.connection[row] = strings.idOf(exchange.connection);
    this.method[row] = strings.idOf(exchange.method);
    this.target[row] = strings.idOf(exchange.target);
    this.session[row] = strings.idOf(exchange.session);
    this.origin[row] = strings.idOf(exchange.origin);
    this.code[row] = codeOf(exchange);
    this.bytes[row] = Math.min(exchange.bytes, MAX_U32);
    const end = endSeq === undefined ? 0 : Math.min(Math.max(0, endSeq - Math.floor(key)), MAX_U32);
    this.endOffset[row] = end;
    // `related` ascends, and may be long: a call with thousands of progress notifications.
    this.lastOffset[row] = Math.min(Math.max(end, (exchange.related.at(-1) ?? key) - Math.floor(key)), MAX_U32);
    this.marks[row] = exchange.marks.reduce((bits, mark) => bits | (1 << MARKS.indexOf(mark)), 0);
    this.attempt[row] = Math.min(chain?.attempt ?? 0, MAX_U16);
    this.maxAttempts[row] = Math.min(chain?.maxAttempts ?? 0, MAX_U16);
    this.kind[row] = ROW_KINDS.indexOf(exchange.kind);
    this.outcome[row] = outcomeIndex(exchange);
    const isUnusual = exchange.anomalies !== undefined && exchange.anomalies.length > 0;
    const own =
      (exchange.initiator === 'server' ? FROM_SERVER : 0) |
      (chain === undefined ? 0 : HAS_CHAIN) |
      (isUnusual ? HAS_ANOMALY : 0);
    this.flags[row] = (at(this.flags, row) & (EXPANDED | SHOWN | PASSES)) | own;
  }

  /** The rows with these numbers alone, in that order. The links still name the rows that were. */
  pick(rows: Uint32Array): Columns {
    const picked = new Columns();
    picked.grow(rows.length);
    picked.length = rows.length;
    const targets = picked.arrays();
    this.arrays().forEach((source, index) => {
      const target = targets[index];
      for (let row = 0; target !== undefined && row < rows.length; row++) {
        target[row] = at(source, at(rows, row));
      }
    });
    return picked;
  }

  has(row: number, flag: number): boolean {
    return (at(this.flags, row) & flag) !== 0;
  }

  setFlag(row: number, flag: number, isSet: boolean): void {
    const others = at(this.flags, row) & ~flag;
    this.flags[row] = isSet ? others | flag : others;
  }

  private arrays() {
    return [
      ...[this.key, this.startUs, this.endUs, this.server, this.connection, this.method, this.target, this.session],
      ...[this.origin, this.code, this.bytes],
      ...[this.endOffset, this.lastOffset, this.marks, this.attempt, this.maxAttempts, this.kind, this.outcome],
      ...[this.flags, this.head, this.next, this.last],
    ];
  }

  private grow(capacity: number): void {
    this.key = grown(this.key, new Float64Array(capacity));
    this.startUs = grown(this.startUs, new Float64Array(capacity));
    this.endUs = grown(this.endUs, new Float64Array(capacity));
    this.server = grown(this.server, new Uint32Array(capacity));
    this.connection = grown(this.connection, new Uint32Array(capacity));
    this.method = grown(this.method, new Uint32Array(capacity));
    this.target = grown(this.target, new Uint32Array(capacity));
    this.session = grown(this.session, new Uint32Array(capacity));
    this.origin = grown(this.origin, new Uint32Array(capacity));
    this.code = grown(this.code, new Int32Array(capacity));
    this.bytes = grown(this.bytes, new Uint32Array(capacity));
    this.endOffset = grown(this.endOffset, new Uint32Array(capacity));
    this.lastOffset = grown(this.lastOffset, new Uint32Array(capacity));
    this.marks = grown(this.marks, new Uint32Array(capacity));
    this.attempt = grown(this.attempt, new Uint16Array(capacity));
    this.maxAttempts = grown(this.maxAttempts, new Uint16Array(capacity));
    this.kind = grown(this.kind, new Uint8Array(capacity));
    this.outcome = grown(this.outcome, new Uint8Array(capacity));
    this.flags = grown(this.flags, new Uint8Array(capacity));
    this.head = grown(this.head, new Uint32Array(capacity));
    this.next = grown(this.next, new Uint32Array(capacity));
    this.last = grown(this.last, new Uint32Array(capacity));
  }
}

/** The value of a row that exists: a typed array has no holes. */
export function at(column: Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array, row: number): number {
  return column[row] as number;
}

export function outcomeAt(index: number): OutcomeKind | undefined {
  return OUTCOME_KINDS[index];
}

export function marksOf(bits: number): Mark[] {
  return bits === 0 ? [] : MARKS.filter((_, index) => (bits & (1 << index)) !== 0);
}

/** A request that nobody has judged is pending; other rows have an outcome only when somebody gave them one. */
function outcomeIndex({ kind, verdict }: Exchange): number {
  const outcome = verdict?.outcome ?? (kind === 'request' ? 'pending' : undefined);
  return outcome === undefined ? NO_OUTCOME : OUTCOME_KINDS.indexOf(outcome);
}

/** The code that the answer carried. A server may send any number; what is no 32-bit integer is none here. */
function codeOf({ verdict, failure }: Exchange): number {
  if (verdict?.outcome === 'protocol_error' || verdict?.outcome === 'input_required') {
    const [signal] = verdict.signals;
    const code = signal?.code === 'signal.input.url' ? URL_ELICITATION_REQUIRED : signal?.args['code'];
    return typeof code === 'number' && code === (code | 0) ? code : NO_CODE;
  }
  return failure?.status ?? NO_CODE;
}

function grown<T extends { set(values: T): void }>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
