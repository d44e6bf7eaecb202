import type { CallOutcome } from '../../protocol/call.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { Root } from './engine.ts';
import { stringOf } from './json.ts';
import type { CallOptions, ServerPool } from './pool.ts';
import type { ServerRequestHandlers } from './serverRequests.ts';

export interface RoundsOptions {
  readonly handlers: ServerRequestHandlers;
  readonly roots: () => readonly Root[];
  readonly options: CallOptions & { readonly signal: AbortSignal };
}

/** A server that never has enough must not ask for ever. */
const MAX_ROUNDS = 20;

/**
 * Brings a call to its end for a person: answers what it asks for by the handlers, round by round (2026-07-28, "Multi
 * Round-Trip Requests"), and follows its task. Ends with the outcome as it is where nobody answers a request: an answer that
 * leaves it out is none. Never rejects.
 */
export async function answerRounds(
  pool: Pick<ServerPool, 'continueCall' | 'pollTask'>,
  begun: CallOutcome,
  { handlers, roots, options }: RoundsOptions,
): Promise<CallOutcome> {
  let outcome = begun;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (outcome.kind === 'task_pending') {
      outcome = await pool.pollTask(outcome, { signal: options.signal });
    }
    const { end } = outcome.detail;
    if (outcome.kind !== 'input_required' || end.kind !== 'result' || options.signal.aborted) {
      break;
    }
    const responses = await answerAll(memberOf(end.result, 'inputRequests'), handlers, roots, options.signal);
    if (responses === undefined || options.signal.aborted) {
      break;
    }
    outcome = await pool.continueCall(outcome, responses, options);
  }
  return outcome;
}

/** The answer to each request by its key, one after the other; `undefined` as soon as there is none to one of them. */
async function answerAll(
  requests: JsonValue | undefined,
  handlers: ServerRequestHandlers,
  roots: () => readonly Root[],
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const answers: [string, JsonObject][] = [];
  for (const [key, request] of Object.entries(isObject(requests) ? requests : {})) {
    const answer = await answerOne(request, handlers, roots, signal);
    if (answer === undefined) {
      return undefined;
    }
    answers.push([key, answer]);
  }
  return Object.fromEntries(answers);
}

async function answerOne(
  request: JsonValue | undefined,
  { sampling, elicitation }: ServerRequestHandlers,
  roots: () => readonly Root[],
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const params = memberOf(request, 'params');
  const given = isObject(params) ? params : {};
  switch (stringOf(request, 'method')) {
    case 'roots/list':
      return { roots: roots().map((root) => ({ ...root })) };
    case 'sampling/createMessage':
      return resultOf(await sampling?.(given, signal));
    case 'elicitation/create':
      return resultOf(await elicitation?.(given, signal));
    default:
      return undefined;
  }
}

function resultOf(answer: Awaited<ReturnType<NonNullable<ServerRequestHandlers['sampling']>>> | undefined) {
  return answer?.kind === 'result' ? answer.result : undefined;
}
