import type { Clock, Random } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { CallOutcome, Judge } from '../../protocol/call.ts';
import type { ServerDefinition, ToolPolicy } from '../../protocol/definition.ts';
import type { AttemptBody, ChainId, EventSink, Origin, ServerId, SessionId } from '../../protocol/events.ts';
import { memberOf } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { VERSION } from '../../protocol/version.ts';
import { Breaker } from '../resilience/breaker.ts';
import type { Idempotency } from '../resilience/idempotency.ts';
import { LoopGuard } from '../resilience/loopGuard.ts';
import type { ReplayPolicy, RetrySettings } from '../resilience/policy.ts';
import { RetryBudget } from '../resilience/retryBudget.ts';
import { createRecorder } from '../transport/recorder.ts';
import type { Authorizer } from './authorizer.ts';
import { Caller, type Continuation, type Member } from './caller.ts';
import type { Lists } from './catalogue.ts';
import { Connection, type ConnectionState } from './connection.ts';
import type { ClientInfo, EngineModule, Root, WireFactory } from './engine.ts';
import type { Progress } from './requestTable.ts';
import type { ServerRequestHandlersFor } from './serverRequests.ts';
import { startInTurns } from './startInTurns.ts';
import { StartTurns } from './startTurns.ts';
import { followTask, type TaskOptions } from './tasks.ts';
import type { ToolInfo } from './tools.ts';

export interface PoolOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly judge: Judge;
  readonly sink: EventSink;
  readonly session: SessionId;
  readonly wires: WireFactory;
  /** Called at every launch; loads the engine's own bundle at the first. */
  readonly loadEngine: () => Promise<EngineModule>;
  /** Asked at every call, so that a changed setting counts from the next one. */
  readonly settings: () => RetrySettings;
  readonly toolPolicy: (server: ServerId, tool: string) => ToolPolicy | undefined;
  readonly clientInfo?: ClientInfo;
  readonly roots?: () => readonly Root[];
  /** Who answers sampling and elicitation; absent: neither is declared. */
  readonly serverRequests?: ServerRequestHandlersFor | undefined;
  /** Who gets a server its authorization; absent: what its definition says is all there is. */
  readonly authorizer?: ((definition: ServerDefinition) => Authorizer | undefined) | undefined;
  /** What the `_meta` of an attempt carries beside what the call gives itself, which stays as it is. */
  readonly requestMeta?: (chain: ChainId, attempt: number) => JsonObject | undefined;
  /** Unique ids for chains and connections. */
  readonly newId?: () => string;
}

export interface CallRequest {
  readonly server: ServerId;
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly origin: Origin;
  /** Key of the exchange that this call repeats. */
  readonly replayOf?: number | undefined;
  /** It is a recorded request that a person has changed. */
  readonly isEdited?: boolean | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onAttempt?: ((attempt: AttemptBody) => void) | undefined;
  /** In place of the settings. */
  readonly policy?: ReplayPolicy | undefined;
  /** A person knows the risk: `policy.retryOn` alone decides what is repeated, except what can never succeed. */
  readonly isConfirmed?: boolean | undefined;
}

/** A call that has ended without its answer: what it sent, so that it can be gone on with. */
interface Unfinished {
  readonly request: CallRequest;
  /** As they were sent, the idempotency key included. */
  readonly params: JsonObject | undefined;
}

/** What a server lists, and whether it can be used now. */
export interface ServerCatalogue extends Lists {
  readonly isAvailable: boolean;
}

/** Stands for the request of an outcome that is not one of ours. */
const NO_REQUEST: CallRequest = { server: '' as ServerId, method: '', origin: 'client' };

/**
 * All servers and the only door for calls. Each server has its own connection, budget and waits, so that a dead one
 * delays nobody else. No exception leaves.
 */
export class ServerPool {
  private readonly options: PoolOptions;
  private readonly emitter = new Emitter<ServerId>();
  private readonly members = new Map<ServerId, Member>();
  private readonly leaving = new Set<Promise<void>>();
  private readonly newId: () => string;
  private readonly caller: Caller;
  private readonly turns: StartTurns;
  private readonly unfinished = new WeakMap<CallOutcome, Unfinished>();
  private isDisposed = false;

  /** Something about this server changed: its state, its tools, or that it is there at all. */
  readonly onDidChange: Event<ServerId> = this.emitter.event;

