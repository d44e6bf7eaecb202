import type { Clock } from '../../../base/clock.ts';
import type { CallOutcome } from '../../../protocol/call.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import { FAILURE_KINDS } from '../../../protocol/outcome.ts';
import { answerOf, type CaseResult, type CaseStatus, isFailure, judgeCase } from './caseResult.ts';
import type { Mismatch } from './matchers.ts';
import type { SuiteCase, SuiteFile, SuiteStep } from './suiteFile.ts';
import type { SuiteFailure, SuiteInstance } from './suiteInstance.ts';
import { fillValue, unfillValue } from './suiteVariables.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

export interface SuiteRun {
  readonly suite: SuiteFile;
  readonly clock: Clock;
  /** Makes ready a server of its own. Never rejects. */
  open(): Promise<SuiteInstance | SuiteFailure>;
  /** Ends the run: what is in flight is cancelled, no other case is sent, and what must be undone is undone. */
  readonly signal?: AbortSignal | undefined;
  /** Default: every case. */
  isChosen?(suiteCase: SuiteCase, index: number): boolean;
  /** How often all is run, each time with a server of its own; default once. */
  readonly repeat?: number | undefined;
  /** Stops at the first failure. */
  readonly isBailing?: boolean | undefined;
  onStart?(suiteCase: SuiteCase, index: number): void;
  onResult?(result: SuiteCaseResult): void;
}

/** A result, and what a case of it could be recorded from. */
export interface SuiteCaseResult extends CaseResult {
  /** The answer with variables in the place of what they stand for; absent when there was none. */
  readonly answer?: JsonValue;
}

export interface SuiteOutcome {
  /** In the order in which they were run; of a run that was ended, those that were begun. */
  readonly results: readonly SuiteCaseResult[];
  /** What must be undone could not be: these are failures too. */
  readonly problems: readonly SuiteFailure[];
  /** Cases that were chosen and not begun. */
  readonly notRun: number;
}

/** Runs the cases of a suite in their order, each after what comes before it has ended. Never rejects. */
export async function runSuite(run: SuiteRun): Promise<SuiteOutcome> {
  const chosen = run.suite.cases
    .map((suiteCase, index) => ({ suiteCase, index }))
    .filter(({ suiteCase, index }) => run.isChosen?.(suiteCase, index) !== false);
  const times = run.repeat ?? 1;
  const runner = new Runner(run);
  for (let repetition = 0; repetition < times && !runner.isOver; repetition += 1) {
    for (const { suiteCase, index } of chosen) {
      if (runner.isOver) {
        break;
      }
      await runner.run(suiteCase, index, repetition);
    }
    await runner.end();
  }
  const { results, problems } = runner;
  return { results, problems, notRun: chosen.length * times - results.length };
}

/** A server that is there, or why it is not: then no case of it is tried. */
type Current =
  | { readonly kind: 'ready'; readonly instance: SuiteInstance }
  | { readonly kind: 'failed'; readonly failure: SuiteFailure; readonly instance?: SuiteInstance };

class Runner {
  readonly results: SuiteCaseResult[] = [];
  readonly problems: SuiteFailure[] = [];
  private readonly options: SuiteRun;
  private current: Current | undefined;

  constructor(options: SuiteRun) {
    this.options = options;
  }

  get isOver(): boolean {
    const { signal, isBailing } = this.options;
    return signal?.aborted === true || (isBailing === true && this.results.some(isFailure));
  }

  async run(suiteCase: SuiteCase, index: number, repetition: number): Promise<void> {
    this.options.onStart?.(suiteCase, index);
    if (suiteCase.isFresh === true) {
      await this.end();
    }
    this.current ??= await this.begin();
    const result = await this.resultOf(this.current, { case: suiteCase, index, repetition, durationMs: 0 });
    this.results.push(result);
    this.options.onResult?.(result);
  }

  /** Undoes what must be undone and ends the server. */
  async end(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    if (current?.kind === 'ready') {
      for (const step of this.options.suite.teardown ?? []) {
        // What was cancelled must be undone all the same.
        const failure = await this.step(current.instance, step, undefined);
        if (failure !== undefined) {
          this.problems.push(failure);
        }
      }
    }
    await current?.instance?.close();
  }

  private async begin(): Promise<Current> {
    const opened = await this.options.open();
    if ('code' in opened) {
      return { kind: 'failed', failure: opened };
    }
    const failure = (await opened.ready()) ?? (await this.setUp(opened));
    return failure === undefined ? { kind: 'ready', instance: opened } : { kind: 'failed', failure, instance: opened };
  }

