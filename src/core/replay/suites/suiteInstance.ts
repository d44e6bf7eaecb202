import type { TextArgs } from '../../../base/text.ts';
import type { CallOutcome } from '../../../protocol/call.ts';
import type { ServerDefinition } from '../../../protocol/definition.ts';
import type { ConnectionId, LogEvent, TransportFailure } from '../../../protocol/events.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import { type Diagnosis, diagnose } from '../../client/diagnosis/diagnose.ts';
import { startFacts } from '../../client/diagnosis/startFacts.ts';
import type { ServerPool } from '../../client/pool.ts';
import { DEFAULT_REPLAY_POLICY, DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../../resilience/policy.ts';
import type { SuiteVariables } from './suiteVariables.ts';

/** Why there is no server to send to. `code` names a sentence in `protocol/texts.ts`. */
export interface SuiteFailure {
  readonly code: string;
  readonly args: TextArgs;
  readonly cause?: Diagnosis;
}

export interface SuiteCall {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly signal: AbortSignal | undefined;
}

/** A server that was started for a run, and that nobody else uses unless it is shared. */
export interface SuiteInstance {
  /** It was there before the run, which therefore must not change anything in it. */
  readonly isShared: boolean;
  readonly variables: SuiteVariables;
  /** What variables stand for here, by name: what is written into a file or shown has the variables instead. */
  readonly known: ReadonlyMap<string, string>;
  /** Connects unless it is connected; tells why it is not there. Never rejects. */
  ready(): Promise<SuiteFailure | undefined>;
  /** Whether a request changes nothing, by what the server says where it is believed. */
  isSafe(method: string, params: JsonObject | undefined): boolean;
  /** Never rejects. */
  call(call: SuiteCall): Promise<CallOutcome>;
  /** Why there was no answer. */
  causeOf(failure: TransportFailure): Diagnosis;
  /** Ends the server; resolves when it and all that was made for it are gone. */
  close(): Promise<void>;
}

/**
 * Settings of the client of a run. What guards a person's servers from an agent would only hide how a case ends: the loop
 * guard, the breaker and the retry budget are off.
 */
export class SuiteSettings {
  private timeoutMs = DEFAULT_RETRY_SETTINGS.timeoutMs;

  /** Given to the pool, which asks at every call. */
  readonly current = (): RetrySettings => ({
    ...DEFAULT_RETRY_SETTINGS,
    baseMs: 100,
    loopLimit: 0,
    breakerFailures: 0,
    retriesPerMinute: 10_000,
    totalTimeoutMs: this.timeoutMs,
  });

  /** The limit of an attempt of the next call, whether there is progress or not. */
  limit(timeoutMs: number): void {
    this.timeoutMs = timeoutMs;
  }
}

export interface InstanceParts {
  readonly pool: ServerPool;
  readonly settings: SuiteSettings;
  /** Ready to be started. */
  readonly definition: ServerDefinition;
  readonly variables: SuiteVariables;
  readonly known: ReadonlyMap<string, string>;
  /** What was recorded of a connection, oldest first. */
  readonly events: (connection: ConnectionId) => Iterable<LogEvent>;
  /** Ends the pool's servers and what else was made. */
  readonly close: () => Promise<void>;
}

/** An instance over a pool of its own. */
export function createInstance(parts: InstanceParts): SuiteInstance {
  const { pool, settings, definition, variables, known, events, close } = parts;
  const causeOf = (failure: TransportFailure): Diagnosis => {
    const connection = pool.connections.get(definition.id);
    const failed = connection?.state.kind === 'failed' ? connection.state.failure : failure;
    return diagnose(startFacts(failed, connection === undefined ? [] : events(connection.id), definition.transport));
  };
  return {
    isShared: definition.transport.type === 'http',
    variables,
    known,
    causeOf,
    close,
    async ready() {
      const state = await pool.connect(definition.id);
      if (state.kind === 'failed') {
        return { code: 'suite.notStarted', args: {}, cause: causeOf(state.failure.failure) };
      }
      if (state.kind !== 'running') {
        return { code: 'suite.notStarted', args: {} };
      }
      // What tools say of themselves decides what may be sent.
      await pool.listed(definition.id);
      return undefined;
    },
    isSafe: (method, params) => pool.idempotencyOf(definition.id, method, params).isIdempotent,
    call({ method, params, timeoutMs, maxAttempts, signal }) {
      settings.limit(timeoutMs);
      const policy = { ...DEFAULT_REPLAY_POLICY, baseMs: 100, maxAttempts, timeoutMs };
      return pool.call(
        { server: definition.id, method, params, origin: 'client' },
        { signal, policy, isConfirmed: true },
      );
    },
  };
}
