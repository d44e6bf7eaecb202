import type { Random } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ConnectionId, TransportFailure } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { type Backoff, firstBackoff } from '../resilience/backoff.ts';
import type { RetrySettings } from '../resilience/policy.ts';
import { createRecorder } from '../transport/recorder.ts';
import { CatalogueReader } from './catalogueReader.ts';
import type { ServerFacts } from './engine.ts';
import { type ConnectionFailure, connectionFailure } from './failure.ts';
import { memberOf } from './json.ts';
import { Launch, type LaunchOptions } from './launch.ts';
import { SHUTDOWN } from './requestTable.ts';
import type { ToolCatalogue, ToolInfo } from './tools.ts';
import { untilAborted } from './untilAborted.ts';

export type ConnectionState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  /** `tools` is absent until the catalogue has been read. */
  | ({ readonly kind: 'running'; readonly tools?: ToolCatalogue } & ServerFacts)
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure }
  | { readonly kind: 'stopping' };

export interface ConnectionOptions extends Omit<LaunchOptions, 'connection'> {
  readonly random: Random;
  readonly settings: () => RetrySettings;
  /** Ids unique over all connections and sessions. */
  readonly newId: () => string;
}

/** A launch to send over, or why there is none. */
export type Readiness = { readonly launch: Launch } | { readonly end: RawEnd };

/**
 * The one connection to one server: its state, and the launch that is behind it. Nothing rejects; a lost or refused
 * connection is the state `failed`, made again when a call needs it, with growing waits while it keeps being refused.
 */
export class Connection {
  private readonly options: ConnectionOptions;
  private readonly emitter = new Emitter<ConnectionState>();
  private defined: ServerDefinition;
  private current: ConnectionState = { kind: 'stopped' };
  private launch: Launch | undefined;
  private nextId: ConnectionId;
  private lastId: ConnectionId | undefined;
  private lastRevision: string | undefined;
  private lastTools: readonly ToolInfo[] = [];
  private starting: Promise<ConnectionState> | undefined;
  private stopping: Promise<void> | undefined;
  private restarting: Promise<ConnectionState> | undefined;
  private catalogue: CatalogueReader | undefined;
  /** Counts what supersedes a launch under way. */
  private generation = 0;
  private calls = new AbortController();
  private refusals:
    | { readonly count: number; readonly wait: Backoff; readonly sinceUs: number; isTold: boolean }
    | undefined;
  private isDisposed = false;
  private readonly leaving = new Set<Promise<void>>();

