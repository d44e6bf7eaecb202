import type { Random } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ConnectionId, TransportFailure } from '../../protocol/events.ts';
import { type Backoff, firstBackoff } from '../resilience/backoff.ts';
import type { RetrySettings } from '../resilience/policy.ts';
import { createRecorder } from '../transport/recorder.ts';
import { Catalogue, type Lists } from './catalogue.ts';
import type { ServerFacts } from './engine.ts';
import { type EraPlan, firstPlan } from './era.ts';
import { type ConnectionFailure, connectionFailure } from './failure.ts';
import type { Handshake } from './handshake.ts';
import { Launch, type LaunchOptions } from './launch.ts';
import { SHUTDOWN } from './requestTable.ts';
import type { StartTurns } from './startTurns.ts';
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
  /** Shared by all servers that start beside each other. */
  readonly turns: StartTurns;
}

/** How many wires one connection may take: one that dies of a question, one for each way of opening, and no loop. */
const MAX_WIRES = 4;

/** A server that died of the question waits no longer for others to have started, ms. */
const TURN_MS = 1_000;

interface Tried {
  readonly launch: Launch;
  readonly handshake: Exclude<Handshake, { kind: 'stopped' }>;
  /** The wire was lost while hands were shaken. */
  readonly lostWith: TransportFailure | undefined;
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
  /** How the last handshake went; a connection that is made again by itself takes the same way. */
  private era: EraPlan | undefined;
  private starting: Promise<ConnectionState> | undefined;
  private stopping: Promise<void> | undefined;
  private restarting: Promise<ConnectionState> | undefined;
  /** Counts what supersedes a launch under way. */
  private generation = 0;
  private calls = new AbortController();
  private refusals:
    | { readonly count: number; readonly wait: Backoff; readonly sinceUs: number; isTold: boolean }
    | undefined;
  private isDisposed = false;
  private readonly leaving = new Set<Promise<void>>();
  private readonly catalogue: Catalogue;

  readonly onDidChange: Event<ConnectionState> = this.emitter.event;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.defined = options.definition;
    this.nextId = options.newId() as ConnectionId;
    this.catalogue = new Catalogue({
      ...options,
      isHttp: options.definition.transport.type === 'http',
      signal: () => this.calls.signal,
      onDidRead: (kind) => this.didRead(kind),
    });
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
    // Whoever stops a server may have changed it.
    this.era = undefined;
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
    const { reading } = this.catalogue;
    if (reading !== undefined && this.knownTool(name) === undefined) {
      await untilAborted(reading, signal);
    }
    this.catalogue.look();
    return this.knownTool(name);
  }

  /** As of the last catalogue: what is known of a tool must outlive the connection that is lost while it is called. */
  knownTool(name: string): ToolInfo | undefined {
    return this.lists.tools.items.find((tool) => tool.name === name);
  }

  /** What the server lists, as of the last readings, whether it is connected or not. */
  get lists(): Lists {
    return this.catalogue.current;
  }

  /** Resolves when the lists that are being read have been read; absent while none is. */
  get reading(): Promise<void> | undefined {
    return this.catalogue.reading;
  }

  /** Someone looks at the lists: what is past its time is read again. */
  look(): void {
    this.catalogue.look();
  }

  /** Reads all lists anew. */
  refresh(): void {
    this.catalogue.refresh();
  }

  /** Reads the tools anew; resolves when that is done, or when `signal` aborts. */
  refreshTools(signal: AbortSignal): Promise<void> {
    return this.catalogue.refreshTools(signal);
  }

  /** Forgets how the last handshake went: it does not hold any more. */
  forgetEra(): void {
    this.era = undefined;
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
    let plan = this.era ?? firstPlan(this.defined);
    let blame: ConnectionFailure | undefined;
    for (let wires = 1; ; wires += 1) {
      const tried = await (wires === 1 ? this.options.turns.take(() => this.tryOnce(plan)) : this.tryOnce(plan));
      if (tried === 'superseded') {
        await this.stopping;
        return this.starting ?? this.current;
      }
      const { launch, handshake, lostWith } = tried;
      if (handshake.kind === 'again' && wires < MAX_WIRES) {
        // Over HTTP the first refusal says more than that of the way back which was only guessed at.
        blame = handshake.plan.kind === 'initialize' && handshake.plan.isOverSse ? handshake.failure : undefined;
        plan = handshake.plan;
        this.launch = undefined;
        await launch.close();
        if (lostWith?.reason === 'exited') {
          await this.options.turns.afterFirst(TURN_MS);
        }
        if (generation !== this.generation) {
          await this.stopping;
          return this.starting ?? this.current;
        }
      } else if (handshake.kind !== 'ready') {
        this.launch = undefined;
        // What was known may be what is wrong.
        this.era = undefined;
        this.letGo(launch.close());
        this.countRefusal();
        this.set({ kind: 'failed', failure: blame ?? handshake.failure });
        return this.current;
      } else {
        this.run(launch, handshake, lostWith);
        return this.current;
      }
    }
  }

  /** One launch, as far as its handshake. */
  private async tryOnce(plan: EraPlan): Promise<Tried | 'superseded'> {
    const launch = new Launch({ ...this.options, definition: this.defined, connection: this.nextId });
    this.lastId = this.nextId;
    this.nextId = this.options.newId() as ConnectionId;
    this.launch = launch;
    this.set({ kind: 'starting' });
    const tried: { lostWith: TransportFailure | undefined } = { lostWith: undefined };
    launch.onDidClose((failure) => {
      tried.lostWith ??= failure;
      if (this.current.kind === 'running') {
        this.lose(launch, failure);
      }
    });
    const { connectTimeoutMs, discoverTimeoutMs } = this.options.settings();
    const handshake = await launch.start(plan, { timeoutMs: connectTimeoutMs, discoverMs: discoverTimeoutMs });
    return this.launch !== launch || handshake.kind === 'stopped'
      ? 'superseded'
      : { launch, handshake, lostWith: tried.lostWith };
  }

  private run(
    launch: Launch,
    { plan, ...handshake }: Extract<Handshake, { kind: 'ready' }>,
    lostWith: TransportFailure | undefined,
  ): void {
    this.era = plan;
    if (lostWith !== undefined) {
      this.lose(launch, lostWith);
      return;
    }
    this.refusals = undefined;
    this.lastRevision = handshake.revision;
    this.set({ ...handshake, kind: 'running' });
    this.catalogue.follow(launch, handshake);
  }

  private didRead(kind: keyof Lists): void {
    if (this.current.kind === 'running') {
      const { items, isComplete } = this.lists.tools;
      this.set(kind === 'tools' ? { ...this.current, tools: { tools: items, isComplete } } : { ...this.current });
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
