import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Clock, Random } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { LogEvent } from '../../../protocol/events.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import type { Projector } from '../bugReportBundle.ts';
import type { SessionEnd } from './connectionFacts.ts';
import { createEncoder } from './encode.ts';
import { type DropReason, Metrics } from './metrics.ts';
import { openTransport } from './openTransport.ts';
import { Sender, type SenderState } from './sender.ts';
import { encodingOf, type OtlpSettings, type SettingsProblem } from './settings.ts';
import type { SpanRecord } from './spanRecord.ts';
import { Spans, type Told } from './spans.ts';
import type { Transport } from './transport.ts';

const SCOPE_NAME = 'faultline';
/** What is over is looked for so often. */
const DUE_MS = 500;
/** Live: how long after its end a request may still change. */
const LIVE_GRACE_US = 1_000_000;
/** After the fact, late answers are there: they are waited for in the time of the log. */
const READ_GRACE_US = 60_000_000;
/** Collections of metrics that wait at most; of cumulative ones the newest says all. */
const MAX_METRICS = 64;
/** Events between two looks for what is over, after the fact: a look goes through all that waits. */
const EVENTS_BETWEEN_LOOKS = 4096;

/** How an export goes. */
export interface OtlpStatus {
  /** Where spans go: the URL, without what may be secret. */
  readonly endpoint: string;
  readonly protocol: string;
  readonly state: SenderState;
  readonly sent: number;
  readonly waiting: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** The last words of a collector that did not take something, or took only a part. */
  readonly lastProblem?: string;
}

export interface ExporterOptions {
  readonly settings: OtlpSettings;
  readonly version: string;
  /** Tells this process from others in `service.instance.id`: a session's id. */
  readonly instance: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly projector: Projector;
  /** After the fact: nothing is dropped, and all is given up when the collector has taken nothing for so long, ms. */
  readonly patienceMs?: number;
  isWanted?(exchange: Exchange): boolean;
  onStatus?(status: OtlpStatus): void;
}

/** Connects when it first has something to send. A problem when a file that the settings name cannot be read. */
export async function openExporter(options: ExporterOptions): Promise<OtlpExporter | SettingsProblem> {
  const { settings, version } = options;
  const traces = await openTransport('traces', settings.traces, version);
  if ('code' in traces) {
    return traces;
  }
  const metrics = await openTransport('metrics', settings.metrics, version);
  return 'code' in metrics ? metrics : new OtlpExporter(options, { traces, metrics });
}

/** Exports events to a collector: spans when their requests are over, metrics now and then. Never throws or rejects. */
export class OtlpExporter {
  private readonly options: ExporterOptions;
  private readonly spans: Spans;
  private readonly metrics: Metrics;
  private readonly traceSender: Sender<SpanRecord> | undefined;
  private readonly metricSender: Sender<ResourceMetrics> | undefined;
  private readonly dropped: Partial<Record<DropReason, number>> = {};
  private state: SenderState = { kind: 'idle' };
  private lastProblem: string | undefined;
  private dueTimer: Disposable | undefined;
  private metricTimer: Disposable | undefined;
  private times: { startUs: number; endUs: number } | undefined;

  constructor(options: ExporterOptions, transports: Readonly<Record<'traces' | 'metrics', Transport>>) {
    this.options = options;
    const { settings, version, instance, clock, random, patienceMs, isWanted } = options;
    const { traces, metrics, maxQueue, maxBatch, delayMs, temporality } = settings;
    const scope = { name: SCOPE_NAME, version };
    const resource = resourceFromAttributes({
      'service.version': version,
      'service.instance.id': instance,
      ...settings.resource,
    });
    this.spans = new Spans({
      hasContent: settings.hasContent,
      graceUs: patienceMs === undefined ? LIVE_GRACE_US : READ_GRACE_US,
      ...(isWanted === undefined ? {} : { isWanted }),
    });
    this.metrics = new Metrics(resource, scope, temporality);
    const shared = { clock, random, ...(patienceMs === undefined ? {} : { patienceMs }) };
    const traceEncoder = createEncoder(encodingOf(traces.protocol), resource, scope);
    this.traceSender = traces.isEnabled
      ? new Sender<SpanRecord>({
          ...shared,
          transport: transports.traces,
          timeoutMs: traces.timeoutMs,
          maxQueue,
          maxBatch: Math.min(maxBatch, maxQueue),
          delayMs,
          encode: (batch) => traceEncoder.spans(batch),
          rejected: (answer) => traceEncoder.rejected('traces', answer),
          onLost: (count, reason, why) => this.lost(count, reason, why),
          onState: (state) => this.changed(state),
        })
      : undefined;
    const metricEncoder = createEncoder(encodingOf(metrics.protocol), resource, scope);
    this.metricSender = metrics.isEnabled
      ? new Sender<ResourceMetrics>({
          ...shared,
          transport: transports.metrics,
          timeoutMs: metrics.timeoutMs,
          maxQueue: MAX_METRICS,
          maxBatch: 1,
          delayMs: 0,
          encode: ([collected]) => (collected === undefined ? new Uint8Array() : metricEncoder.metrics(collected)),
          rejected: (answer) => metricEncoder.rejected('metrics', answer),
          // Spans are what is counted; of metrics the collector's words are told.
          onLost: (_count, _reason, why) => this.said(why),
          onState: (state) => {
            if (this.traceSender === undefined) {
              this.changed(state);
            }
          },
        })
      : undefined;
  }

