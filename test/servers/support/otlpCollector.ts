import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Server as GrpcServer, Metadata, ServerCredentials, type ServiceDefinition, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** A span as an independent decoder sees it: ids in hexadecimal digits, times in nanoseconds as decimal text. */
export interface SeenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: string; readonly message: string };
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly traceState: string;
}

export interface SeenMetric {
  readonly name: string;
  readonly unit: string;
  readonly temporality: string;
  readonly points: readonly Readonly<Record<string, unknown>>[];
}

/** What a collector was sent in one request. */
export interface SeenRequest {
  readonly signal: 'traces' | 'metrics';
  readonly headers: Readonly<Record<string, unknown>>;
  readonly wireBytes: number;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly spans: readonly SeenSpan[];
  readonly metrics: readonly SeenMetric[];
  /** Of JSON: the request as it was written. */
  readonly json?: unknown;
}

/** How to answer a request: taken, unless something else is said. */
export interface Answer {
  readonly delayMs?: number;
  /** HTTP status; of gRPC the status code. */
  readonly status?: number;
  /** Seconds: `Retry-After`, or a `google.rpc.RetryInfo`. */
  readonly retryAfterS?: number;
  readonly rejected?: { readonly count: number; readonly message: string };
}

export interface CollectorOptions {
  readonly protocol: 'http' | 'grpc';
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string };
  /** Asked for each request; `index` counts from 0. */
  answer?(index: number): Answer;
}

export interface Collector {
  readonly port: number;
  readonly url: string;
  /** What was taken. */
  readonly requests: readonly SeenRequest[];
  /** When each request came, whatever became of it, ms. */
  readonly arrivals: readonly number[];
  readonly wireBytes: number;
  spans(): readonly SeenSpan[];
  close(): Promise<void>;
}

const PROTOS = path.resolve(import.meta.dirname, '../../fixtures/otlp');
const FILES = ['trace', 'metrics'].map((name) => `opentelemetry/proto/collector/${name}/v1/${name}_service.proto`);

function loadRoot(): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => path.join(PROTOS, target);
  root.loadSync(FILES);
  // Newer than the published files at hand (see their README).
  protobuf.parse(
    `syntax = "proto3"; package own;
     message Answer { message Partial { int64 rejected = 1; string error_message = 2; } Partial partial_success = 1; }
     message Duration { int64 seconds = 1; int32 nanos = 2; }
     message RetryInfo { Duration retry_delay = 1; }
     message Any { string type_url = 1; bytes value = 2; }
     message Status { int32 code = 1; string message = 2; repeated Any details = 3; }`,
    root,
  );
  return root;
}

const root = loadRoot();
const REQUESTS = {
  traces: root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest'),
  metrics: root.lookupType('opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest'),
} as const;

/** Decodes a request by the published definitions; what does not fit them is thrown. */
function decode(signal: 'traces' | 'metrics', body: Uint8Array): Record<string, unknown> {
  const type = REQUESTS[signal];
  return type.toObject(type.decode(body), {
    longs: String,
    enums: String,
    bytes: Buffer,
    arrays: true,
    defaults: true,
  });
}

/** Starts a collector that keeps what it takes. */
export async function startCollector(options: CollectorOptions): Promise<Collector> {
  const requests: SeenRequest[] = [];
  const arrivals: number[] = [];
  let wireBytes = 0;

  async function take(seen: {
    readonly signal: 'traces' | 'metrics';
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: Buffer;
    readonly isJson: boolean;
    readonly size: number;
  }): Promise<Answer> {
    const answer = options.answer?.(arrivals.length) ?? {};
    arrivals.push(performance.now());
    wireBytes += seen.size;
    if (answer.delayMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
    }
    if (answer.status === undefined) {
      requests.push(read(seen));
    }
    return answer;
  }

  const open = options.protocol === 'grpc' ? await openGrpc(options, take) : await openHttp(options, take);
  return {
    port: open.port,
    url: `${options.tls === undefined ? 'http' : 'https'}://localhost:${open.port}`,
    requests,
    arrivals,
    get wireBytes() {
      return wireBytes;
    },
    spans: () => requests.flatMap(({ spans }) => spans),
    close: open.close,
  };
}

