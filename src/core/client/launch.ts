import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ConnectionId, EventBody, EventSink, Origin, SessionId, TransportFailure } from '../../protocol/events.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { AttemptEnd } from '../resilience/retryLoop.ts';
import { redactUrl } from '../transport/httpRedaction.ts';
import { createRecorder, type Recorder } from '../transport/recorder.ts';
import type { Frame } from '../transport/wire.ts';
import type { Authorizer } from './authorizer.ts';
import type { ClientEngine, ClientInfo, EngineModule, EngineWire, Root, WireFactory } from './engine.ts';
import type { EraPlan } from './era.ts';
import { type ConnectionFailure, connectionFailure } from './failure.ts';
import { type Handshake, type HandshakeOptions, shakeHands } from './handshake.ts';
import { type OpenRequest, RequestTable, SHUTDOWN } from './requestTable.ts';
import type { ServerRequestHandler, ServerRequestHandlers, ServerRequestHandlersFor } from './serverRequests.ts';
import { untilAborted } from './untilAborted.ts';

export interface LaunchOptions {
  readonly definition: ServerDefinition;
  readonly connection: ConnectionId;
  readonly session: SessionId;
  readonly clock: Clock;
  readonly sink: EventSink;
  readonly wires: WireFactory;
  readonly loadEngine: () => Promise<EngineModule>;
  readonly clientInfo: ClientInfo;
  readonly roots: () => readonly Root[];
  readonly serverRequests?: ServerRequestHandlersFor | undefined;
  /** Who gets a server its authorization; asked when it is launched. */
  readonly authorizer?: ((definition: ServerDefinition) => Authorizer | undefined) | undefined;
}

/** How long a person may take to give access, ms. */
const PERSON_MS = 300_000;

export type HandshakeLimits = Pick<HandshakeOptions, 'timeoutMs' | 'discoverMs'>;

export interface LaunchRequest extends OpenRequest {
  readonly token: string;
  /** See `EngineRequestOptions`. */
  readonly tool?: JsonObject | undefined;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/**
 * One launch of a server, or one session with it: a wire, an engine on it, and the requests that wait. Everything hangs on
 * one store; whatever arrives after `close` is let go of at once. Nothing rejects.
 */
export class Launch {
  private readonly options: LaunchOptions;
  private readonly store = new DisposableStore();
  private readonly ended = new AbortController();
  private readonly closeEmitter = new Emitter<TransportFailure>();
  private readonly receiveEmitter = new Emitter<Frame>();
  private opened: { readonly engine: ClientEngine; readonly table: RequestTable } | undefined;
  private closing: Promise<void> | undefined;
  private inFlight = 0;
  /** Of the server, which a person has not answered yet. */
  private questions = 0;
  private readonly idle = new Emitter<void>();

  /** The wire is gone without our doing. */
  readonly onDidClose: Event<TransportFailure> = this.closeEmitter.event;
  readonly onDidReceive: Event<Frame> = this.receiveEmitter.event;

  constructor(options: LaunchOptions) {
    this.options = options;
    this.store.add(this.closeEmitter);
    this.store.add(this.receiveEmitter);
  }

  get connection(): ConnectionId {
    return this.options.connection;
  }

  /** Aborts when the launch is closed. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** What is declared to the server; empty before the handshake. */
  get capabilities(): JsonObject {
    return this.opened?.engine.capabilities ?? {};
  }

  /** Opens the wire and shakes hands as `plan` says, within the limits. */
  async start(plan: EraPlan, limits: HandshakeLimits): Promise<Handshake> {
    const record = this.recorder('client');
    const startUs = this.options.clock.monoUs();
    const { transport } = this.options.definition;
    if (transport.type === 'http') {
      record({ kind: 'lifecycle', detail: { step: 'connecting', url: redactUrl(transport.url) } });
    }
    const handshake = await this.handshake(plan, limits);
    const durationUs = this.options.clock.monoUs() - startUs;
    if (handshake.kind === 'ready') {
      const { revision, serverInfo, capabilities } = handshake;
      record({
        kind: 'lifecycle',
        detail: {
          step: 'initialized',
          revision,
          ...(serverInfo === undefined ? {} : { serverName: serverInfo.name, serverVersion: serverInfo.version }),
          capabilities: Object.keys(capabilities),
          durationUs,
        },
      });
    } else if (handshake.kind === 'failed' && handshake.failure.failure.reason !== 'spawn-failed') {
      // The wire tells of a failed spawn itself.
      record({ kind: 'lifecycle', detail: { step: 'failed', failure: handshake.failure.failure, durationUs } });
    }
    return handshake;
  }

  /** Sends one request and waits for its end. */
  async request(request: LaunchRequest): Promise<AttemptEnd> {
    if (request.limits === undefined) {
      return this.send(request);
    }
    this.inFlight += 1;
    const ended = await this.send(request);
    this.inFlight -= 1;
    if (this.inFlight === 0) {
      this.idle.fire();
    }
    return ended;
  }

  /** Closes once the requests in flight have ended, each by its own answer or limit. */
  async retire(): Promise<void> {
    if (this.inFlight > 0) {
      await untilAborted(new Promise<void>((resolve) => this.idle.event(resolve)), this.ended.signal);
    }
    await this.close();
  }

