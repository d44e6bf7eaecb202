import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ConnectionState } from '../../core/client/connection.ts';
import type { ServerPool } from '../../core/client/pool.ts';
import type { ToolInfo } from '../../core/client/tools.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../../core/resilience/policy.ts';
import type { ServerDefinition, ToolPolicy } from '../../protocol/definition.ts';
import type { EventSink, ServerId, SessionId } from '../../protocol/events.ts';
import { readSetting } from '../manifest.ts';
import type { TrustGate } from './trust.ts';

/** A server as trees and pickers show it. */
export interface ServerView {
  readonly definition: ServerDefinition;
  readonly state: ConnectionState;
  readonly tools: readonly ToolInfo[];
}

type LateOptions = Parameters<typeof import('../lateCore.ts')['createPool']>[0];

/** The servers of this window: definitions from every source, one pool, and the gate before anything starts. */
export class ServerService implements Disposable {
  private readonly store = new DisposableStore();
  private readonly emitter = this.store.add(new Emitter<void>());
  /** Definitions or states changed. */
  readonly onDidChange = this.emitter.event;
  /** There from the first connection or call on: see `openPool`. */
  private pool: ServerPool | undefined;
  private opening: Promise<ServerPool> | undefined;
  private readonly poolOptions: LateOptions;
  private readonly gate: TrustGate;
  private readonly bySource = new Map<string, readonly ServerDefinition[]>();

  constructor(sink: EventSink, session: SessionId, clock: Clock, gate: TrustGate) {
    this.gate = gate;
    this.poolOptions = {
      clock,
      random: Math.random,
      sink,
      session,
      settings: retrySettings,
      toolPolicy: (server, tool) => this.toolPolicy(server, tool),
      roots: () =>
        (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ uri: folder.uri.toString(), name: folder.name })),
    };
  }

  /** The client, loaded when it is first needed. Whoever calls through it has passed the gate (`allows`). */
  openPool(): Promise<ServerPool> {
    this.opening ??= this.createPool();
    return this.opening;
  }

  /** Takes the whole list of one source, in the place of what that source gave before. */
  setDefinitions(source: string, definitions: readonly ServerDefinition[]): void {
    this.bySource.set(source, definitions);
    this.pool?.setDefinitions(this.definitions());
    this.emitter.fire();
  }

  definitions(): readonly ServerDefinition[] {
    return [...this.bySource.values()].flat();
  }

  views(): readonly ServerView[] {
    const connections = this.pool?.connections;
    return this.definitions().map((definition) => ({
      definition,
      state: connections?.get(definition.id)?.state ?? { kind: 'stopped' },
      tools: this.pool?.tools(definition.id) ?? [],
    }));
  }

  view(id: ServerId): ServerView | undefined {
    return this.views().find(({ definition }) => definition.id === id);
  }

  /** Connects after the gate; gives the state it came to, or `undefined` when the gate said no. */
  async connect(id: ServerId): Promise<ConnectionState | undefined> {
    return (await this.allows([id])) ? (await this.openPool()).connect(id) : undefined;
  }

  async connectAll(): Promise<void> {
    const ids = this.definitions().map(({ id }) => id);
    if (await this.allows(ids)) {
      await (await this.openPool()).connectAll();
    }
  }

  async disconnect(id: ServerId): Promise<void> {
    await this.pool?.disconnect(id);
  }

  async restart(id: ServerId): Promise<ConnectionState | undefined> {
    return (await this.allows([id])) ? (await this.openPool()).restart(id) : undefined;
  }

  /** True when these servers may be started; asks where a person has to agree first. Every call passes here too. */
  allows(ids: readonly ServerId[]): Promise<boolean> {
    return this.gate.allows(this.definitions().filter(({ id }) => ids.includes(id)));
  }

  /** Resolves when every process that was started is gone. */
  async shutdown(): Promise<void> {
    this.store.dispose();
    await (await this.opening)?.dispose();
  }

  dispose(): void {
    void this.shutdown();
  }

  private async createPool(): Promise<ServerPool> {
    const { createPool } = await import('../lateCore.ts');
    const pool = createPool(this.poolOptions);
    this.store.add(pool.onDidChange(() => this.emitter.fire()));
    pool.setDefinitions(this.definitions());
    this.pool = pool;
    return pool;
  }

  private toolPolicy(server: ServerId, tool: string): ToolPolicy | undefined {
    const name = this.definitions().find(({ id }) => id === server)?.name ?? server;
    return readToolPolicy(readSetting('tools')[`${name}/${tool}`]);
  }
}

/** The user's retry settings in the terms of the client. */
export function retrySettings(): RetrySettings {
  return {
    ...DEFAULT_RETRY_SETTINGS,
    maxAttempts: readSetting('retry.maxAttempts'),
    baseMs: readSetting('retry.baseDelayMs'),
    capMs: readSetting('retry.maxDelayMs'),
    retryAfterCapMs: readSetting('retry.maxDelayMs'),
    retriesPerMinute: readSetting('retry.perServerPerMinute'),
    timeoutMs: readSetting('timeout.idleMs'),
    totalTimeoutMs: readSetting('timeout.totalMs'),
  };
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