  private async setUp(instance: SuiteInstance): Promise<SuiteFailure | undefined> {
    for (const step of this.options.suite.setup ?? []) {
      const failure = await this.step(instance, step, this.options.signal);
      if (failure !== undefined) {
        return failure;
      }
    }
    return undefined;
  }

  private async step(
    instance: SuiteInstance,
    step: SuiteStep,
    signal: AbortSignal | undefined,
  ): Promise<SuiteFailure | undefined> {
    const filled = this.fill(instance, step);
    if ('code' in filled) {
      return filled;
    }
    const refusal = this.refusal(instance, filled);
    if (refusal !== undefined) {
      return { code: refusal, args: {} };
    }
    const outcome = await this.send(instance, filled, 1, signal);
    if (!FAILURE_KINDS.has(outcome.kind) && outcome.kind !== 'cancelled') {
      return undefined;
    }
    const { end } = outcome.detail;
    return {
      code: 'suite.setupFailed',
      args: { step: step.name ?? step.method, outcome: outcome.kind },
      ...(end.kind === 'transport' ? { cause: instance.causeOf(end.failure) } : {}),
    };
  }

  private async resultOf(current: Current, started: Omit<SuiteCaseResult, 'status'>): Promise<SuiteCaseResult> {
    if (current.kind === 'failed') {
      const { code, args, cause } = current.failure;
      return { ...started, status: { kind: 'error', code, args }, ...(cause === undefined ? {} : { cause }) };
    }
    const { instance } = current;
    const { clock, signal } = this.options;
    const filled = this.fill(instance, started.case);
    if ('code' in filled) {
      return { ...started, status: { kind: 'error', code: filled.code, args: filled.args } };
    }
    const refusal = this.refusal(instance, filled);
    if (refusal !== undefined) {
      return { ...started, status: { kind: 'refused', code: refusal, args: {} } };
    }
    // It may have ended in the case before: it is started once more, and not again and again.
    const gone = await instance.ready();
    if (gone !== undefined) {
      this.current = { kind: 'failed', failure: gone, instance };
      return this.resultOf(this.current, started);
    }
    const fromUs = clock.monoUs();
    const outcome = await this.send(instance, filled, filled.maxAttempts ?? 1, signal);
    const durationMs = (clock.monoUs() - fromUs) / 1000;
    const answer = answerOf(outcome.detail.end);
    const { end } = outcome.detail;
    const status: CaseStatus =
      signal?.aborted === true
        ? { kind: 'cancelled' }
        : withVariables(judgeCase(filled.expect, outcome, durationMs), instance.known);
    return {
      ...started,
      status,
      durationMs,
      outcome,
      ...(answer === undefined ? {} : { answer: unfillValue(answer, instance.known) }),
      ...(end.kind === 'transport' ? { cause: instance.causeOf(end.failure) } : {}),
    };
  }

  private fill<T extends SuiteStep>(instance: SuiteInstance, step: T): T | SuiteFailure {
    const unknown = new Set<string>();
    const filled = fillValue(step, instance.variables, unknown);
    return unknown.size === 0
      ? filled
      : { code: 'suite.noValue', args: { variables: [...unknown].map((name) => `\${${name}}`).join(', ') } };
  }

  /** The code of the sentence that says why a request is not sent, if it is not. */
  private refusal(instance: SuiteInstance, { method, params, isSafe }: SuiteStep): string | undefined {
    if (isSafe ?? instance.isSafe(method, params)) {
      return undefined;
    }
    if (instance.isShared) {
      return 'suite.refusedShared';
    }
    return this.options.suite.allowWrites === true ? undefined : 'suite.refused';
  }

  private send(
    instance: SuiteInstance,
    { method, params, timeoutMs }: SuiteStep,
    maxAttempts: number,
    signal: AbortSignal | undefined,
  ): Promise<CallOutcome> {
    const limitMs = timeoutMs ?? this.options.suite.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    return instance.call({ method, params, timeoutMs: limitMs, maxAttempts, signal });
  }
}

/** A status that can be shown: secrets that a server repeats are variables again. */
function withVariables(status: CaseStatus, known: ReadonlyMap<string, string>): CaseStatus {
  if (status.kind !== 'failed') {
    return status;
  }
  const plain = (value: JsonValue | undefined) => (value === undefined ? undefined : unfillValue(value, known));
  const mismatches = status.mismatches.map((mismatch): Mismatch => {
    const { expected, actual, ...rest } = mismatch;
    const [before, after] = [plain(expected), plain(actual)];
    return {
      ...rest,
      ...(before === undefined ? {} : { expected: before }),
      ...(after === undefined ? {} : { actual: after }),
    };
  });
  return { kind: 'failed', mismatches };
}