  constructor(options: PoolOptions) {
    this.options = options;
    this.newId = options.newId ?? (() => crypto.randomUUID());
    this.caller = new Caller(options, this.newId);
    this.turns = new StartTurns(options.clock);
  }

  get connections(): ReadonlyMap<ServerId, Connection> {
    return new Map([...this.members].map(([id, { connection }]) => [id, connection]));
  }

  /** Takes `definitions` as the whole list. A server that is reached as before keeps its connection. */
  setDefinitions(definitions: readonly ServerDefinition[]): void {
    if (this.isDisposed) {
      return;
    }
    const wanted = new Map(definitions.map((definition) => [definition.id, definition]));
    for (const [id, { connection }] of [...this.members]) {
      const definition = wanted.get(id);
      if (definition !== undefined && isReachedAlike(definition, connection.definition)) {
        connection.redefine(definition);
      } else {
        this.members.delete(id);
        this.letGo(connection);
        this.emitter.fire(id);
      }
    }
    for (const [id, definition] of wanted) {
      if (!this.members.has(id)) {
        this.members.set(id, this.createMember(definition));
        this.emitter.fire(id);
      }
    }
  }

  /** Connects one server; gives the state it came to, `stopped` for one that is not there. */
  connect(server: ServerId): Promise<ConnectionState> {
    const member = this.members.get(server);
    if (member !== undefined && member.connection.state.kind !== 'running') {
      member.breaker.reset();
    }
    return this.members.get(server)?.connection.start() ?? Promise.resolve({ kind: 'stopped' });
  }

  /** Connects these servers, or every one, a few at a time; resolves when each has come to a state. */
  async connectAll(servers: readonly ServerId[] = [...this.members.keys()]): Promise<void> {
    await startInTurns(servers, (server) => this.connect(server), this.options.clock);
  }

  /** Ends the server's calls and its process. */
  disconnect(server: ServerId): Promise<void> {
    this.forgive(server);
    return this.members.get(server)?.connection.stop() ?? Promise.resolve();
  }

  restart(server: ServerId): Promise<ConnectionState> {
    this.forgive(server);
    return this.members.get(server)?.connection.restart() ?? Promise.resolve({ kind: 'stopped' });
  }

  /** The tools as far as they are known: none before the catalogue has been read. */
  tools(server: ServerId): readonly ToolInfo[] {
    const state = this.members.get(server)?.connection.state;
    return state?.kind === 'running' ? (state.tools?.tools ?? []) : [];
  }

  /**
   * All that the server lists, as of the last readings: of one that is not connected too, marked as unavailable. What is past
   * the time that the server gave it is read again, and told by `onDidChange`.
   */
  catalogue(server: ServerId): ServerCatalogue | undefined {
    const connection = this.members.get(server)?.connection;
    connection?.look();
    return connection === undefined
      ? undefined
      : { ...connection.lists, isAvailable: connection.state.kind === 'running' };
  }

  /** The same, once the lists that are being read have been read. */
  async listed(server: ServerId): Promise<ServerCatalogue | undefined> {
    await this.members.get(server)?.connection.reading;
    return this.catalogue(server);
  }

  /** Reads all lists of a connected server anew; what changed is told by `onDidChange`. */
  refresh(server: ServerId): void {
    this.members.get(server)?.connection.refresh();
  }

  /** Whether a request may be sent twice, by what is known now. */
  idempotencyOf(server: ServerId, method: string, params: JsonObject | undefined): Idempotency {
    return this.caller.idempotencyOf(this.members.get(server)?.connection, { server, method }, params);
  }

  /** Sends a request, again where that is safe, and says what became of it. Connects first where need be. Never rejects. */
  async call(request: CallRequest, options: CallOptions = {}): Promise<CallOutcome> {
    const chain = this.newId() as ChainId;
    const member = this.members.get(request.server);
    if (member === undefined) {
      const message = `No server ${request.server}`;
      return this.caller.unsent(chain, request, { reason: 'closed', message }, 'call.unknownServer');
    }
    return this.guarded(chain, request, () => this.callMember(member, chain, request, options));
  }

