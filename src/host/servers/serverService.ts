import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ConnectionState } from '../../core/client/connection.ts';
import type { CrashLoop, CrashSupervisor } from '../../core/client/diagnosis/crashSupervisor.ts';
import { isOtherClients } from '../../core/client/discovery/clients.ts';
import type { Root } from '../../core/client/engine.ts';
import type { ConnectionFailure } from '../../core/client/failure.ts';
import type { ServerPool } from '../../core/client/pool.ts';
import type { ToolInfo } from '../../core/client/tools.ts';
import type { FaultSource } from '../../core/passthrough/faults/faultSource.ts';
import { boundSettings, type RetrySettings } from '../../core/resilience/policy.ts';
import type { ServerDefinition, ToolPolicy } from '../../protocol/definition.ts';
import type { EventSink, ServerId, SessionId } from '../../protocol/events.ts';
import { readSetting } from '../manifest.ts';
import type { EventReader, Explanation } from './explain.ts';
import { RETRY_SETTING_NAMES } from './retrySettingNames.ts';
import type { TrustGate } from './trust.ts';
import type { ValueStore } from './valueStore.ts';

/** A server as trees and pickers show it. */
export interface ServerView {
  readonly definition: ServerDefinition;
  readonly state: ConnectionState;
  readonly tools: readonly ToolInfo[];
  /** Why it is not there, once its failure has been looked into. */
  readonly why?: Explanation;
  /** It goes on crashing and is left alone. */
  readonly loop?: CrashLoop;
}

type LateOptions = Parameters<typeof import('../lateCore.ts')['createPool']>[0];
type LateServers = typeof import('./lateServers.ts');

export interface ServerServiceOptions {
  readonly sink: EventSink;
  readonly session: SessionId;
  readonly clock: Clock;
  readonly gate: TrustGate;
  readonly values: ValueStore;
  /** Part of the URI that a browser comes back to. */
  readonly extensionId: string;
  /** Faults that are injected on purpose now. */
  readonly faults?: () => FaultSource | undefined;
  /** What was recorded of a connection. */
  readonly events: EventReader;
}

/**
 * The servers of this window: definitions from every source, one pool, and the gate before anything starts. Inputs are asked
 * for and secrets filled in at a start, never before.
 */
export class ServerService implements Disposable {
  private readonly store = new DisposableStore();
  private readonly emitter = this.store.add(new Emitter<void>());
  /** Definitions or states changed. */
  readonly onDidChange = this.emitter.event;
  /** There from the first connection or call on: see `openPool`. */
  private pool: ServerPool | undefined;
  private poolOptions: LateOptions | undefined;
  private opening: Promise<ServerPool> | undefined;
  private supervisor: CrashSupervisor | undefined;
  private late: Promise<LateServers> | undefined;
  private readonly options: ServerServiceOptions;
  private readonly bySource = new Map<string, readonly ServerDefinition[]>();
  /** What was prepared for a start, with the definition that it was made of. */
  private readonly prepared = new Map<ServerId, { readonly raw: ServerDefinition; readonly ready: ServerDefinition }>();
  /** Starts that came to nothing before the pool was asked. */
  private readonly unprepared = new Map<ServerId, ConnectionFailure>();
  private readonly explained = new WeakMap<ConnectionFailure, Explanation>();
  private reading: Promise<void> = Promise.resolve();

  constructor(options: ServerServiceOptions) {
    this.options = options;
  }

  /** Reads the definitions and keeps reading them. Activation does not wait for it; `loaded` does. */
  watch(): void {
    this.reading = this.readDefinitions();
  }

  private async readDefinitions(): Promise<void> {
    // In a turn of its own: loading code in this one would hold up the activation that has only just begun.
    await this.options.clock.sleep(0);
    const late = await this.loadLate();
    const { watching, loaded } = late.watchDefinitions(this, this.options.clock);
    this.store.add(watching);
    await loaded;
    this.store.add(late.watchSources(this, this.options.clock));
  }

  /** Resolves when the definitions have been read for the first time. */
  get loaded(): Promise<void> {
    return this.reading;
  }

  /** The client, loaded when it is first needed. Whoever calls through it has passed the gate (`allows`). */
  openPool(): Promise<ServerPool> {
    this.opening ??= this.createPool();
    return this.opening;
  }

  /**
   * A pool of its own for one server, over which it is started or connected anew while all others are left alone; whoever
   * asks for it disposes it, and has passed the gate. `server`: one that is defined, or a definition of nobody else's.
   */
  async openFresh(server: ServerId | ServerDefinition): Promise<ServerPool | undefined> {
    const definition = typeof server === 'string' ? this.current().find(({ id }) => id === server) : server;
    if (definition === undefined) {
      return undefined;
    }
    // The sign-ins belong to the pool of all.
    await this.openPool();
    const { createPool } = await import('../lateCore.ts');
    const pool = this.poolOptions === undefined ? undefined : createPool(this.poolOptions);
    pool?.setDefinitions([definition]);
    return pool;
  }

