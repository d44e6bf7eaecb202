import type { Clock, Random } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { CallOutcome, Judge, JudgedRequest, RawEnd } from '../../protocol/call.ts';
import type { ServerDefinition, ToolPolicy } from '../../protocol/definition.ts';
import type {
  AttemptBody,
  ChainId,
  EventSink,
  Origin,
  ServerId,
  SessionId,
  TransportFailure,
} from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { Verdict } from '../../protocol/outcome.ts';
import { type Idempotency, idempotencyOf, withIdempotencyKey } from '../resilience/idempotency.ts';
import type { ReplayPolicy, RetrySettings } from '../resilience/policy.ts';
import { RetryBudget } from '../resilience/retryBudget.ts';
import { isSessionLoss } from '../resilience/retryDecision.ts';
import { type AttemptEnd, type LoopPolicy, runWithRetries } from '../resilience/retryLoop.ts';
import { createRecorder } from '../transport/recorder.ts';
import { Connection, type ConnectionState } from './connection.ts';
import type { ClientInfo, EngineModule, Root, WireFactory } from './engine.ts';
import { stringOf } from './json.ts';
import type { Launch } from './launch.ts';
import type { Progress, RequestLimits } from './requestTable.ts';
import type { ServerRequestHandlersFor } from './serverRequests.ts';
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

