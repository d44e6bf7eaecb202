export type AttributeValue = string | number | boolean | readonly string[];

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** `client`: the side that asks. `server`: the side that answers. `internal`: a call, over its attempts. */
export type SpanKind = 'client' | 'server' | 'internal';

export interface SpanIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

export interface SpanLink extends SpanIds {
  readonly attributes: Attributes;
}

/** A span before it is encoded. Times are wall time, µs; the end is never before the start. */
export interface SpanRecord extends SpanIds {
  /** `isRemote`: it was told in the request itself. */
  readonly parent?: { readonly spanId: string; readonly isRemote: boolean };
  /** The W3C trace flags that came with the parent, else 1: sampled. */
  readonly flags: number;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startUs: number;
  readonly endUs: number;
  readonly attributes: Attributes;
  /** `description` only with an error. */
  readonly status: { readonly isError: boolean; readonly description?: string };
  readonly links: readonly SpanLink[];
}