  readonly onDidChange: Event<ConnectionState> = this.emitter.event;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.defined = options.definition;
    this.nextId = options.newId() as ConnectionId;
  }

  get definition(): ServerDefinition {
    return this.defined;
  }

  /** Takes a definition that differs in where it stands or whether it is trusted, which is no reason to reconnect. */
  redefine(definition: ServerDefinition): void {
    this.defined = definition;
  }

  get state(): ConnectionState {
    return this.current;
  }

  /** Of the present launch, or else the last, or else the one that comes first. */
  get id(): ConnectionId {
    return this.launch?.connection ?? this.lastId ?? this.nextId;
  }

  /** Of the last handshake. */
  get revision(): string | undefined {
    return this.lastRevision;
  }

  /** Aborts when somebody stops the server: its calls end, waits between attempts included. */
  get callsSignal(): AbortSignal {
    return this.calls.signal;
  }

  /** Connects unless it is connected; gives the state it came to. Never rejects. */
  start(): Promise<ConnectionState> {
    if (this.current.kind === 'running' || this.isDisposed) {
      return Promise.resolve(this.current);
    }
    if (this.starting === undefined) {
      const starting = this.startOnce(this.generation).finally(() => {
        if (this.starting === starting) {
          this.starting = undefined;
        }
      });
      this.starting = starting;
    }
    return this.starting;
  }

  /** Ends the calls, the session and the process. Resolves when they are gone. */
  stop(): Promise<void> {
    this.generation += 1;
    this.starting = undefined;
    this.refusals = undefined;
    this.calls.abort(SHUTDOWN);
    this.calls = new AbortController();
    const { launch } = this;
    this.launch = undefined;
    if (launch !== undefined) {
      this.set({ kind: 'stopping' });
      const stopping = launch.close().then(() => {
        if (this.stopping === stopping) {
          this.stopping = undefined;
          if (this.current.kind === 'stopping') {
            this.set({ kind: 'stopped' });
          }
        }
      });
      this.stopping = stopping;
    } else if (this.current.kind !== 'stopping') {
      this.set({ kind: 'stopped' });
    }
    return this.stopping ?? Promise.resolve();
  }

  /**
   * Stops and starts. One that is asked for while another still stops is the same one; while another starts, it supersedes
   * it, since what it starts may be out of date.
   */
  restart(): Promise<ConnectionState> {
    this.restarting ??= this.stop().then(() => {
      this.restarting = undefined;
      return this.start();
    });
    return this.restarting;
  }

  /** A launch for a call, made if need be. After refusals it waits before it tries again. Obeys `signal`. */
  async ready(signal: AbortSignal): Promise<Readiness> {
    if (this.current.kind === 'failed') {
      await this.waitAfterRefusal(signal);
    }
    const state = signal.aborted ? undefined : await untilAborted(this.start(), signal);
    if (signal.aborted || state === undefined) {
      return { end: { kind: 'cancelled', by: signal.reason === SHUTDOWN ? 'shutdown' : 'user' } };
    }
    if (state.kind === 'running' && this.launch !== undefined) {
      return { launch: this.launch };
    }
    return {
      end:
        state.kind === 'failed'
          ? { kind: 'transport', failure: state.failure.failure }
          : { kind: 'cancelled', by: 'shutdown' },
    };
  }

  /** What is known of a tool; waits for a catalogue that is being read, unless `signal` aborts. */
  async tool(name: string, signal: AbortSignal): Promise<ToolInfo | undefined> {
    const reading = this.catalogue?.reading;
    if (reading !== undefined) {
      await untilAborted(reading, signal);
    }
    return this.knownTool(name);
  }

  /** As of the last catalogue: what is known of a tool must outlive the connection that is lost while it is called. */
  knownTool(name: string): ToolInfo | undefined {
    return this.lastTools.find((tool) => tool.name === name);
  }

  /**
   * Gives up `launch` as lost; a launch that is no longer the present one is none of our business. What else is in flight
   * over a session that the server has forgotten gets to hear it from the server, which says that it was not executed.
   */
  lose(launch: Launch, failure: TransportFailure): void {
    if (this.launch === launch) {
      this.launch = undefined;
      this.letGo(failure.reason === 'session-lost' ? launch.retire() : launch.close());
      this.set({ kind: 'failed', failure: connectionFailure(failure) });
    }
  }

  /** Stops for good. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    await this.stop();
    await Promise.all(this.leaving);
    this.emitter.dispose();
  }

  private async startOnce(generation: number): Promise<ConnectionState> {
    await this.stopping;
    if (generation !== this.generation) {
      return this.starting ?? this.current;
    }
    const launch = new Launch({ ...this.options, definition: this.defined, connection: this.nextId });
    this.lastId = this.nextId;
    this.nextId = this.options.newId() as ConnectionId;
    this.launch = launch;
    this.set({ kind: 'starting' });
    let lostWith: TransportFailure | undefined;
    launch.onDidClose((failure) => {
      lostWith ??= failure;
      if (this.current.kind === 'running') {
        this.lose(launch, failure);
      }
    });
    const handshake = await launch.start(this.options.settings().connectTimeoutMs);
    if (this.launch !== launch || handshake.kind === 'stopped') {
      await this.stopping;
      return this.starting ?? this.current;
    }
    if (handshake.kind === 'failed') {
      this.launch = undefined;
      this.letGo(launch.close());
      this.countRefusal();
      this.set({ kind: 'failed', failure: handshake.failure });
    } else if (lostWith !== undefined) {
      this.lose(launch, lostWith);
    } else {
      this.refusals = undefined;
      this.lastRevision = handshake.revision;
      this.set({ ...handshake, kind: 'running' });
      this.watchTools(launch, memberOf(handshake.capabilities, 'tools') !== undefined);
    }
    return this.current;
  }

  private watchTools(launch: Launch, hasTools: boolean): void {
    this.catalogue = undefined;
    if (!hasTools) {
      this.setTools(launch, { tools: [], isComplete: true });
      return;
    }
    const catalogue = new CatalogueReader({
      ask: (params) => this.askForTools(launch, params),
      onDidRead: (tools) => this.setTools(launch, tools),
      isWanted: () => this.launch === launch,
    });
    launch.onDidReceive(({ envelope }) => {
      if (envelope.kind === 'notification' && envelope.method === 'notifications/tools/list_changed') {
        catalogue.refresh();
      }
    });
    this.catalogue = catalogue;
    catalogue.refresh();
  }

  private async askForTools(launch: Launch, params: JsonObject): Promise<RawEnd> {
    const { timeoutMs, totalTimeoutMs } = this.options.settings();
    const { end } = await launch.request({
      method: 'tools/list',
      params,
      token: this.options.newId(),
      limits: { idleMs: timeoutMs, totalMs: totalTimeoutMs },
      signal: AbortSignal.any([launch.signal, this.calls.signal]),
      origin: 'client',
    });
    return end;
  }

  private setTools(launch: Launch, tools: ToolCatalogue): void {
    if (this.launch === launch && this.current.kind === 'running') {
      this.lastTools = tools.tools;
      this.set({ ...this.current, tools });
    }
  }

  private countRefusal(): void {
    const { settings, random, clock } = this.options;
    this.refusals = {
      count: (this.refusals?.count ?? 0) + 1,
      wait: this.refusals?.wait.next(undefined) ?? firstBackoff(settings(), random),
      sinceUs: clock.monoUs(),
      isTold: false,
    };
  }

  private async waitAfterRefusal(signal: AbortSignal): Promise<void> {
    const { refusals } = this;
    const { clock, session, sink } = this.options;
    const passedMs = refusals === undefined ? 0 : (clock.monoUs() - refusals.sinceUs) / 1000;
    const delayMs = (refusals?.wait.duration ?? 0) - passedMs;
    if (refusals === undefined || delayMs <= 0) {
      return;
    }
    if (!refusals.isTold) {
      refusals.isTold = true;
      const context = { session, server: this.defined.id, connection: this.nextId, origin: 'client' as const };
      const detail = { step: 'backoff', delayMs, attempt: refusals.count } as const;
      createRecorder({ context, sink, clock })({ kind: 'lifecycle', detail });
    }
    await clock.sleep(delayMs, signal);
  }

  private letGo(closing: Promise<void>): void {
    const leaving = closing.finally(() => this.leaving.delete(leaving));
    this.leaving.add(leaving);
  }

  private set(state: ConnectionState): void {
    this.current = state;
    this.emitter.fire(state);
  }
}
