import type { RawEnd } from '../../../protocol/call.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import { FAILURE_KINDS, type Verdict } from '../../../protocol/outcome.ts';
import { BoundedMap } from '../boundedMap.ts';
import type { ExchangeState } from '../exchangeState.ts';
import { get, getString, shorten } from '../json.ts';
import { stableHash } from './stableHash.ts';

type GroupKind = NonNullable<Exchange['group']>['kind'];

/** One logical operation while its members come in. */
export interface GroupRun {
  readonly kind: GroupKind;
  readonly head: ExchangeState;
  count: number;
  activeUs: number;
  /** Pages that came. */
  pages: number;
  /** The head's own verdict, while the walk's stands in its place. */
  ownVerdict?: Verdict | undefined;
}

/** A request's place in its group. */
export interface Membership {
  readonly run: GroupRun;
  readonly index: number;
  /** What of its duration is counted in the run already. */
  countedUs: number;
}

const OPEN = 1024;
const RESULTS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result']);
const WAITING: ReadonlySet<string> = new Set(['task_pending', 'input_required']);

/** Whether a request goes on from an answer on record: `unknown` when it says so and the answer is not there. */
export type Link = 'none' | 'linked' | 'unknown-state' | 'unknown-cursor';

/**
 * Joins requests that make up one operation: rounds by `requestState` (2026-07-28, multi round-trip requests), pages by
 * cursor (pagination), and requests about a task by its id. Bounded: what is oldest is no longer joined.
 */
export class Groups {
  private readonly states = new BoundedMap<string, ExchangeState>(OPEN);
  private readonly rounds = new BoundedMap<string, ExchangeState>(OPEN);
  private readonly pages = new BoundedMap<string, ExchangeState>(OPEN);
  private readonly tasks = new BoundedMap<string, GroupRun>(OPEN);

  /** Entries held, at most four times the limit of each kind. */
  get size(): number {
    return this.states.size + this.rounds.size + this.pages.size + this.tasks.size;
  }

  /** Joins a request that has just begun. `touch` is told of the head, which is one of several now. */
  begin(state: ExchangeState, touch: (state: ExchangeState) => void): Link {
    const params = state.params;
    if (params === undefined) {
      return 'none';
    }
    const requestState = getString(params, 'requestState');
    if (requestState !== undefined || isObject(get(params, 'inputResponses'))) {
      const before =
        requestState === undefined ? this.rounds.get(roundKey(state)) : this.states.get(brief(requestState));
      return before === undefined ? 'unknown-state' : follow(state, before, 'mrtr', touch);
    }
    const cursor = getString(params, 'cursor');
    if (cursor !== undefined) {
      const before = this.pages.get(pageKey(state, cursor));
      return before === undefined ? 'unknown-cursor' : follow(state, before, 'pagination', touch);
    }
    const run = state.method.startsWith('tasks/')
      ? this.tasks.get(brief(getString(params, 'taskId') ?? ''))
      : undefined;
    if (run === undefined) {
      return 'none';
    }
    join(state, run);
    return 'linked';
  }

  /** The request whose task a notification or a request is about. */
  taskOf(taskId: string): GroupRun | undefined {
    return this.tasks.get(brief(taskId));
  }

  /** Takes in the end of a request, again when it is settled anew. */
  end(state: ExchangeState, end: RawEnd, touch: (state: ExchangeState) => void): void {
    const { group } = state;
    if (group !== undefined && state.end !== undefined) {
      const tookUs = Math.max(0, state.end.us - state.startUs);
      group.run.activeUs += tookUs - group.countedUs;
      group.countedUs = tookUs;
      touch(group.run.head);
    }
    if (end.kind === 'result' && isObject(end.result)) {
      this.answered(state, end.result);
    }
    if (group?.run.kind === 'pagination') {
      turnPage(state, group.run);
    }
    if (group?.run.kind === 'task' && end.kind === 'result' && RESULTS.has(state.method)) {
      endTask(group.run, state.verdict, state.method);
    }
  }

  /** A task's state was told by a notification; `verdict` is what it says of the request that made the task. */
  told(run: GroupRun, verdict: Verdict, method: string): void {
    endTask(run, verdict, method);
  }

