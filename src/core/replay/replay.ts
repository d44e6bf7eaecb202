import type { TextArgs } from '../../base/text.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { AttemptBody, ChainId, ServerId } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { ServerPool } from '../client/pool.ts';
import type { Progress } from '../client/requestTable.ts';
import type { ReplayPolicy } from '../resilience/policy.ts';
import { boundReplayPolicy } from './replayPolicy.ts';

export interface ReplayRequest {
  /** Key of the exchange to repeat; absent when that is of another log than the one that the replay is recorded in. */
  readonly key?: number | undefined;
  readonly server: ServerId;
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly policy: ReplayPolicy;
  /** A person has changed it. */
  readonly isEdited?: boolean | undefined;
}

export interface ReplayOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onAttempt?: ((attempt: AttemptBody) => void) | undefined;
}

/** Why a person must say yes first. `code` names a sentence in `protocol/texts.ts`. */
export interface ConfirmReason {
  readonly code: string;
  readonly args: TextArgs;
}

type Gate = Pick<ServerPool, 'idempotencyOf'>;

/** Why a person must be asked before a request is sent again; `undefined` when it is known to be safe. */
export function confirmReason(
  pool: Gate,
  { server, method, params }: Pick<ReplayRequest, 'server' | 'method' | 'params'>,
): ConfirmReason | undefined {
  const { isIdempotent, reason } = pool.idempotencyOf(server, method, params);
  if (isIdempotent) {
    return undefined;
  }
  const name = params?.['name'];
  return {
    code: reason.replace('notIdempotent.', 'replay.confirm.'),
    args: { server, target: method === 'tools/call' && typeof name === 'string' ? name : method },
  };
}

/**
 * Connects a server and waits until its tools have been read, since they say what is safe to repeat. A server that does
 * not come up is no failure here: the call will say so. Never rejects.
 */
export async function learnTools(
  pool: Pick<ServerPool, 'connect' | 'listed'>,
  server: ServerId,
  signal?: AbortSignal,
): Promise<void> {
  const learnt = pool.connect(server).then(async ({ kind }) => {
    if (kind === 'running') {
      await pool.listed(server);
    }
  });
  const aborted = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  await (signal?.aborted === true ? undefined : Promise.race([learnt, aborted]));
}

/**
 * Sends a recorded request again, through the same door as any call, so that its effects come back through the tap. A
 * request that is not known to be safe asks `confirm` first; a no is the outcome `cancelled` without an attempt. The yes
 * covers the attempts that the policy asks for. Never rejects.
 */
export async function replay(
  pool: Gate & Pick<ServerPool, 'call'>,
  request: ReplayRequest,
  confirm: (why: ConfirmReason) => Promise<boolean>,
  options: ReplayOptions = {},
): Promise<CallOutcome> {
  const { key, server, method, params, isEdited } = request;
  const why = confirmReason(pool, request);
  if (why !== undefined && !(await isYes(confirm, why))) {
    return unsent('replay.notConfirmed');
  }
  if (options.signal?.aborted === true) {
    return unsent('replay.cancelledUnsent');
  }
  return await pool.call(
    { server, method, params, origin: 'replay', replayOf: key, ...(isEdited === true ? { isEdited } : {}) },
    { ...options, policy: boundReplayPolicy(request.policy), isConfirmed: true },
  );
}

/** The outcome of a replay that a person stopped before its first attempt. */
function unsent(stopped: string): CallOutcome {
  return {
    kind: 'cancelled',
    detail: { signals: [], retry: 'never', end: { kind: 'cancelled', by: 'user' } },
    chain: '' as ChainId,
    attempts: [],
    stopped,
  };
}

/** A question that fails is not a yes. */
async function isYes(confirm: (why: ConfirmReason) => Promise<boolean>, why: ConfirmReason): Promise<boolean> {
  try {
    return await confirm(why);
  } catch {
    return false;
  }
}
