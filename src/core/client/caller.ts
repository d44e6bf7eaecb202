import type { CallOutcome, JudgedRequest, RawEnd } from '../../protocol/call.ts';
import type { ToolPolicy } from '../../protocol/definition.ts';
import type { AttemptBody, ChainId, TransportFailure } from '../../protocol/events.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { Signal, Verdict } from '../../protocol/outcome.ts';
import { type Breaker, reachabilityOf } from '../resilience/breaker.ts';
import { correctionOf } from '../resilience/correction.ts';
import { type Idempotency, idempotencyOf, withIdempotencyKey } from '../resilience/idempotency.ts';
import { callKey, type LoopGuard } from '../resilience/loopGuard.ts';
import type { ReplayPolicy } from '../resilience/policy.ts';
import type { RetryBudget } from '../resilience/retryBudget.ts';
import { isSessionLoss } from '../resilience/retryDecision.ts';
import { type AttemptEnd, type LoopPolicy, runWithRetries } from '../resilience/retryLoop.ts';
import { createRecorder } from '../transport/recorder.ts';
import type { Connection } from './connection.ts';
import { asTask, canSpeak, withCapabilities } from './corrected.ts';
import { stringOf } from './json.ts';
import type { Launch } from './launch.ts';
import type { CallOptions, CallRequest, PoolOptions } from './pool.ts';
import type { Progress, RequestLimits } from './requestTable.ts';

/** A server with what is counted for it. */
export interface Member {
  readonly connection: Connection;
  readonly budget: RetryBudget;
  readonly breaker: Breaker;
  readonly loops: LoopGuard;
}

/** Goes on with a chain of attempts. */
export interface Continuation {
  readonly attempts: number;
  readonly reason: string;
}

/** How a call ended, and with which params it was sent last. */
export interface Called {
  readonly outcome: CallOutcome;
  readonly params: JsonObject | undefined;
}

/** Makes the calls to one server after another: the retry loop with everything that it asks. */
export class Caller {
  private readonly options: PoolOptions;
  private readonly newId: () => string;

  constructor(options: PoolOptions, newId: () => string) {
    this.options = options;
    this.newId = newId;
  }

  /** Calls, unless the same has failed too often; `going` goes on with a chain. */
  async call(
    member: Member,
    chain: ChainId,
    request: CallRequest,
    options: CallOptions,
    going?: Continuation,
  ): Promise<Called> {
    const isPersons = options.isConfirmed === true || going !== undefined;
    const keyOf = () => callKey(request.method, request.params);
    const isUnchecked = isPersons || member.loops.isIdle;
    const loop = isUnchecked ? undefined : member.loops.check(keyOf(), this.options.settings().loopLimit);
    if (loop !== undefined) {
      return { outcome: this.refuseLoop(member, chain, request, loop, options), params: request.params };
    }
    const called = await this.run(member, chain, request, options, going);
    member.loops.ended(keyOf, called.outcome);
    return called;
  }

  /** Whether a request may be sent twice, by what is known now. */
  idempotencyOf(
    connection: Connection | undefined,
    { server, method }: Pick<CallRequest, 'server' | 'method'>,
    params: JsonObject | undefined,
  ): Idempotency {
    const tool = toolOf(method, params);
    return idempotencyOf({
      method,
      policy: tool === undefined ? undefined : this.options.toolPolicy(server, tool),
      hints: tool === undefined ? undefined : connection?.knownTool(tool)?.hints,
      isTrusted: connection?.definition.isTrusted === true,
    });
  }