  /** Ends every request, then the session and the wire. Later calls get the same promise. */
  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  /** Records events of this connection. */
  recorder(origin: Origin): Recorder {
    const { session, definition, connection, sink, clock } = this.options;
    return createRecorder({ context: { session, server: definition.id, connection, origin }, sink, clock });
  }

  private async send(request: LaunchRequest): Promise<AttemptEnd> {
    const { opened } = this;
    if (opened === undefined || this.store.isDisposed) {
      const failure: TransportFailure = { reason: 'closed', message: 'The connection is closed.' };
      return { end: { kind: 'transport', failure }, wasSent: false };
    }
    const { engine, table } = opened;
    const letGo = new AbortController();
    const settled = table.open(request);
    if (!request.signal.aborted) {
      const params = withToken(request.params, request.token);
      void engine.request(request.method, params, letGo.signal, { tool: request.tool }).then((report) => {
        const failure = report.kind === 'failed' ? report.failure : undefined;
        table.report(request.token, failure, report.kind === 'failed' ? report.message : 'The answer was not seen.');
      });
    }
    const { end, wasSent, id } = await settled;
    if (end.kind === 'timeout' || end.kind === 'cancelled') {
      letGo.abort(end.kind === 'timeout' ? `${end.limit} timeout` : `cancelled by ${end.by}`);
    } else if (id !== undefined && !(end.kind === 'result' && isObject(end.result))) {
      // A result that is one the engine has seen itself; to be told of it again would cost it an error.
      engine.forget(id);
    }
    return { end, wasSent };
  }

  private async closeOnce(): Promise<void> {
    const { opened } = this;
    this.ended.abort(SHUTDOWN);
    this.store.dispose();
    await opened?.engine.close();
  }

  private async handshake(plan: EraPlan, settings: HandshakeLimits): Promise<Handshake> {
    const opened = await this.open();
    if ('code' in opened) {
      return this.store.isDisposed ? { kind: 'stopped' } : { kind: 'failed', failure: opened };
    }
    const { engine, table } = opened;
    const { definition, clock, connection } = this.options;
    const isAuthorized = this.options.authorizer?.(definition) !== undefined;
    const token = `${connection}.discover`;
    const { signal } = this.ended;
    return shakeHands({ definition, engine, table, clock, plan, token, signal, isAuthorized, ...settings });
  }

  private async open(): Promise<{ engine: ClientEngine; table: RequestTable } | ConnectionFailure> {
    const { clock, clientInfo, definition, roots } = this.options;
    const serverRequests = this.unhurried(this.options.serverRequests?.(definition.id));
    const authorizer = this.patient(this.options.authorizer?.(definition));
    let wire: EngineWire | undefined;
    try {
      const module = await this.options.loadEngine();
      wire = await this.createWire(authorizer !== undefined);
      const engine = module.createEngine({ wire, clock, clientInfo, roots, serverRequests, authorizer });
      if (this.store.isDisposed) {
        await engine.close();
        return connectionFailure({ reason: 'closed', message: 'Closed while it was being opened.' });
      }
      const table = this.store.add(
        new RequestTable({
          wire: wire.wire,
          clock,
          onLocalEnd: (body: EventBody, origin) => this.recorder(origin)(body),
        }),
      );
      this.store.add(wire.wire.onDidClose((failure) => this.closeEmitter.fire(failure)));
      this.store.add(wire.wire.onDidReceive((frame) => this.receiveEmitter.fire(frame)));
      this.opened = { engine, table };
      return this.opened;
    } catch (error) {
      await wire?.wire.close();
      return connectionFailure({ reason: 'unknown', message: messageOf(error) });
    }
  }

  /** Limits are for servers: a person who is asked for access gets longer. */
  private patient(authorizer: Authorizer | undefined): Authorizer | undefined {
    return authorizer === undefined
      ? undefined
      : {
          ...authorizer,
          callback: (signal) => {
            this.opened?.table.extend(PERSON_MS);
            return authorizer.callback(signal);
          },
        };
  }

  /** While a person answers what the server asks, the calls that it asks for wait with them. */
  private unhurried(handlers: ServerRequestHandlers | undefined): ServerRequestHandlers | undefined {
    const unhurried =
      (answer: ServerRequestHandler): ServerRequestHandler =>
      async (params, signal) => {
        this.questions += 1;
        this.opened?.table.extend(PERSON_MS);
        const answered = await answer(params, signal);
        this.questions -= 1;
        if (this.questions === 0) {
          this.opened?.table.resume();
        }
        return answered;
      };
    return handlers === undefined
      ? undefined
      : {
          ...(handlers.sampling === undefined ? {} : { sampling: unhurried(handlers.sampling) }),
          ...(handlers.elicitation === undefined ? {} : { elicitation: unhurried(handlers.elicitation) }),
        };
  }

  private async createWire(holdsRefusals: boolean): Promise<EngineWire> {
    const { session, definition, connection, sink, clock, wires } = this.options;
    const context = { session, server: definition.id, connection, origin: 'client' as const };
    const { transport } = definition;
    return transport.type === 'stdio'
      ? { type: 'stdio', wire: wires.stdio({ definition: transport, context, sink, clock }) }
      : {
          type: 'http',
          wire: await wires.http({ definition: transport, context, sink, clock, holdsRefusals }),
          definition: transport,
        };
  }
}

function withToken(params: JsonObject | undefined, token: string): JsonObject {
  const meta = memberOf(params, '_meta');
  return { ...params, _meta: { ...(isObject(meta) ? meta : {}), progressToken: token } };
}
