import type { Attributes as OtelAttributes } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { SessionEnd } from './connectionFacts.ts';
import { ATTR, DURATION_BUCKETS_S, METRIC, OWN } from './conventions.ts';
import { operationAttributes } from './spanOf.ts';
import type { Attributes, AttributeValue } from './spanRecord.ts';
import type { ToldRequest } from './spans.ts';

/** `OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE`. */
export type Temporality = 'cumulative' | 'delta' | 'lowmemory';

/** What of a span tells its metric apart from others; all of few values (`mcp.operation.metrics.attributes`). */
const OPERATION_ATTRIBUTES: readonly string[] = [
  ATTR.errorType,
  ATTR.statusCode,
  ATTR.protocolVersion,
  ATTR.networkTransport,
  ATTR.networkProtocol,
  ATTR.serverAddress,
  ATTR.serverPort,
];

/** Why a span never arrives. */
export type DropReason = 'queue_full' | 'rejected' | 'behind' | 'closed';

/** The metrics of the conventions, and our own counts. The SDK adds up; when to collect is the caller's. */
export class Metrics {
  private readonly reader: PulledReader;
  private readonly instruments;

  constructor(
    resource: Resource,
    scope: { readonly name: string; readonly version: string },
    temporality: Temporality,
  ) {
    this.reader = new PulledReader(temporality);
    const meter = new MeterProvider({ resource, readers: [this.reader] }).getMeter(scope.name, scope.version);
    const seconds = (name: string, description: string) =>
      meter.createHistogram(name, {
        unit: 's',
        description,
        advice: { explicitBucketBoundaries: [...DURATION_BUCKETS_S] },
      });
    this.instruments = {
      client: seconds(METRIC.clientOperation, 'The duration of an MCP request as seen by the one who sent it.'),
      server: seconds(METRIC.serverOperation, 'The duration of an MCP request as seen by the one who received it.'),
      session: seconds(METRIC.clientSession, 'The duration of an MCP session as seen by the client.'),
      exchanges: meter.createCounter(METRIC.exchanges, { unit: '{exchange}', description: 'Requests by outcome.' }),
      retries: meter.createCounter(METRIC.retries, { unit: '{attempt}', description: 'Attempts beyond the first.' }),
      dropped: meter.createCounter(METRIC.dropped, { unit: '{span}', description: 'Spans that never arrive.' }),
    };
  }

  request({ exchange, span }: ToldRequest): void {
    const { client, server, exchanges, retries } = this.instruments;
    const operation = operationAttributes(exchange);
    const { [OWN.outcome]: outcome, [OWN.server]: of } = span.attributes;
    const own = { ...operation, [OWN.outcome]: outcome ?? '', [OWN.server]: of ?? '' };
    exchanges.add(1, mutable(own));
    if ((exchange.chain?.attempt ?? 1) > 1) {
      retries.add(1, mutable(own));
    }
    // What nothing has ended has no duration.
    if (exchange.endUs !== undefined) {
      const durations = span.kind === 'server' ? server : client;
      const attributes = { ...operation, ...only(span.attributes, OPERATION_ATTRIBUTES) };
      durations.record((span.endUs - span.startUs) / 1e6, mutable(attributes));
    }
  }

  session({ durationUs, attributes }: SessionEnd): void {
    this.instruments.session.record(durationUs / 1e6, mutable(attributes));
  }

  dropped(count: number, reason: DropReason): void {
    this.instruments.dropped.add(count, { reason });
  }

  /**
   * What was added up; nothing when that is nothing. `times`: of what is exported after the fact, wall time, µs, instead of when
   * it was read. Never rejects.
   */
  async collect(times?: { readonly startUs: number; readonly endUs: number }): Promise<ResourceMetrics | undefined> {
    const { resourceMetrics } = await this.reader.collect();
    if (resourceMetrics.scopeMetrics.every(({ metrics }) => metrics.length === 0)) {
      return undefined;
    }
    return times === undefined ? resourceMetrics : withTimes(resourceMetrics, times);
  }
}

/** Collects when it is asked, and never by itself: all time comes from the caller. */
class PulledReader extends MetricReader {
  constructor(temporality: Temporality) {
    super({ aggregationTemporalitySelector: (type) => temporalityOf(temporality, type) });
  }

  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** OpenTelemetry specification, "OpenTelemetry Protocol Exporter", temporality preference; of the instruments that we use. */
function temporalityOf(preference: Temporality, type: InstrumentType): AggregationTemporality {
  const isDelta = preference !== 'cumulative' && (type === InstrumentType.COUNTER || type === InstrumentType.HISTOGRAM);
  return isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
}

function withTimes(
  { resource, scopeMetrics }: ResourceMetrics,
  { startUs, endUs }: { readonly startUs: number; readonly endUs: number },
): ResourceMetrics {
  const times = { startTime: hrTime(startUs), endTime: hrTime(endUs) };
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      // Each keeps its own kind of points, which the compiler cannot follow through the union.
      metrics: metrics.map((metric) => ({
        ...metric,
        dataPoints: metric.dataPoints.map((point) => ({ ...point, ...times })),
      })) as typeof metrics,
    })),
  };
}

/** Seconds and nanoseconds, as the SDK has time. */
export function hrTime(us: number): [number, number] {
  const seconds = Math.floor(us / 1e6);
  return [seconds, Math.min(999_999_999, Math.round((us - seconds * 1e6) * 1000))];
}

/** The SDK's attributes hold lists that it could change, and does not. */
export function mutable(attributes: Attributes): OtelAttributes {
  return attributes as OtelAttributes;
}

function only(attributes: Attributes, names: readonly string[]): Attributes {
  const found: Record<string, AttributeValue> = {};
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined) {
      found[name] = value;
    }
  }
  return found;
}