  /** Judges an end by what is known of the server and the tool. Never throws. */
  judge(
    connection: Connection | undefined,
    { method }: Pick<CallRequest, 'method'>,
    params: JsonObject | undefined,
    end: RawEnd,
  ): Verdict {
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

  /** The outcome of a call that came to no attempt. */
  unsent(chain: ChainId, request: CallRequest, failure: TransportFailure, stopped: string): CallOutcome {
    const end: RawEnd = { kind: 'transport', failure };
    const { outcome, retry, signals } = this.judge(undefined, request, request.params, end);
    return { kind: outcome, detail: { signals, retry, end }, chain, attempts: [], stopped };
  }

  private async run(
    { connection, budget, breaker }: Member,
    chain: ChainId,
    request: CallRequest,
    options: CallOptions,
    going: Continuation | undefined,
  ): Promise<Called> {
    const { clock, random, sink, session, toolPolicy } = this.options;
    const { server, method, origin } = request;
    const tool = toolOf(method, request.params);
    const userPolicy = tool === undefined ? undefined : toolPolicy(server, tool);
    let params = withIdempotencyKey(method, request.params, userPolicy, this.newId);
    const limits = method === 'subscriptions/listen' ? undefined : this.limitsFor(userPolicy, options.policy);
    const { callsSignal } = connection;
    const signal = options.signal === undefined ? callsSignal : AbortSignal.any([options.signal, callsSignal]);
    let launch: Launch | undefined;
    const tell = (body: AttemptBody) => {
      const context = { session, server, connection: launch?.connection ?? connection.id, origin };
      createRecorder({ context, sink, clock })(body);
      quietly(() => options.onAttempt?.(body));
    };

    const outcome = await runWithRetries({
      clock,
      random,
      chain,
      budget,
      signal,
      policy: this.loopPolicy(options),
      replayOf: request.replayOf,
      isEdited: request.isEdited,
      ...(going === undefined ? replayReason(request) : { earlierAttempts: going.attempts, firstReason: going.reason }),
      obstacle: () => (breaker.isOpen ? 'breaker.open' : undefined),
      prepare: async () => {
        const admission = breaker.admit();
        if (!admission.isAdmitted) {
          return unavailable(admission.retryInMs);
        }
        const ready = await connection.ready(signal);
        if ('end' in ready) {
          breaker.ended(reachabilityOf(ready.end), connection.id);
          return ready.end;
        }
        launch = ready.launch;
        return undefined;
      },
      attempt: async (number, token): Promise<AttemptEnd> => {
        if (launch === undefined) {
          return {
            end: { kind: 'transport', failure: { reason: 'closed', message: 'Not connected' } },
            wasSent: false,
          };
        }
        const onProgress = (progress: Progress) => quietly(() => options.onProgress?.(progress));
        const known = tool === undefined ? undefined : connection.knownTool(tool);
        params = asTask(params, known, connection.revision);
        const ended = await launch.request({
          method,
          params: withMeta(params, this.options.requestMeta?.(chain, number)),
          token,
          limits,
          signal,
          origin,
          onProgress,
          tool: known?.inputSchema === undefined ? undefined : { inputSchema: known.inputSchema },
        });
        breaker.ended(reachabilityOf(ended.end), incidentOf(ended.end, launch, token));
        if (isSessionLoss(ended.end)) {
          connection.lose(launch, { reason: 'session-lost', message: 'The server has forgotten the session.' });
        }
        return ended;
      },
      judge: (end) => this.judge(connection, request, params, end),
      correct: async (end) => {
        const corrected = await this.corrected(connection, launch, params, end, signal);
        params = corrected ?? params;
        return corrected !== undefined;
      },
      idempotency: async () => {
        if (tool !== undefined) {
          await connection.tool(tool, signal);
        }
        return this.idempotencyOf(connection, request, params);
      },
      emit: tell,
    });
    return { outcome, params };
  }

  /** Changes what a server of 2026-07-28 wants changed; gives the params to send then, `undefined` when it cannot be done. */
  private async corrected(
    connection: Connection,
    launch: Launch | undefined,
    params: JsonObject | undefined,
    end: RawEnd,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const correction = correctionOf(end);
    switch (correction?.kind) {
      case 'headers':
        await connection.refreshTools(signal);
        return params ?? {};
      case 'capabilities':
        return withCapabilities(params, correction.required, launch?.capabilities);
      case 'version':
        if (launch === undefined || !canSpeak(correction.supported, connection.revision)) {
          return undefined;
        }
        // What the server speaks has changed: it is asked anew.
        connection.forgetEra();
        connection.lose(launch, { reason: 'closed', message: 'The server speaks another protocol version now.' });
        return params ?? {};
      case undefined:
        return undefined;
    }
  }

  private refuseLoop(
    { connection }: Member,
    chain: ChainId,
    { server, origin, replayOf }: CallRequest,
    { count, last }: { readonly count: number; readonly last: CallOutcome },
    { onAttempt, policy }: CallOptions,
  ): CallOutcome {
    const { session, sink, clock, settings } = this.options;
    const body: AttemptBody = {
      kind: 'attempt',
      chain,
      number: 1,
      maxAttempts: policy?.maxAttempts ?? settings().maxAttempts,
      decision: 'refuse',
      reason: 'loop.refused',
      ...(replayOf === undefined ? {} : { replayOf }),
    };
    createRecorder({ context: { session, server, connection: connection.id, origin }, sink, clock })(body);
    quietly(() => onAttempt?.(body));
    const summary: Signal = {
      code: 'signal.loop.repeated',
      strength: 'proof',
      args: { count, outcome: last.kind },
    };
    return {
      kind: last.kind,
      detail: { ...last.detail, signals: [summary, ...last.detail.signals] },
      chain,
      attempts: [],
      stopped: 'loop.refused',
      stoppedArgs: { count },
    };
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
}

/** A replay says that it is one even where the row that it repeats is of another log. */
function replayReason({ origin, isEdited }: CallRequest): { readonly firstReason?: string } {
  return origin === 'replay' ? { firstReason: isEdited === true ? 'retry.replayEdited' : 'retry.replay' } : {};
}

/** The end of a wire ends every request on it; over HTTP each has its own fate. */
function incidentOf(end: RawEnd, launch: Launch, token: string): string {
  return end.kind === 'transport' && (end.failure.reason === 'exited' || launch.signal.aborted)
    ? launch.connection
    : token;
}

function unavailable(retryInMs: number): RawEnd {
  const when = retryInMs === 0 ? 'One call is being tried.' : `One call is let through in ${retryInMs} ms.`;
  const failure = {
    reason: 'unavailable',
    message: `It failed too often of late. ${when}`,
    retryAfterMs: retryInMs,
  } as const;
  return { kind: 'transport', failure };
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

/** Members of `_meta` that the call does not give itself. */
function withMeta(params: JsonObject | undefined, meta: JsonObject | undefined): JsonObject | undefined {
  const own = memberOf(params, '_meta');
  return meta === undefined ? params : { ...params, _meta: { ...meta, ...(isObject(own) ? own : {}) } };
}
