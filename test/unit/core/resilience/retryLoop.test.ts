import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_SETTINGS } from '../../../../src/core/resilience/policy.ts';
import { RetryBudget } from '../../../../src/core/resilience/retryBudget.ts';
import { type AttemptEnd, type LoopOptions, runWithRetries } from '../../../../src/core/resilience/retryLoop.ts';
import type { CallOutcome, RawEnd } from '../../../../src/protocol/call.ts';
import type { AttemptBody, ChainId } from '../../../../src/protocol/events.ts';
import type { OutcomeKind, Verdict } from '../../../../src/protocol/outcome.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const outcomeOf: Record<RawEnd['kind'], OutcomeKind> = {
  result: 'success',
  error: 'protocol_error',
  invalid: 'invalid_response',
  timeout: 'timeout',
  cancelled: 'cancelled',
  transport: 'transport_error',
};

const ok: RawEnd = { kind: 'result', result: {}, raw: '{}' };
const timeout: RawEnd = { kind: 'timeout', limit: 'idle', afterMs: 9, progressSeen: false };
const busy = (retryAfterMs: number): RawEnd => ({
  kind: 'transport',
  failure: { reason: 'http-status', message: '429', status: 429, retryAfterMs },
});

interface Run {
  readonly clock: FakeClock;
  readonly events: AttemptBody[];
  readonly controller: AbortController;
  readonly outcome: Promise<CallOutcome>;
}

/** Runs the loop over ends that come in turn, the last one again and again. */
function run(ends: readonly RawEnd[], more: Partial<LoopOptions> = {}): Run {
  const clock = new FakeClock();
  const events: AttemptBody[] = [];
  const controller = new AbortController();
  const outcome = runWithRetries({
    clock,
    random: () => 0,
    chain: 'c' as ChainId,
    policy: DEFAULT_RETRY_SETTINGS,
    budget: new RetryBudget(clock, () => 30),
    signal: controller.signal,
    prepare: async () => undefined,
    attempt: async (number): Promise<AttemptEnd> => ({
      end: ends[Math.min(number, ends.length) - 1] ?? ok,
      wasSent: true,
    }),
    judge: (end): Verdict => ({ outcome: outcomeOf[end.kind], retry: 'never', signals: [] }),
    idempotency: async () => ({ isIdempotent: true, reason: 'idempotent.method' }),
    emit: (body) => events.push(body),
    ...more,
  });
  return { clock, events, controller, outcome };
}

const told = (events: readonly AttemptBody[]) =>
  events.map(({ number, decision, reason, delayMs }) => `${number} ${decision} ${delayMs ?? '-'} ${reason}`);

describe('runWithRetries', () => {
  it('sends once when it is answered', async () => {
    const { outcome, events } = run([ok]);
    expect(await outcome).toEqual({
      kind: 'success',
      detail: { signals: [], retry: 'never', end: ok },
      chain: 'c',
      attempts: [{ number: 1, outcome: 'success', retry: 'never', durationMs: 0, delayMs: 0, reason: 'retry.first' }],
      stopped: 'retry.answered',
    });
    expect(events).toEqual([
      {
        kind: 'attempt',
        chain: 'c',
        number: 1,
        maxAttempts: 3,
        decision: 'send',
        reason: 'retry.first',
        token: 'c.1',
        delayMs: 0,
      },
    ]);
  });

  it('records each attempt, wait and refusal of three timeouts', async () => {
    const { clock, outcome, events } = run([timeout]);
    await clock.advance(10_000);
    expect((await outcome).stopped).toBe('retry.attemptsUsed');
    expect(told(events)).toEqual([
      '1 send 0 retry.first',
      '2 wait 1000 retry.timeout',
      '2 send 1000 retry.timeout',
      '3 wait 2000 retry.timeout',
      '3 send 2000 retry.timeout',
      '3 give-up - retry.attemptsUsed',
    ]);
    expect((await outcome).attempts.map((attempt) => attempt.delayMs)).toEqual([0, 1000, 2000]);
  });

  it("waits as long as the server asked, and no shorter for the backoff's sake", async () => {
    const { clock, outcome, events } = run([busy(5000), timeout, ok]);
    await clock.advance(4999);
    expect(told(events)).toEqual(['1 send 0 retry.first', '2 wait 5000 retry.retryAfter']);
    await clock.advance(2000);
    expect(told(events).slice(2)).toEqual([
      '2 send 5000 retry.retryAfter',
      '3 wait 1000 retry.timeout',
      '3 send 1000 retry.timeout',
    ]);
    expect((await outcome).kind).toBe('success');
  });

  it('obeys a cancel at once while it waits', async () => {
    const { clock, controller, outcome, events } = run([timeout]);
    await clock.advance(1);
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'timeout', stopped: 'retry.cancelled' });
    expect({ timers: clock.pendingMs(), events: told(events) }).toEqual({
      timers: [],
      events: ['1 send 0 retry.first', '2 wait 1000 retry.timeout', '2 cancel - retry.cancelled'],
    });
  });

  it('sends nothing while there is nothing to send over', async () => {
    const refused: RawEnd = { kind: 'transport', failure: { reason: 'refused', message: 'no' } };
    const { outcome, events } = run([ok], { prepare: async () => refused });
    expect((await outcome).kind).toBe('transport_error');
    expect(told(events)).toEqual(['1 refuse - retry.neverExecuted']);
  });

  it('stops when the retries of the minute are used, and has them back later', async () => {
    const clock = new FakeClock();
    const budget = new RetryBudget(clock, () => 1);
    const first = run([timeout, ok], { clock, budget });
    await clock.advance(1000);
    expect((await first.outcome).kind).toBe('success');
    const second = run([timeout, ok], { clock, budget });
    expect((await second.outcome).stopped).toBe('retry.budgetUsed');
    await clock.advance(60_000);
    const third = run([timeout, ok], { clock, budget });
    await clock.advance(1000);
    expect((await third.outcome).kind).toBe('success');
  });

  it('says which exchange a replay repeats', async () => {
    const { outcome, events } = run([ok], { replayOf: 41 });
    await outcome;
    expect(events).toMatchObject([{ decision: 'send', reason: 'retry.replay', replayOf: 41 }]);
  });

  it('asks for idempotency only when it matters', async () => {
    let asked = 0;
    const idempotency = async () => {
      asked += 1;
      return { isIdempotent: false, reason: 'notIdempotent.unknown' } as const;
    };
    await run([ok], { idempotency }).outcome;
    expect(asked).toBe(0);
    expect((await run([timeout], { idempotency }).outcome).stopped).toBe('notIdempotent.unknown');
    expect(asked).toBe(1);
  });
});

describe('the sentences of the loop', () => {
  it('exist for every reason in its sources', async () => {
    const { readFile } = await import('node:fs/promises');
    const folder = `${import.meta.dirname}/../../../../src/core/`;
    const files = ['resilience/retryDecision.ts', 'resilience/retryLoop.ts', 'resilience/idempotency.ts'];
    const sources = await Promise.all(files.map((file) => readFile(folder + file, 'utf8')));
    const codes = sources.flatMap((source) => source.match(/(?<=')(retry|idempotent|notIdempotent)\.\w+(?=')/g) ?? []);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => TEXTS[code] === undefined)).toEqual([]);
  });
});
