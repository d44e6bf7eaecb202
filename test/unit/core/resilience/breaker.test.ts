import { describe, expect, it } from 'vitest';
import { Breaker, type Reachability, reachabilityOf } from '../../../../src/core/resilience/breaker.ts';
import type { RawEnd } from '../../../../src/protocol/call.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';

function create(breakerFailures = 3) {
  const settings = { breakerFailures, breakerOpenMs: 100, capMs: 300 };
  const clock = new FakeClock();
  const told: string[] = [];
  let incidents = 0;
  const breaker = new Breaker({
    clock,
    settings: () => settings,
    onDidChange: ({ state, retryInMs, failures }) => told.push([state, retryInMs, failures].join(' ').trim()),
  });
  const end = (reachability: Reachability) => {
    const admission = breaker.admit();
    if (admission.isAdmitted) {
      incidents += 1;
      breaker.ended(reachability, String(incidents));
    }
    return admission;
  };
  return { clock, breaker, told, end, settings };
}

describe('a breaker', () => {
  it('opens after failures in a row, says for how long, and refuses meanwhile', async () => {
    const { breaker, told, end, clock } = create();
    for (const reachability of ['failed', 'failed', 'reached', 'failed', 'failed'] as const) {
      expect(end(reachability)).toEqual({ isAdmitted: true });
    }
    expect(told).toEqual([]);
    end('failed');
    expect(told).toEqual(['open 100 3']);
    expect(breaker.admit()).toEqual({ isAdmitted: false, retryInMs: 100 });
    await clock.advance(60);
    expect(breaker.admit()).toEqual({ isAdmitted: false, retryInMs: 40 });
    expect(breaker.isOpen).toBe(true);
  });

  it('obeys a threshold that was changed meanwhile, with what it has counted', () => {
    const { told, end, settings } = create(5);
    end('failed');
    end('failed');
    settings.breakerFailures = 3;
    end('failed');
    expect(told).toEqual(['open 100 3']);
  });

  it('lets one through when its time has come, and closes when that reaches the server', async () => {
    const { breaker, told, end, clock } = create(1);
    end('failed');
    await clock.advance(100);
    expect(breaker.isOpen).toBe(false);
    expect(breaker.admit()).toEqual({ isAdmitted: true });
    expect(breaker.admit()).toEqual({ isAdmitted: false, retryInMs: 0 });
    breaker.ended('reached', 'probe');
    expect(breaker.admit()).toEqual({ isAdmitted: true });
    expect(told).toEqual(['open 100 1', 'half-open', 'closed']);
  });

  it('opens for longer each time that the one fails too, up to the cap', async () => {
    const { told, end, clock } = create(1);
    end('failed');
    for (const ms of [100, 200, 300]) {
      await clock.advance(ms);
      end('failed');
    }
    expect(told.filter((text) => text.startsWith('open'))).toEqual([
      'open 100 1',
      'open 200 1',
      'open 300 1',
      'open 300 1',
    ]);
  });

  it('leaves it to the next when the one tells nothing', async () => {
    const { breaker, end, clock } = create(1);
    end('failed');
    await clock.advance(100);
    end('unknown');
    expect(breaker.admit()).toEqual({ isAdmitted: true });
  });

  it('counts one incident once, however many calls it ended', () => {
    const { breaker, told } = create(2);
    for (let calls = 0; calls < 5; calls += 1) {
      breaker.ended('failed', 'the process died');
    }
    expect(told).toEqual([]);
    breaker.ended('failed', 'again');
    expect(told).toEqual(['open 100 2']);
  });

  it('never opens where that is turned off, and closes when somebody takes the server in hand', () => {
    const off = create(0);
    for (let calls = 0; calls < 20; calls += 1) {
      off.end('failed');
    }
    expect(off.told).toEqual([]);
    const { breaker, told, end } = create(1);
    end('failed');
    breaker.reset();
    expect(breaker.admit()).toEqual({ isAdmitted: true });
    expect(told).toEqual(['open 100 1', 'closed']);
  });
});

describe('what an end says of the server', () => {
  const failure = (reason: TransportFailure['reason'], status?: number): RawEnd => ({
    kind: 'transport',
    failure: { reason, message: '', ...(status === undefined ? {} : { status }) },
  });
  const error = (httpStatus?: number): RawEnd => ({
    kind: 'error',
    error: { code: -32603, message: '' },
    raw: '',
    ...(httpStatus === undefined ? {} : { httpStatus }),
  });
  it.each<[string, RawEnd, Reachability]>([
    ['a result', { kind: 'result', result: {}, raw: '' }, 'reached'],
    ['an error', error(), 'reached'],
    ['an error in a 503', error(503), 'failed'],
    ['nonsense', { kind: 'invalid', raw: '', problem: '' }, 'reached'],
    ['a timeout', { kind: 'timeout', limit: 'idle', afterMs: 1, progressSeen: false }, 'unknown'],
    ['a timeout after progress', { kind: 'timeout', limit: 'total', afterMs: 1, progressSeen: true }, 'reached'],
    ['a cancel', { kind: 'cancelled', by: 'user' }, 'unknown'],
    ['an exit', failure('exited'), 'failed'],
    ['nobody there', failure('refused'), 'failed'],
    ['a reset', failure('reset'), 'failed'],
    ['404', failure('http-status', 404), 'reached'],
    ['429', failure('http-status', 429), 'reached'],
    ['502', failure('http-status', 502), 'failed'],
    ['401', failure('unauthorized', 401), 'reached'],
    ['a forgotten session', failure('session-lost', 404), 'reached'],
    ['our own closing', failure('closed'), 'unknown'],
    ['our own refusal', failure('unavailable'), 'unknown'],
  ])('%s', (_name, end, expected) => {
    expect(reachabilityOf(end)).toBe(expected);
  });
});
