/** The signals of OTLP that we export. */
export type Signal = 'traces' | 'metrics';

/** How one request to a collector ended. */
export type Sent =
  | { readonly kind: 'taken'; readonly answer: Uint8Array }
  /** Worth trying again; not before `retryAfterMs`, where the collector says so. */
  | { readonly kind: 'later'; readonly why: string; readonly retryAfterMs?: number }
  /** More than the collector takes at once. */
  | { readonly kind: 'too-large'; readonly why: string }
  /** The same request will fail again. */
  | { readonly kind: 'refused'; readonly why: string };

/** Sends OTLP requests to one endpoint. Never rejects. */
export interface Transport {
  send(body: Uint8Array, timeoutMs: number): Promise<Sent>;
  close(): void;
}

/** Certificates, PEM. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface TransportSettings {
  /** Of HTTP with its path, `http:` or `https:`; of gRPC the scheme decides on TLS. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'gzip' | 'none';
  readonly tls: TlsFiles;
  readonly userAgent: string;
}