  /**
   * Goes on with a call that ended as `input_required` (2026-07-28, "Multi Round-Trip Requests"): the same request again, with
   * these answers and what the server wants back, as a further attempt of the same chain. Never rejects.
   */
  async continueCall(
    outcome: CallOutcome,
    inputResponses: JsonObject,
    options: CallOptions = {},
  ): Promise<CallOutcome> {
    const before = this.unfinished.get(outcome);
    const member = before === undefined ? undefined : this.members.get(before.request.server);
    if (before === undefined || member === undefined || outcome.kind !== 'input_required') {
      const request = before?.request ?? NO_REQUEST;
      const message = 'There is nothing to go on with.';
      return this.caller.unsent(outcome.chain, request, { reason: 'closed', message }, 'call.notContinuable');
    }
    const state =
      outcome.detail.end.kind === 'result' ? memberOf(outcome.detail.end.result, 'requestState') : undefined;
    const params = { ...before.params, inputResponses, ...(state === undefined ? {} : { requestState: state }) };
    const request = { ...before.request, params };
    const last = outcome.attempts.at(-1)?.number ?? 0;
    const going = { attempts: last, reason: 'retry.round' };
    return this.guarded(outcome.chain, request, () => this.callMember(member, outcome.chain, request, options, going));
  }

  /**
   * Follows a call that ended as `task_pending` until its task is done, as often as the server wants to be asked; gives its
   * outcome as if it had been answered at once, or the outcome of asking when that fails. Never rejects.
   */
  pollTask(outcome: CallOutcome, options: TaskOptions = {}): Promise<CallOutcome> {
    const before = this.unfinished.get(outcome);
    if (before === undefined) {
      const message = 'There is no task to ask for.';
      return Promise.resolve(
        this.caller.unsent(outcome.chain, NO_REQUEST, { reason: 'closed', message }, 'call.notContinuable'),
      );
    }
    const { request } = before;
    return followTask(outcome, {
      clock: this.options.clock,
      ask: (method, params) =>
        this.call({ server: request.server, method, params, origin: request.origin }, { signal: options.signal }),
      judge: (end) => {
        const connection = this.members.get(request.server)?.connection;
        return this.caller.judge(connection, request, before.params, end);
      },
      options,
    });
  }

  /** Disconnects everything, all at once. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    for (const { connection } of this.members.values()) {
      this.letGo(connection);
    }
    this.members.clear();
    await Promise.all(this.leaving);
    this.emitter.dispose();
  }

  private async callMember(
    member: Member,
    chain: ChainId,
    request: CallRequest,
    options: CallOptions,
    going?: Continuation,
  ): Promise<CallOutcome> {
    const { outcome, params } = await this.caller.call(member, chain, request, options, going);
    if (outcome.kind === 'input_required' || outcome.kind === 'task_pending') {
      this.unfinished.set(outcome, { request, params });
    }
    return outcome;
  }

  /** Somebody took the server in hand: what was counted against it is forgotten. */
  private forgive(server: ServerId): void {
    const member = this.members.get(server);
    member?.breaker.reset();
    member?.loops.reset();
  }

  private async guarded(chain: ChainId, request: CallRequest, work: () => Promise<CallOutcome>): Promise<CallOutcome> {
    try {
      return await work();
    } catch (error) {
      const message = messageOf(error);
      return this.caller.unsent(chain, request, { reason: 'unknown', message }, 'call.failed');
    }
  }

  private createMember(definition: ServerDefinition): Member {
    const { clock, random, sink, session, wires, loadEngine, settings } = this.options;
    const connection = new Connection({
      definition,
      clock,
      random,
      sink,
      session,
      wires,
      loadEngine,
      settings,
      clientInfo: this.options.clientInfo ?? { name: 'faultline', version: VERSION },
      roots: this.options.roots ?? (() => []),
      serverRequests: this.options.serverRequests,
      newId: this.newId,
      authorizer: this.options.authorizer,
      turns: this.turns,
    });
    connection.onDidChange(() => this.emitter.fire(definition.id));
    return {
      connection,
      budget: new RetryBudget(clock, () => settings().retriesPerMinute),
      loops: new LoopGuard(),
      breaker: new Breaker({
        clock,
        settings,
        onDidChange: (detail) => {
          const context = { session, server: definition.id, connection: connection.id, origin: 'client' as const };
          createRecorder({ context, sink, clock })({ kind: 'lifecycle', detail });
        },
      }),
    };
  }

  private letGo(connection: Connection): void {
    const leaving = connection.dispose().finally(() => this.leaving.delete(leaving));
    this.leaving.add(leaving);
  }
}

function isReachedAlike(a: ServerDefinition, b: ServerDefinition): boolean {
  return JSON.stringify([a.transport, a.versions]) === JSON.stringify([b.transport, b.versions]);
}