  /** Takes the whole list of one source, in the place of what that source gave before. */
  setDefinitions(source: string, definitions: readonly ServerDefinition[]): void {
    this.bySource.set(source, definitions);
    const current = new Map(this.definitions().map((definition) => [definition.id, definition]));
    for (const [id, { raw }] of [...this.prepared]) {
      if (!isStartedAlike(raw, current.get(id))) {
        this.prepared.delete(id);
      }
    }
    this.unprepared.clear();
    this.tellPool();
    this.emitter.fire();
  }

  definitions(): readonly ServerDefinition[] {
    return [...this.bySource.values()].flat();
  }

  views(): readonly ServerView[] {
    const connections = this.pool?.connections;
    return this.definitions().map((definition) => {
      const state = this.stateOf(definition.id, connections?.get(definition.id)?.state);
      const why = state.kind === 'failed' ? this.explained.get(state.failure) : undefined;
      // What a server listed stays on show when it is gone.
      const tools = this.pool?.catalogue(definition.id)?.tools.items ?? [];
      const loop = this.supervisor?.loopOf(definition.id);
      return {
        definition,
        state,
        tools,
        ...(why === undefined ? {} : { why }),
        ...(loop === undefined ? {} : { loop }),
      };
    });
  }

  view(id: ServerId): ServerView | undefined {
    return this.views().find(({ definition }) => definition.id === id);
  }

  /** The words that start a server; a remote one, or one that is not defined, has none. */
  launchOf(id: ServerId): readonly string[] {
    const transport = this.definitions().find((definition) => definition.id === id)?.transport;
    return transport?.type === 'stdio' ? [transport.command, ...transport.args] : [];
  }

  /** Connects after the gate; gives the state it came to, or `undefined` when a person said no. */
  async connect(id: ServerId): Promise<ConnectionState | undefined> {
    if (!(await this.allows([id]))) {
      return this.view(id)?.state.kind === 'failed' ? this.view(id)?.state : undefined;
    }
    if (this.view(id)?.state.kind !== 'running') {
      this.supervisor?.forgive(id);
    }
    const state = await (await this.openPool()).connect(id);
    await this.lookInto();
    return state;
  }

  /** Connects every server that is not another client's: those are connected one by one. */
  async connectAll(): Promise<void> {
    await this.loaded;
    const ids = this.definitions().flatMap(({ id, source }) => (isOtherClients(source.kind) ? [] : [id]));
    if (await this.isAgreed(ids)) {
      const pool = await this.openPool();
      const ready = await this.prepare(ids);
      await pool.connectAll(ready);
    }
  }

  async disconnect(id: ServerId): Promise<void> {
    this.supervisor?.forgive(id);
    this.unprepared.delete(id);
    await this.pool?.disconnect(id);
    this.emitter.fire();
  }

  async restart(id: ServerId): Promise<ConnectionState | undefined> {
    // A secret or an input may have been changed since.
    this.prepared.delete(id);
    if (!(await this.allows([id]))) {
      return undefined;
    }
    this.supervisor?.forgive(id);
    return (await this.openPool()).restart(id);
  }

  /** True when these servers may be started; asks where a person has to agree or to answer first. Every call passes here. */
  async allows(ids: readonly ServerId[]): Promise<boolean> {
    return (await this.isAgreed(ids)) && (await this.prepare(ids)).length === ids.length;
  }

  /** The definition with its values filled in, once a start was allowed. */
  readyDefinition(id: ServerId): ServerDefinition | undefined {
    return this.prepared.get(id)?.ready;
  }

  /** Resolves when every process that was started is gone. */
  async shutdown(): Promise<void> {
    this.store.dispose();
    await (await this.opening)?.dispose();
  }

  dispose(): void {
    void this.shutdown();
  }

  private loadLate(): Promise<LateServers> {
    this.late ??= import('./lateServers.ts');
    return this.late;
  }

  private async isAgreed(ids: readonly ServerId[]): Promise<boolean> {
    const { previewDefinition } = await this.loadLate();
    return this.options.gate.allows(
      this.definitions()
        .filter(({ id }) => ids.includes(id))
        .map(previewDefinition),
    );
  }

  /** Fills in what these definitions need for a start; gives those that are ready. One after the other, since it may ask. */
  private async prepare(ids: readonly ServerId[]): Promise<readonly ServerId[]> {
    const { failureOf, prepareDefinition } = await this.loadLate();
    const ready: ServerId[] = [];
    for (const raw of this.definitions().filter(({ id }) => ids.includes(id))) {
      const prepared = this.prepared.has(raw.id) ? undefined : await prepareDefinition(raw, this.options.values);
      if (prepared !== undefined && 'definition' in prepared) {
        this.prepared.set(raw.id, { raw, ready: prepared.definition });
      }
      if (prepared !== undefined && 'problems' in prepared) {
        this.unprepared.set(raw.id, failureOf(prepared.problems));
      } else if (this.prepared.has(raw.id)) {
        this.unprepared.delete(raw.id);
        ready.push(raw.id);
      }
    }
    this.tellPool();
    await this.lookInto();
    this.emitter.fire();
    return ready;
  }