type Take = Parameters<typeof openHttp>[1];

async function openHttp(
  { port = 0, tls }: CollectorOptions,
  take: (seen: {
    readonly signal: 'traces' | 'metrics';
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: Buffer;
    readonly isJson: boolean;
    readonly size: number;
  }) => Promise<Answer>,
) {
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part as Buffer);
    }
    const raw = Buffer.concat(parts);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    const isJson = request.headers['content-type'] === 'application/json';
    const signal = request.url?.endsWith('/v1/metrics') === true ? 'metrics' : 'traces';
    const answer = await take({ signal, headers: request.headers, body, isJson, size: raw.length });
    response.statusCode = answer.status ?? 200;
    if (answer.retryAfterS !== undefined) {
      response.setHeader('Retry-After', String(answer.retryAfterS));
    }
    response.setHeader('content-type', isJson ? 'application/json' : 'application/x-protobuf');
    const { rejected } = answer;
    if (rejected === undefined) {
      response.end(isJson ? '{}' : '');
    } else if (isJson) {
      const partialSuccess = { rejectedSpans: String(rejected.count), errorMessage: rejected.message };
      response.end(JSON.stringify({ partialSuccess }));
    } else {
      response.end(partial(rejected));
    }
  };
  const listener = (request: http.IncomingMessage, response: http.ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      response.statusCode = 400;
      response.end(error instanceof Error ? error.message : String(error));
    });
  };
  const server =
    tls === undefined
      ? http.createServer(listener)
      : https.createServer(
          { ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: tls.ca !== undefined },
          listener,
        );
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function openGrpc({ port = 0, tls }: CollectorOptions, take: Take) {
  const server = new GrpcServer();
  const same = (bytes: Buffer) => bytes;
  for (const [signal, service] of [
    ['traces', 'trace.v1.TraceService'],
    ['metrics', 'metrics.v1.MetricsService'],
  ] as const) {
    const definition: ServiceDefinition = {
      export: {
        path: `/opentelemetry.proto.collector.${service}/Export`,
        requestStream: false,
        responseStream: false,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    };
    server.addService(definition, {
      export: (
        call: { readonly request: Buffer; readonly metadata: Metadata },
        reply: (error: object | null, value?: Buffer) => void,
      ) => {
        const headers = call.metadata.getMap();
        take({ signal, headers, body: call.request, isJson: false, size: call.request.length }).then(
          (answer) => {
            if (answer.status === undefined) {
              reply(null, answer.rejected === undefined ? Buffer.alloc(0) : Buffer.from(partial(answer.rejected)));
            } else {
              reply({ code: answer.status, details: 'not now', metadata: retryMetadata(answer) });
            }
          },
          (error: unknown) => reply({ code: status.INTERNAL, details: String(error) }),
        );
      },
    });
  }
  const credentials =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(
          tls.ca === undefined ? null : Buffer.from(tls.ca),
          [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }],
          tls.ca !== undefined,
        );
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`localhost:${port}`, credentials, (error, taken) => {
      if (error === null) {
        resolve(taken);
      } else {
        reject(error);
      }
    });
  });
  return {
    port: bound,
    close: () => {
      server.forceShutdown();
      return Promise.resolve();
    },
  };
}

function retryMetadata({ status: code = 0, retryAfterS }: Answer): Metadata {
  const metadata = new Metadata();
  if (retryAfterS !== undefined) {
    const seconds = Math.floor(retryAfterS);
    const info = encode('own.RetryInfo', { retryDelay: { seconds, nanos: Math.round((retryAfterS - seconds) * 1e9) } });
    const details = [{ typeUrl: 'type.googleapis.com/google.rpc.RetryInfo', value: info }];
    metadata.set('grpc-status-details-bin', Buffer.from(encode('own.Status', { code, message: 'not now', details })));
  }
  return metadata;
}

