import type { Clock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { WireFactory, WireOptions } from '../../../../src/core/client/engine.ts';
import { type PoolOptions, ServerPool } from '../../../../src/core/client/pool.ts';
import * as sdkEngine from '../../../../src/core/client/sdkEngine.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../../../../src/core/resilience/policy.ts';
import { parseFrame } from '../../../../src/core/transport/envelope.ts';
import { createRecorder, type Recorder } from '../../../../src/core/transport/recorder.ts';
import type { Frame, HttpWire, StdioWire } from '../../../../src/core/transport/wire.ts';
import type { Judge, RawEnd } from '../../../../src/protocol/call.ts';
import type { ServerDefinition, StdioDefinition } from '../../../../src/protocol/definition.ts';
import type { EventBody, NewLogEvent, ServerId, SessionId, TransportFailure } from '../../../../src/protocol/events.ts';
import type { JsonObject, JsonRpcId, JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { FakeClock } from '../../support/fakeClock.ts';

export interface SentMessage {
  readonly id?: JsonRpcId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** Deals with a message and returns true, or leaves it to the well-behaved part. */
export type Script = (message: SentMessage, wire: FakeWire) => boolean;

/** A server in memory: it shakes hands, lists `tools`, and does to everything else what its script says. */
export class FakeWire implements StdioWire {
  readonly pid = 7;
  readonly sent: SentMessage[] = [];
  startFailure: TransportFailure | undefined;
  /** Gives the failure of a message that is not taken. */
  refuse: (message: SentMessage) => TransportFailure | undefined = () => undefined;
  isClosed = false;
  private readonly record: Recorder;
  private readonly clock: Clock;
  private readonly script: Script;
  private readonly tools: readonly JsonObject[];
  private readonly didSend = new Emitter<Frame>();
  private readonly didReceive = new Emitter<Frame>();
  private readonly didLose = new Emitter<{ readonly id: JsonRpcId; readonly failure: TransportFailure }>();
  private readonly didClose = new Emitter<TransportFailure>();
  readonly onDidSend = this.didSend.event;
  readonly onDidReceive = this.didReceive.event;
  readonly onDidLoseRequest = this.didLose.event;
  readonly onDidClose = this.didClose.event;

  constructor(options: WireOptions<StdioDefinition>, script: Script, tools: readonly JsonObject[]) {
    this.record = createRecorder(options);
    this.clock = options.clock;
    this.script = script;
    this.tools = tools;
  }

  async start(): Promise<TransportFailure | undefined> {
    return this.startFailure;
  }

  async send(text: string): Promise<TransportFailure | undefined> {
    const message = JSON.parse(text) as SentMessage;
    const failure = this.refuse(message);
    if (failure !== undefined) {
      return failure;
    }
    this.sent.push(message);
    this.didSend.fire(this.frame(text, 'sent'));
    queueMicrotask(() => this.answer(message));
    return undefined;
  }

  async close(): Promise<void> {
    this.exit({ reason: 'closed', message: 'closed' });
  }

  /** Something comes from the server: a message, or a text that may be none. */
  receive(message: JsonValue): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    if (!this.isClosed) {
      this.didReceive.fire(this.frame(text, 'received'));
    }
  }

  reply(message: SentMessage, result: JsonValue): void {
    this.receive({ jsonrpc: '2.0', id: message.id ?? null, result });
  }

  lose(id: JsonRpcId, failure: TransportFailure): void {
    this.didLose.fire({ id, failure });
  }

  exit(failure: TransportFailure): void {
    if (!this.isClosed) {
      this.isClosed = true;
      this.didClose.fire(failure);
    }
  }

  private answer(message: SentMessage): void {
    if (this.isClosed || this.script(message, this)) {
      return;
    }
    if (message.method === 'server/discover') {
      const error = { code: -32601, message: 'Method not found' };
      this.receive({ jsonrpc: '2.0', id: message.id ?? null, error });
    } else if (message.method === 'initialize') {
      this.reply(message, {
        protocolVersion: message.params?.['protocolVersion'] ?? '',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'fake', version: '1' },
      });
    } else if (message.method === 'tools/list') {
      this.reply(message, { tools: this.tools });
    }
  }

  private frame(raw: string, direction: 'sent' | 'received'): Frame {
    const { envelope, message } = parseFrame(raw);
    this.record({ kind: 'message', direction, raw, bytes: raw.length, envelope });
    return { raw, envelope, message, monoUs: this.clock.monoUs() };
  }
}

export interface World {
  readonly clock: FakeClock;
  readonly pool: ServerPool;
  readonly events: NewLogEvent[];
  /** Every wire that was opened, oldest first. */
  readonly wires: FakeWire[];
  bodies<K extends EventBody['kind']>(kind: K): Extract<EventBody, { kind: K }>[];
}

export interface WorldOptions {
  /** By server name. */
  readonly servers: Readonly<Record<string, Script>>;
  readonly tools?: readonly JsonObject[];
  readonly settings?: Partial<RetrySettings>;
  readonly isTrusted?: boolean;
  readonly prepareWire?: (wire: FakeWire, count: number) => void;
  readonly pool?: Partial<PoolOptions>;
}

const outcomes: Readonly<Record<RawEnd['kind'], OutcomeKind>> = {
  result: 'success',
  error: 'protocol_error',
  invalid: 'invalid_response',
  timeout: 'timeout',
  cancelled: 'cancelled',
  transport: 'transport_error',
};

/** Judges by the kind of end alone, and `isError`. */
const plainJudge: Judge = (_request, end) => ({
  outcome:
    end.kind === 'result' && (end.result as { isError?: boolean }).isError === true ? 'tool_error' : outcomes[end.kind],
  retry: 'never',
  signals: [],
});

export const idOf = (name: string) => `settings:${name}` as ServerId;

export function definitionOf(name: string, isTrusted = false): ServerDefinition {
  return {
    id: idOf(name),
    name,
    source: { kind: 'settings' },
    transport: { type: 'stdio', command: name, args: [], env: {} },
    isTrusted,
  };
}

/** A pool over servers in memory, on a clock that moves only when told. The engine is the real one. */
export function createWorld(options: WorldOptions): World {
  const clock = new FakeClock();
  const events: NewLogEvent[] = [];
  const wires: FakeWire[] = [];
  let ids = 0;
  const factory: WireFactory = {
    stdio: (wireOptions) => {
      const script = options.servers[wireOptions.definition.command] ?? (() => false);
      const wire = new FakeWire(wireOptions, script, options.tools ?? []);
      wires.push(wire);
      options.prepareWire?.(wire, wires.length);
      return wire;
    },
    http: (): Promise<HttpWire> => Promise.reject(new Error('not here')),
  };
  const pool = new ServerPool({
    clock,
    random: () => 0,
    judge: plainJudge,
    sink: { append: (event) => events.push(event) },
    session: 's' as SessionId,
    wires: factory,
    // Loaded beforehand: the clock does not wait for what takes real time.
    loadEngine: async () => sdkEngine,
    settings: () => ({ ...DEFAULT_RETRY_SETTINGS, ...options.settings }),
    toolPolicy: () => undefined,
    newId: () => {
      ids += 1;
      return `id${ids}`;
    },
    ...options.pool,
  });
  pool.setDefinitions(Object.keys(options.servers).map((name) => definitionOf(name, options.isTrusted)));
  const bodies = <K extends EventBody['kind']>(kind: K) =>
    events.map((event) => event.body).filter((body): body is Extract<EventBody, { kind: K }> => body.kind === kind);
  return { clock, pool, events, wires, bodies };
}
