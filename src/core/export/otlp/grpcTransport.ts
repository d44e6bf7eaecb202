import { type CallOptions, Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { messageOf } from '../../../base/messageOf.ts';
import { safeLine } from '../../../base/safeText.ts';
import { retryDelayMs } from './retryInfo.ts';
import type { Sent, Signal, Transport, TransportSettings } from './transport.ts';

// Its own bundle: nothing of gRPC is loaded before a person wants it.

/** OTLP/gRPC, "Failures": worth trying again; of `RESOURCE_EXHAUSTED`, when the collector says in how long. */
const RETRYABLE: ReadonlySet<number> = new Set([
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.OUT_OF_RANGE,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);
const PATHS: Readonly<Record<Signal, string>> = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
};
/** `grpc-js` numbers its algorithms so. */
const GZIP = 2;

/** OTLP over gRPC (specification 1.x, "OTLP/gRPC"). TLS where the URL says `https:`. */
export function createGrpcTransport(signal: Signal, settings: TransportSettings): Transport {
  const { url, tls, headers, compression, userAgent } = settings;
  const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  const metadata = new Metadata();
  let client: Client | undefined;
  let problem: string | undefined;
  try {
    for (const [name, value] of Object.entries(headers)) {
      metadata.set(name.toLowerCase(), value);
    }
    const secure = url.protocol === 'https:';
    client = new Client(
      url.host.includes(':') && url.port !== '' ? url.host : `${url.hostname}:${secure ? 443 : 80}`,
      secure ? credentials.createSsl(pem(tls.ca), pem(tls.key), pem(tls.cert)) : credentials.createInsecure(),
      {
        'grpc.primary_user_agent': userAgent,
        ...(compression === 'gzip' ? { 'grpc.default_compression_algorithm': GZIP } : {}),
        // When to try again is the sender's to say; the channel only has to notice that the collector is back.
        'grpc.max_reconnect_backoff_ms': 1000,
      },
    );
  } catch (error) {
    problem = messageOf(error);
  }

  return {
    send(body, timeoutMs) {
      const open = client;
      if (open === undefined) {
        return Promise.resolve({ kind: 'refused', why: safeLine(problem ?? '', 200) });
      }
      return new Promise<Sent>((resolve) => {
        const options: CallOptions = { deadline: Date.now() + timeoutMs };
        const same = (bytes: Buffer) => bytes;
        open.makeUnaryRequest(PATHS[signal], same, same, Buffer.from(body), metadata, options, (error, answer) => {
          resolve(error === null ? { kind: 'taken', answer: answer ?? new Uint8Array() } : failureOf(error));
        });
      });
    },
    close: () => client?.close(),
  };
}

function failureOf(error: ServiceError): Sent {
  const why = safeLine(`gRPC ${status[error.code] ?? error.code}: ${error.details}`, 200);
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  const retryAfterMs = Buffer.isBuffer(bytes) ? retryDelayMs(bytes) : undefined;
  if (RETRYABLE.has(error.code) || retryAfterMs !== undefined) {
    return { kind: 'later', why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return error.code === status.RESOURCE_EXHAUSTED ? { kind: 'too-large', why } : { kind: 'refused', why };
}