  private answered(state: ExchangeState, result: JsonObject): void {
    const cursor = getString(result, 'nextCursor');
    if (cursor !== undefined) {
      this.pages.set(pageKey(state, cursor), state);
    }
    if (get(result, 'resultType') === 'input_required') {
      const requestState = getString(result, 'requestState');
      if (requestState === undefined) {
        this.rounds.set(roundKey(state), state);
      } else {
        this.states.set(brief(requestState), state);
      }
    }
    const inner = get(result, 'task');
    const task = isObject(inner) ? inner : get(result, 'resultType') === 'task' ? result : undefined;
    const taskId = task === undefined || state.method.startsWith('tasks/') ? undefined : getString(task, 'taskId');
    if (taskId !== undefined && state.group === undefined) {
      state.taskId = taskId.slice(0, 200);
      this.tasks.set(brief(taskId), newRun('task', state));
    }
  }
}

function newRun(kind: GroupKind, head: ExchangeState): GroupRun {
  const tookUs = head.end === undefined ? 0 : Math.max(0, head.end.us - head.startUs);
  const run: GroupRun = { kind, head, count: 1, activeUs: tookUs, pages: 1 };
  head.group = { run, index: 0, countedUs: tookUs };
  return run;
}

function join(state: ExchangeState, run: GroupRun): void {
  state.group = { run, index: run.count, countedUs: 0 };
  run.count += 1;
}

function follow(
  state: ExchangeState,
  before: ExchangeState,
  kind: 'mrtr' | 'pagination',
  touch: (state: ExchangeState) => void,
): Link {
  const run = before.group?.run.kind === kind ? before.group.run : newRun(kind, before);
  join(state, run);
  if (kind === 'pagination') {
    // The next page is being asked for: there is no more that nobody has asked for.
    before.marks.delete('more_available');
    if (before.verdict !== undefined) {
      const signals = before.verdict.signals.filter(({ code }) => code !== 'signal.more.cursor');
      before.verdict = { ...before.verdict, signals };
    }
  }
  touch(before);
  touch(run.head);
  return 'linked';
}

/** A failed page makes the walk partial, a page that came after all makes it whole again. */
function turnPage(state: ExchangeState, run: GroupRun): void {
  const { head } = run;
  const isFailed = state.verdict !== undefined && FAILURE_KINDS.has(state.verdict.outcome);
  if (!isFailed) {
    run.pages = Math.max(run.pages, (state.group?.index ?? 0) + 1);
    if (run.ownVerdict !== undefined) {
      head.verdict = run.ownVerdict;
      run.ownVerdict = undefined;
    }
    return;
  }
  if (state === head || head.verdict === undefined) {
    return;
  }
  run.ownVerdict ??= head.verdict;
  head.verdict = {
    outcome: 'partial',
    retry: 'safe',
    signals: [{ code: 'signal.partial.walk', strength: 'proof', args: { pages: run.pages } }],
    partial: { done: run.pages, missing: [] },
  };
}

/** What became of the task became of the request that made it. */
function endTask(run: GroupRun, verdict: Verdict | undefined, method: string): void {
  const { head } = run;
  const isLastWord = method === 'tasks/result';
  const isOver = verdict !== undefined && !WAITING.has(verdict.outcome) && verdict.outcome !== 'protocol_error';
  if (!isOver || head.verdict === undefined || !(isLastWord || WAITING.has(head.verdict.outcome))) {
    return;
  }
  const args = { id: shorten(head.taskId ?? '', 60), by: method };
  // Pointers of the later message mean nothing in the one that answered the head.
  const others = verdict.signals.map(({ pointer: _, ...signal }) => signal);
  head.verdict = { ...verdict, signals: [...others, { code: 'signal.task.ended', strength: 'proof', args }] };
}

function pageKey({ connection, method }: ExchangeState, cursor: string): string {
  return `${connection} ${method} ${brief(cursor)}`;
}

function roundKey({ connection, method, target }: ExchangeState): string {
  return `${connection} ${method} ${target ?? ''}`;
}

/** Servers put whole encrypted states into these, and only equality matters here. */
function brief(text: string): string {
  return text.length <= 200 ? text : stableHash(text);
}
