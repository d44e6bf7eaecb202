import { SpanKind as OtelKind, type SpanContext, SpanStatusCode, type TraceState } from '@opentelemetry/api';
import {
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { hrTime, mutable } from './metrics.ts';
import type { SpanKind, SpanRecord } from './spanRecord.ts';

/** gRPC has protobuf in its messages. */
export type Encoding = 'protobuf' | 'json';

/** What a backend that has taken a request says that it did not keep of it (OTLP, "Partial Success"). */
export interface Rejected {
  readonly count: number;
  readonly message: string;
}

/** Turns spans and metrics into the bytes of OTLP requests, by OpenTelemetry's own serializers. */
export interface Encoder {
  spans(records: readonly SpanRecord[]): Uint8Array;
  metrics(collected: ResourceMetrics): Uint8Array;
  /** Of an answer to spans, or to metrics; nothing of one that cannot be read. */
  rejected(signal: 'traces' | 'metrics', answer: Uint8Array): Rejected | undefined;
}

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  client: OtelKind.CLIENT,
  server: OtelKind.SERVER,
  internal: OtelKind.INTERNAL,
};

const NOTHING = new Uint8Array();

export function createEncoder(
  encoding: Encoding,
  resource: Resource,
  scope: { readonly name: string; readonly version: string },
): Encoder {
  const traces = encoding === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer;
  const metrics = encoding === 'json' ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  return {
    spans: (records) => traces.serializeRequest(records.map((record) => readable(record, resource, scope))) ?? NOTHING,
    metrics: (collected) => metrics.serializeRequest(collected) ?? NOTHING,
    rejected(signal, answer) {
      if (answer.length === 0) {
        return undefined;
      }
      try {
        const found =
          signal === 'traces'
            ? traces.deserializeResponse(answer).partialSuccess
            : metrics.deserializeResponse(answer).partialSuccess;
        const count = Number(
          (found !== undefined && 'rejectedSpans' in found ? found.rejectedSpans : undefined) ??
            (found !== undefined && 'rejectedDataPoints' in found ? found.rejectedDataPoints : 0),
        );
        const message = found?.errorMessage ?? '';
        return count > 0 || message !== '' ? { count, message } : undefined;
      } catch {
        // It was taken all the same: what a backend writes into its answer is not to fail an export.
        return undefined;
      }
    },
  };
}

function readable(record: SpanRecord, resource: Resource, scope: ReadableSpan['instrumentationScope']): ReadableSpan {
  const { traceId, spanId, parent, flags, traceState, startUs, endUs, status, links } = record;
  const state = traceState === undefined ? {} : { traceState: verbatim(traceState) };
  const context: SpanContext = { traceId, spanId, traceFlags: flags, ...state };
  return {
    name: record.name,
    kind: KINDS[record.kind],
    spanContext: () => context,
    ...(parent === undefined
      ? {}
      : { parentSpanContext: { traceId, spanId: parent.spanId, isRemote: parent.isRemote, traceFlags: flags } }),
    startTime: hrTime(startUs),
    endTime: hrTime(endUs),
    duration: hrTime(endUs - startUs),
    status: {
      code: status.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET,
      ...(status.description === undefined ? {} : { message: status.description }),
    },
    attributes: mutable(record.attributes),
    links: links.map(({ attributes, ...ids }) => ({
      context: { ...ids, traceFlags: 1 },
      attributes: mutable(attributes),
    })),
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** A state that is passed on as it came. */
function verbatim(text: string): TraceState {
  const state: TraceState = { get: () => undefined, set: () => state, unset: () => state, serialize: () => text };
  return state;
}