function partial({ count, message }: NonNullable<Answer['rejected']>): Uint8Array {
  return encode('own.Answer', { partialSuccess: { rejected: count, errorMessage: message } });
}

export function encode(type: string, value: object): Uint8Array {
  const found = root.lookupType(type);
  return found.encode(found.fromObject(value)).finish();
}

// What decoders give, taken apart: JSON has its own rules for it (OTLP, "JSON Protobuf Encoding").
type Loose = Readonly<Record<string, unknown>>;

function read(seen: {
  readonly signal: 'traces' | 'metrics';
  readonly headers: Loose;
  readonly body: Buffer;
  readonly isJson: boolean;
  readonly size: number;
}): SeenRequest {
  const { signal, headers, body, isJson, size } = seen;
  const json = isJson ? (JSON.parse(body.toString()) as Loose) : undefined;
  const message = json ?? decode(signal, body);
  const [group] = list(message[signal === 'traces' ? 'resourceSpans' : 'resourceMetrics']);
  const scopes = list(group?.[signal === 'traces' ? 'scopeSpans' : 'scopeMetrics']);
  return {
    signal,
    headers,
    wireBytes: size,
    resource: attributesOf((group?.['resource'] as Loose | undefined)?.['attributes']),
    spans: scopes.flatMap((scope) => list(scope['spans'])).map(spanOf),
    metrics: scopes.flatMap((scope) => list(scope['metrics'])).map(metricOf),
    ...(json === undefined ? {} : { json }),
  };
}

const KIND_NAMES = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT'];
const CODE_NAMES = ['UNSET', 'OK', 'ERROR'];

function spanOf(span: Loose): SeenSpan {
  const state = (span['status'] ?? {}) as Loose;
  return {
    traceId: hex(span['traceId']),
    spanId: hex(span['spanId']),
    parentSpanId: hex(span['parentSpanId']),
    traceState: String(span['traceState'] ?? ''),
    name: String(span['name']),
    kind: named(span['kind'], KIND_NAMES, 'SPAN_KIND_'),
    startTimeUnixNano: String(span['startTimeUnixNano']),
    endTimeUnixNano: String(span['endTimeUnixNano']),
    attributes: attributesOf(span['attributes']),
    status: { code: named(state['code'] ?? 0, CODE_NAMES, 'STATUS_CODE_'), message: String(state['message'] ?? '') },
    links: list(span['links']).map((link) => ({ traceId: hex(link['traceId']), spanId: hex(link['spanId']) })),
  };
}

function metricOf(metric: Loose): SeenMetric {
  const data = (metric['histogram'] ?? metric['sum'] ?? {}) as Loose;
  return {
    name: String(metric['name']),
    unit: String(metric['unit']),
    temporality: named(
      data['aggregationTemporality'],
      ['UNSPECIFIED', 'DELTA', 'CUMULATIVE'],
      'AGGREGATION_TEMPORALITY_',
    ),
    points: list(data['dataPoints']).map((point) => ({
      ...point,
      attributes: attributesOf(point['attributes']),
    })),
  };
}

function attributesOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(list(value).map(({ key, value: any }) => [String(key), anyOf(any as Loose)]));
}

function anyOf(any: Loose): unknown {
  if (any['arrayValue'] !== undefined && any['arrayValue'] !== null) {
    return list((any['arrayValue'] as Loose)['values']).map(anyOf);
  }
  const integer = any['intValue'];
  if (integer !== undefined) {
    return Number(integer);
  }
  return any['stringValue'] ?? any['doubleValue'] ?? any['boolValue'];
}

function named(value: unknown, names: readonly string[], prefix: string): string {
  return typeof value === 'number' ? (names[value] ?? String(value)) : String(value).replace(prefix, '');
}

function hex(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value ?? '');
}

function list(value: unknown): readonly Loose[] {
  return Array.isArray(value) ? (value as Loose[]) : [];
}