  private tellPool(): void {
    this.pool?.setDefinitions(this.current());
  }

  /** The definitions as they are started. Whether one is trusted is said now, not when it was prepared. */
  private current(): readonly ServerDefinition[] {
    return this.definitions().map((raw) => {
      const ready = this.prepared.get(raw.id)?.ready;
      return ready === undefined ? raw : { ...ready, isTrusted: raw.isTrusted };
    });
  }

  private stateOf(id: ServerId, state: ConnectionState | undefined): ConnectionState {
    const failure = this.unprepared.get(id);
    if (failure !== undefined) {
      return { kind: 'failed', failure };
    }
    return state ?? { kind: 'stopped' };
  }

  private async createPool(): Promise<ServerPool> {
    const { clock, session, sink } = this.options;
    const [{ createPool }, late] = await Promise.all([import('../lateCore.ts'), this.loadLate()]);
    const signIn = this.store.add(await late.SignIn.open(this.options.values, this.options.extensionId));
    const options: LateOptions = {
      clock,
      random: Math.random,
      sink,
      session,
      settings: retrySettings,
      toolPolicy: (server, tool) => this.toolPolicy(server, tool),
      authorizer: (definition) => signIn.authorizerFor(definition),
      serverRequests: (server) => late.serverRequestHandlers(this.nameOf(server)),
      roots: workspaceRoots,
      ...(this.options.faults === undefined ? {} : { faults: this.options.faults }),
      requestMeta: (chain, attempt) => late.traceMeta(session, chain, attempt),
    };
    this.poolOptions = options;
    const pool = createPool(options);
    this.supervisor = this.store.add(
      new late.CrashSupervisor({ clock, pool, sink, session, isWanted: () => readSetting('restartOnCrash') }),
    );
    this.store.add(this.supervisor.onDidJudge(() => void this.lookInto()));
    this.store.add(
      pool.onDidChange(() => {
        this.emitter.fire();
        void this.lookInto();
      }),
    );
    this.pool = pool;
    this.tellPool();
    return pool;
  }

  /** Finds the cause of every failure that has none yet, from what was recorded of its connection. */
  private async lookInto(): Promise<void> {
    const { explain, explainLoop } = await this.loadLate();
    let found = false;
    for (const { definition, state, why } of this.views()) {
      const loop = this.supervisor?.loopOf(definition.id);
      if (state.kind === 'failed' && (why === undefined || (loop !== undefined && !why.isLoop))) {
        const connection = this.pool?.connections.get(definition.id)?.id;
        const events = connection === undefined ? [] : this.options.events(connection);
        const cause = explain(state.failure, events, definition.transport);
        this.explained.set(state.failure, loop === undefined ? cause : explainLoop(loop, cause));
        found = true;
      }
    }
    if (found) {
      this.emitter.fire();
    }
  }

  private toolPolicy(server: ServerId, tool: string): ToolPolicy | undefined {
    return readToolPolicy(readSetting('tools')[`${this.nameOf(server)}/${tool}`]);
  }

  private nameOf(server: ServerId): string {
    return this.definitions().find(({ id }) => id === server)?.name ?? server;
  }
}

/** The folders of the workspace, which a server may ask for. */
export function workspaceRoots(): readonly Root[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ uri: folder.uri.toString(), name: folder.name }));
}

/** Whether a start of `a` is one of `b` too, wherever they stand in their files. */
function isStartedAlike(a: ServerDefinition, b: ServerDefinition | undefined): boolean {
  return (
    b !== undefined &&
    JSON.stringify([a.transport, a.inputs, a.versions]) === JSON.stringify([b.transport, b.inputs, b.versions])
  );
}

/** The user's retry settings in the terms of the client, as they are now. */
export function retrySettings(): RetrySettings {
  const read = Object.entries(RETRY_SETTING_NAMES).map(([name, setting]) => [name, readSetting(setting)]);
  return boundSettings(Object.fromEntries(read) as RetrySettings);
}

/** A value of `faultline.tools`; parts of the wrong type are as if they were not there. */
function readToolPolicy(value: unknown): ToolPolicy | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const { isIdempotent, idempotencyKeyArgument, timeoutMs } = value as Record<string, unknown>;
  return {
    ...(typeof isIdempotent === 'boolean' ? { isIdempotent } : {}),
    ...(typeof idempotencyKeyArgument === 'string' ? { idempotencyKeyArgument } : {}),
    ...(typeof timeoutMs === 'number' ? { timeoutMs } : {}),
  };
}
