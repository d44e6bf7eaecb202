import type { JudgedRequest } from '../../protocol/call.ts';
import { isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { Signal, Verdict } from '../../protocol/outcome.ts';
import { get, getString, shorten } from './json.ts';
import { invalidResponse } from './judgeLocal.ts';
import { judgeToolResult } from './judgeToolResult.ts';
import { shapeProblem } from './resultShape.ts';

/** Judges a JSON-RPC result. `pointer` is where it lies in the raw answer. */
export function judgeResult(request: JudgedRequest, result: JsonValue, pointer: string): Verdict {
  if (!isObject(result)) {
    return invalidResponse('signal.invalid.notObject', pointer);
  }
  return byResultType(result, pointer) ?? byTask(request, result, pointer) ?? completeResult(request, result, pointer);
}

/** MCP 2026-07-28: an unknown `resultType` must be considered invalid; an absent one is `complete`. */
function byResultType(result: JsonObject, pointer: string): Verdict | undefined {
  const type = get(result, 'resultType');
  if (type === undefined || type === 'complete') {
    return undefined;
  }
  if (type === 'input_required') {
    const hasRound = isObject(get(result, 'inputRequests')) || getString(result, 'requestState') !== undefined;
    return hasRound ? inputRequired(pointer) : invalidResponse('signal.invalid.inputRequired', pointer);
  }
  if (type === 'task') {
    return taskState(isObject(get(result, 'task')) ? (get(result, 'task') as JsonObject) : result, pointer);
  }
  return invalidResponse('signal.invalid.resultType', `${pointer}/resultType`, {
    type: typeof type === 'string' ? shorten(type, 60) : typeof type,
  });
}

function inputRequired(pointer: string): Verdict {
  return {
    outcome: 'input_required',
    retry: 'after_fix',
    signals: [{ code: 'signal.input.rounds', strength: 'proof', pointer, args: {} }],
  };
}

/** Task handles: `{task:{…}}` of 2025-11-25, and the flat form that `tasks/get` answers with in both revisions. */
function byTask(request: JudgedRequest, result: JsonObject, pointer: string): Verdict | undefined {
  const task = get(result, 'task');
  if (request.method === 'tools/call' && isObject(task) && getString(task, 'taskId') !== undefined) {
    return taskState(task, `${pointer}/task`);
  }
  if (request.method !== 'tasks/get') {
    return undefined;
  }
  const inner = get(result, 'result');
  if (get(result, 'status') === 'completed' && isObject(inner)) {
    return judgeResult({ ...request, method: 'tools/call' }, inner, `${pointer}/result`);
  }
  return taskState(result, pointer);
}

/** What a task's state says of the request that answered with it. A cancelled task is told, not failed at. */
function taskState(task: JsonObject, pointer: string): Verdict {
  const status = get(task, 'status');
  const at = { strength: 'proof', pointer: `${pointer}/status` } as const;
  switch (status) {
    case 'working':
    case 'submitted':
    case 'queued':
      return {
        outcome: 'task_pending',
        retry: 'never',
        signals: [{ ...at, code: 'signal.task.working', args: { id: shorten(getString(task, 'taskId') ?? '', 60) } }],
      };
    case 'input_required':
      return {
        outcome: 'input_required',
        retry: 'after_fix',
        signals: [{ ...at, code: 'signal.task.input', args: {} }],
      };
    case 'failed': {
      const message = shorten(getString(task, 'statusMessage') ?? '');
      return {
        outcome: 'tool_error',
        retry: 'never',
        signals: [{ ...at, code: 'signal.task.failed', args: { message } }],
      };
    }
    case 'completed':
    case 'cancelled':
      return { outcome: 'success', retry: 'never', signals: [] };
    default:
      return invalidResponse('signal.invalid.taskStatus', pointer);
  }
}

function completeResult(request: JudgedRequest, result: JsonObject, pointer: string): Verdict {
  const problem = shapeProblem(request, result, pointer);
  if (problem !== undefined) {
    return invalidResponse(problem.code, problem.pointer, { member: problem.member, method: request.method });
  }
  if (request.method === 'tools/call' || request.method === 'tasks/result') {
    return judgeToolResult(request, result, pointer);
  }
  return { outcome: 'success', retry: 'never', signals: moreAvailable(result, pointer) };
}

/** A cursor that nobody has followed yet: told, and no fault. */
function moreAvailable(result: JsonObject, pointer: string): readonly Signal[] {
  return getString(result, 'nextCursor') === undefined
    ? []
    : [{ code: 'signal.more.cursor', strength: 'proof', pointer: `${pointer}/nextCursor`, args: {} }];
}