  get status(): OtlpStatus {
    const { url, protocol } = this.options.settings.traces;
    return {
      endpoint: `${url.origin}${url.pathname}`,
      protocol,
      state: this.state,
      sent: this.traceSender?.sent ?? 0,
      waiting: this.traceSender?.waiting ?? 0,
      dropped: { ...this.dropped },
      ...(this.lastProblem === undefined ? {} : { lastProblem: this.lastProblem }),
    };
  }

  /** Takes events as they are recorded; tells them when their requests are over. */
  take(events: readonly LogEvent[]): void {
    for (const event of events) {
      this.project(event);
    }
    this.dueTimer ??= this.options.clock.setTimer(DUE_MS, () => this.look());
    this.metricTimer ??= this.options.clock.setTimer(this.options.settings.metricIntervalMs, () => {
      this.metricTimer = undefined;
      void this.collect();
    });
  }

  /** Events that never came here, since whoever brings them fell behind. */
  missed(events: number): void {
    this.lost(events, 'behind');
  }

  /** Exports what is recorded, with its own times; resolves when all is sent or given up. Rejects only when `events` does. */
  async read(events: AsyncIterable<LogEvent> | Iterable<LogEvent>, hasMetrics: boolean): Promise<OtlpStatus> {
    let count = 0;
    for await (const event of events) {
      this.times ??= { startUs: event.wallUs, endUs: event.wallUs };
      this.times.startUs = Math.min(this.times.startUs, event.wallUs);
      this.times.endUs = Math.max(this.times.endUs, event.wallUs);
      this.project(event);
      count += 1;
      if (count % EVENTS_BETWEEN_LOOKS === 0) {
        await this.tellWithRoom(this.spans.due(event.wallUs));
      }
    }
    await this.tellWithRoom(this.spans.finish());
    await this.traceSender?.flush(Number.MAX_SAFE_INTEGER / 1e6);
    if (hasMetrics) {
      await this.collect();
      await this.metricSender?.flush(Number.MAX_SAFE_INTEGER / 1e6);
    }
    this.traceSender?.close();
    this.metricSender?.close();
    return this.status;
  }

  /** Tells what is left, sends for at most `limitMs` and gives up the rest. */
  async close(limitMs: number): Promise<OtlpStatus> {
    this.dueTimer?.dispose();
    this.metricTimer?.dispose();
    this.tell(this.spans.finish());
    await this.collect();
    await Promise.all([this.traceSender?.flush(limitMs), this.metricSender?.flush(limitMs)]);
    this.traceSender?.close();
    this.metricSender?.close();
    return this.status;
  }

  private project(event: LogEvent): void {
    for (const session of this.spans.push(event, this.options.projector.push(event))) {
      this.metrics.session(session);
    }
  }

  private look(): void {
    this.dueTimer = undefined;
    this.tell(this.spans.due(this.options.clock.wallUs()));
    if (this.spans.size > 0) {
      this.dueTimer = this.options.clock.setTimer(DUE_MS, () => this.look());
    }
  }

  private tell(told: Told): void {
    this.count(told);
    this.traceSender?.push(told.spans);
  }

  /** The same, without more than the queue holds. */
  private async tellWithRoom(told: Told): Promise<void> {
    this.count(told);
    const { maxBatch, maxQueue } = this.options.settings;
    const step = Math.min(maxBatch, maxQueue);
    for (let from = 0; from < told.spans.length; from += step) {
      const part = told.spans.slice(from, from + step);
      await this.traceSender?.room(part.length);
      this.traceSender?.push(part);
    }
  }

  private count({
    requests,
    sessions,
  }: {
    readonly requests: Told['requests'];
    readonly sessions: readonly SessionEnd[];
  }): void {
    for (const request of requests) {
      this.metrics.request(request);
    }
    for (const session of sessions) {
      this.metrics.session(session);
    }
  }

  private async collect(): Promise<void> {
    const collected = await this.metrics.collect(this.times);
    if (collected === undefined || this.metricSender === undefined) {
      return;
    }
    if (this.options.settings.temporality === 'cumulative') {
      this.metricSender.replace(collected);
    } else {
      this.metricSender.push([collected]);
    }
  }

  private lost(count: number, reason: DropReason, why?: string): void {
    if (count > 0) {
      this.dropped[reason] = (this.dropped[reason] ?? 0) + count;
      this.metrics.dropped(count, reason);
    }
    this.said(why);
  }

  private said(why: string | undefined): void {
    this.lastProblem = why === undefined || why === '' ? this.lastProblem : why;
    this.options.onStatus?.(this.status);
  }

  private changed(state: SenderState): void {
    this.state = state;
    if (state.kind === 'waiting') {
      this.lastProblem = state.why;
    }
    this.options.onStatus?.(this.status);
  }
}