interface Member {
  readonly connection: Connection;
  readonly budget: RetryBudget;
}

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
  private isDisposed = false;

  /** Something about this server changed: its state, its tools, or that it is there at all. */
  readonly onDidChange: Event<ServerId> = this.emitter.event;

  constructor(options: PoolOptions) {
    this.options = options;
    this.newId = options.newId ?? (() => crypto.randomUUID());
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
    return this.members.get(server)?.connection.start() ?? Promise.resolve({ kind: 'stopped' });
  }

  /** Connects every server at once; resolves when each has come to a state. */
  async connectAll(): Promise<void> {
    await Promise.all([...this.members.keys()].map((server) => this.connect(server)));
  }

  /** Ends the server's calls and its process. */
  disconnect(server: ServerId): Promise<void> {
    return this.members.get(server)?.connection.stop() ?? Promise.resolve();
  }

  restart(server: ServerId): Promise<ConnectionState> {
    return this.members.get(server)?.connection.restart() ?? Promise.resolve({ kind: 'stopped' });
  }

  /** The tools as far as they are known: none before the catalogue has been read. */
  tools(server: ServerId): readonly ToolInfo[] {
    const state = this.members.get(server)?.connection.state;
    return state?.kind === 'running' ? (state.tools?.tools ?? []) : [];
  }

  /** Whether a request may be sent twice, by what is known now. */
  idempotencyOf(server: ServerId, method: string, params: JsonObject | undefined): Idempotency {
    const connection = this.members.get(server)?.connection;
    const tool = toolOf(method, params);
    return idempotencyOf({
      method,
      policy: tool === undefined ? undefined : this.options.toolPolicy(server, tool),
      hints: tool === undefined ? undefined : connection?.knownTool(tool)?.hints,
      isTrusted: connection?.definition.isTrusted === true,
    });
  }

  /** Sends a request, again where that is safe, and says what became of it. Connects first where need be. Never rejects. */
  async call(request: CallRequest, options: CallOptions = {}): Promise<CallOutcome> {
    const chain = this.newId() as ChainId;
    const member = this.members.get(request.server);
    if (member === undefined) {
      const message = `No server ${request.server}`;
      return this.unsent(chain, request, { reason: 'closed', message }, 'call.unknownServer');
    }
    try {
      return await this.callMember(member, chain, request, options);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return this.unsent(chain, request, { reason: 'unknown', message }, 'call.failed');
    }
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

  private callMember(
    { connection, budget }: Member,
    chain: ChainId,
    request: CallRequest,
    options: CallOptions,
  ): Promise<CallOutcome> {
    const { clock, random, sink, session, toolPolicy } = this.options;
    const { server, method, origin } = request;
    const tool = toolOf(method, request.params);
    const userPolicy = tool === undefined ? undefined : toolPolicy(server, tool);
    const params = withIdempotencyKey(method, request.params, userPolicy, this.newId);
    const limits = this.limitsFor(userPolicy, options.policy);
    const { callsSignal } = connection;
    const signal = options.signal === undefined ? callsSignal : AbortSignal.any([options.signal, callsSignal]);
    let launch: Launch | undefined;

    return runWithRetries({
      clock,
      random,
      chain,
      budget,
      signal,
      policy: this.loopPolicy(options),
      replayOf: request.replayOf,
      prepare: async () => {
        const ready = await connection.ready(signal);
        if ('end' in ready) {
          return ready.end;
        }
        launch = ready.launch;
        return undefined;
      },
      attempt: async (_number, token): Promise<AttemptEnd> => {
        if (launch === undefined) {
          return {
            end: { kind: 'transport', failure: { reason: 'closed', message: 'Not connected' } },
            wasSent: false,
          };
        }
        const onProgress = (progress: Progress) => quietly(() => options.onProgress?.(progress));
        const ended = await launch.request({ method, params, token, limits, signal, origin, onProgress });
        if (isSessionLoss(ended.end)) {
          connection.lose(launch, { reason: 'session-lost', message: 'The server has forgotten the session.' });
        }
        return ended;
      },
      judge: (end) => this.judge(request, params, end),
      idempotency: async () => {
        if (tool !== undefined) {
          await connection.tool(tool, signal);
        }
        return this.idempotencyOf(server, method, params);
      },
      emit: (body) => {
        const context = { session, server, connection: launch?.connection ?? connection.id, origin };
        createRecorder({ context, sink, clock })(body);
        quietly(() => options.onAttempt?.(body));
      },
    });
  }

  private judge({ server, method }: CallRequest, params: JsonObject | undefined, end: RawEnd): Verdict {
    const connection = this.members.get(server)?.connection;
    const tool = toolOf(method, params);
    const target = tool ?? stringOf(params, 'uri') ?? stringOf(params, 'name');
    const outputSchema = tool === undefined ? undefined : connection?.knownTool(tool)?.outputSchema;
    const judged: JudgedRequest = {
      method,
      ...(target === undefined ? {} : { target }),
      ...(params === undefined ? {} : { params }),
      ...(connection?.revision === undefined ? {} : { revision: connection.revision }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
    };
    try {
      return this.options.judge(judged, end);
    } catch {
      // Against its contract; the call must end all the same.
      return { outcome: 'invalid_response', retry: 'never', signals: [] };
    }
  }

  private unsent(chain: ChainId, request: CallRequest, failure: TransportFailure, stopped: string): CallOutcome {
    const end: RawEnd = { kind: 'transport', failure };
    const { outcome, retry, signals } = this.judge(request, request.params, end);
    return { kind: outcome, detail: { signals, retry, end }, chain, attempts: [], stopped };
  }

  private limitsFor(tool: ToolPolicy | undefined, policy: ReplayPolicy | undefined): RequestLimits {
    const { timeoutMs, totalTimeoutMs } = this.options.settings();
    const idleMs = policy?.timeoutMs ?? tool?.timeoutMs ?? timeoutMs;
    return { idleMs, totalMs: Math.max(totalTimeoutMs, idleMs) };
  }

  private loopPolicy({ policy, isConfirmed }: CallOptions): LoopPolicy {
    return {
      ...this.options.settings(),
      ...policy,
      asked: isConfirmed === true && policy !== undefined ? new Set(policy.retryOn) : undefined,
    };
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
      clientInfo: this.options.clientInfo ?? { name: 'faultline', version: '0.1.0' },
      roots: this.options.roots ?? (() => []),
      serverRequests: this.options.serverRequests,
      newId: this.newId,
    });
    connection.onDidChange(() => this.emitter.fire(definition.id));
    return { connection, budget: new RetryBudget(clock, () => settings().retriesPerMinute) };
  }

  private letGo(connection: Connection): void {
    const leaving = connection.dispose().finally(() => this.leaving.delete(leaving));
    this.leaving.add(leaving);
  }
}

function isReachedAlike(a: ServerDefinition, b: ServerDefinition): boolean {
  return JSON.stringify(a.transport) === JSON.stringify(b.transport);
}

function toolOf(method: string, params: JsonObject | undefined): string | undefined {
  return method === 'tools/call' ? stringOf(params, 'name') : undefined;
}

/** A listener's fault is not the call's. */
function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // Nothing to tell it to.
  }
}
