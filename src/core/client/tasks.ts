import type { Clock } from '../../base/clock.ts';
import type { CallOutcome, RawEnd } from '../../protocol/call.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { Verdict } from '../../protocol/outcome.ts';
import { errorOf, numberOf, stringOf } from './json.ts';

/** A task as its server told of it last. */
export interface TaskState {
  readonly id: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`; whatever the server says, though. */
  readonly status: string;
  readonly message?: string;
}

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onStatus?: ((state: TaskState) => void) | undefined;
}

export interface TaskFollowing {
  readonly clock: Clock;
  ask(method: 'tasks/get' | 'tasks/result', params: JsonObject): Promise<CallOutcome>;
  /** As the call that began the task. */
  judge(end: RawEnd): Verdict;
  readonly options: TaskOptions;
}

const DEFAULT_POLL_MS = 1_000;
const MIN_POLL_MS = 100;
const MAX_POLL_MS = 60_000;

/**
 * Asks for a task until it is done. In the extension of 2026-07-28 the task itself carries the result then; in 2025-11-25 it
 * has to be fetched. What ends the asking without a result is the outcome of that asking.
 */
export async function followTask(outcome: CallOutcome, following: TaskFollowing): Promise<CallOutcome> {
  const { clock, options } = following;
  const begun = outcome.detail.end.kind === 'result' ? outcome.detail.end.result : undefined;
  const isExtension = stringOf(begun, 'resultType') === 'task';
  let task = taskOf(begun);
  for (;;) {
    const id = stringOf(task, 'taskId');
    if (id === undefined) {
      return outcome;
    }
    tell(options, id, task);
    const pollMs = numberOf(task, 'pollIntervalMs') ?? numberOf(task, 'pollInterval') ?? DEFAULT_POLL_MS;
    await clock.sleep(Math.min(Math.max(pollMs, MIN_POLL_MS), MAX_POLL_MS), options.signal);
    const polled = await following.ask('tasks/get', { taskId: id });
    const { end } = polled.detail;
    if (end.kind !== 'result') {
      return polled;
    }
    task = taskOf(end.result);
    const status = stringOf(task, 'status');
    if (status === 'working') {
      continue;
    }
    tell(options, id, task);
    if (!isExtension && (status === 'completed' || status === 'failed')) {
      return judged(await following.ask('tasks/result', { taskId: id }), following);
    }
    const inner = innerEnd(task, end.raw);
    return inner === undefined ? polled : judged({ ...polled, detail: { ...polled.detail, end: inner } }, following);
  }
}

/** `{task:{…}}` of 2025-11-25, or the flat form. */
function taskOf(result: JsonValue | undefined): JsonObject | undefined {
  const task = memberOf(result, 'task');
  return isObject(task) ? task : isObject(result) ? result : undefined;
}

function innerEnd(task: JsonObject | undefined, raw: string): RawEnd | undefined {
  const result = memberOf(task, 'result');
  if (result !== undefined) {
    return { kind: 'result', result, raw };
  }
  const error = memberOf(task, 'error');
  return error === undefined ? undefined : { kind: 'error', error: errorOf(error), raw };
}

function judged(outcome: CallOutcome, { judge }: TaskFollowing): CallOutcome {
  const { end } = outcome.detail;
  const { outcome: kind, signals, retry, partial } = judge(end);
  return {
    ...outcome,
    kind,
    detail: { signals, retry, end, ...(partial === undefined ? {} : { partial }) },
  };
}

function tell({ onStatus }: TaskOptions, id: string, task: JsonObject | undefined): void {
  const message = stringOf(task, 'statusMessage');
  try {
    onStatus?.({ id, status: stringOf(task, 'status') ?? '', ...(message === undefined ? {} : { message }) });
  } catch {
    // A listener's fault is not the task's.
  }
}
