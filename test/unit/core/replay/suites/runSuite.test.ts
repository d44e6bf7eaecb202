// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of suites are written so
import { describe, expect, it } from 'vitest';
import { runSuite, type SuiteRun } from '../../../../../src/core/replay/suites/runSuite.ts';
import type { SuiteFile } from '../../../../../src/core/replay/suites/suiteFile.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { type FakeOptions, fakeServers, gone, outcomeOf, suiteOf, textEnd } from './scene.ts';

const call = (name: string, more: object = {}) => ({
  name,
  method: 'tools/call',
  params: { name },
  expect: { outcome: 'success' },
  ...more,
});

async function ran(suite: SuiteFile, options: FakeOptions = {}, more: Partial<SuiteRun> = {}) {
  const servers = fakeServers(options);
  const outcome = await runSuite({ suite, clock: new FakeClock(), open: servers.open, ...more });
  return {
    log: servers.log,
    statuses: outcome.results.map(
      ({ case: { name }, status }) => `${name} ${status.kind}${'code' in status ? ` ${status.code}` : ''}`,
    ),
    ...outcome,
  };
}

describe('a run of a suite', () => {
  it('starts a server, sets up, runs the cases in order, undoes and ends it', async () => {
    const suite = suiteOf({
      timeoutMs: 500,
      setup: [{ method: 'ping' }],
      cases: [call('a'), call('b', { maxAttempts: 3, timeoutMs: 900 })],
      teardown: [{ method: 'ping', params: { last: true } }],
    });
    const { log, statuses } = await ran(suite);
    expect(statuses).toEqual(['a passed', 'b passed']);
    expect(log).toEqual([
      'server 1 opened',
      'server 1 ping {} 1x 500',
      'server 1 tools/call {"name":"a"} 1x 500',
      'server 1 tools/call {"name":"b"} 3x 900',
      'server 1 ping {"last":true} 1x 500',
      'server 1 closed',
    ]);
  });

  it('gives a case that wants it, and each repetition, a server of its own', async () => {
    const { log } = await ran(suiteOf({ cases: [call('a'), call('b', { isFresh: true })] }), {}, { repeat: 2 });
    expect(log.filter((line) => !line.includes('tools/call'))).toEqual(
      [1, 2, 3, 4].flatMap((number) => [`server ${number} opened`, `server ${number} closed`]),
    );
  });

  it.each([
    ['nothing that may change something', {}, {}, 'a refused suite.refused'],
    ['it where the suite says so', { allowWrites: true }, {}, 'a passed'],
    ['what the case says is safe', {}, { isSafe: true }, 'a passed'],
    [
      'not what the case says is unsafe, whatever the server says',
      {},
      { isSafe: false, method: 'ping' },
      'a refused suite.refused',
    ],
    ['safe methods', {}, { method: 'ping' }, 'a passed'],
  ])('sends %s', async (_, suite, more, expected) => {
    const { statuses, log } = await ran(suiteOf({ ...suite, cases: [call('a', more)] }), { safe: ['ping'] });
    expect(statuses).toEqual([expected]);
    expect(log.some((line) => line.includes(' 1x '))).toBe(expected === 'a passed');
  });

  it('changes nothing in a server that it has not started, whatever the suite says', async () => {
    const suite = suiteOf({ allowWrites: true, cases: [call('a')] });
    expect((await ran(suite, { isShared: true, safe: [] })).statuses).toEqual(['a refused suite.refusedShared']);
  });

  it('fills variables in, and puts them back into what is shown and recorded', async () => {
    const suite = suiteOf({
      cases: [
        {
          ...call('a'),
          params: { key: '${secret:k}', literal: '$${secret:k}' },
          expect: { outcome: 'success', matches: [{ contains: '${tempFolder}/x' }] },
        },
      ],
    });
    const values = { 'secret:k': 'hunter2000', tempFolder: '/tmp/run-1' };
    const { log, results } = await ran(suite, {
      values,
      answer: () => outcomeOf('success', textEnd('hunter2000 at /tmp/run-1/y')),
    });
    expect(log[1]).toContain('{"key":"hunter2000","literal":"${secret:k}"}');
    const [result] = results;
    expect(result?.answer).toEqual({ content: [{ type: 'text', text: '${secret:k} at ${tempFolder}/y' }] });
    expect(result?.status.kind === 'failed' && result.status.mismatches).toMatchObject([
      { expected: '${tempFolder}/x', actual: '${secret:k} at ${tempFolder}/y' },
    ]);
  });

  it('says what nothing is known for', async () => {
    const { results } = await ran(suiteOf({ cases: [{ ...call('a'), params: { a: '${env:NOT_THERE}' } }] }));
    expect(results[0]?.status).toEqual({
      kind: 'error',
      code: 'suite.noValue',
      args: { variables: '${env:NOT_THERE}' },
    });
  });

  it('fails every case with the cause when the server does not come up, and asks it once', async () => {
    const failure = { code: 'suite.notStarted', args: {}, cause: { code: 'start.noNode', remedy: 'r', args: {} } };
    const { statuses, results, log } = await ran(suiteOf({ cases: [call('a'), call('b')] }), { notReady: [failure] });
    expect(statuses).toEqual(['a error suite.notStarted', 'b error suite.notStarted']);
    expect(results.map(({ cause }) => cause?.code)).toEqual(['start.noNode', 'start.noNode']);
    expect(log).toEqual(['server 1 opened', 'server 1 closed']);
  });

  it('goes on after a server that died, and gives up on one that does not come back', async () => {
    const failure = { code: 'suite.notStarted', args: {} };
    const { statuses, results } = await ran(suiteOf({ cases: [call('a'), call('b'), call('c'), call('d')] }), {
      notReady: [undefined, undefined, undefined, failure],
      answer: () => outcomeOf('transport_error', gone),
    });
    expect(statuses).toEqual(['a failed', 'b failed', 'c error suite.notStarted', 'd error suite.notStarted']);
    expect(results[0]?.cause?.code).toBe('cause.exited');
  });

  it('tells a failed step before and after the cases', async () => {
    const broken = suiteOf({ setup: [{ name: 'seed', method: 'ping' }], cases: [call('a')] });
    const answer = (method: string) =>
      method === 'ping' ? outcomeOf('tool_error', textEnd('no')) : outcomeOf('success', textEnd('ok'));
    expect((await ran(broken, { answer })).results[0]?.status).toMatchObject({
      code: 'suite.setupFailed',
      args: { step: 'seed', outcome: 'tool_error' },
    });
    const undone = await ran(suiteOf({ cases: [call('a')], teardown: [{ method: 'ping' }] }), { answer });
    expect([undone.statuses, undone.problems.map(({ code }) => code)]).toEqual([['a passed'], ['suite.setupFailed']]);
  });

  it('stops at the first failure when told to, and counts what it has not run', async () => {
    const suite = suiteOf({ cases: [call('a'), call('b', { expect: { outcome: 'tool_error' } }), call('c')] });
    const { statuses, notRun, log } = await ran(suite, {}, { isBailing: true, repeat: 2 });
    expect([statuses, notRun, log.at(-1)]).toEqual([['a passed', 'b failed'], 4, 'server 1 closed']);
  });

  it('runs the chosen cases alone', async () => {
    const { statuses } = await ran(
      suiteOf({ cases: [call('a'), call('b')] }),
      {},
      { isChosen: (_, index) => index === 1 },
    );
    expect(statuses).toEqual(['b passed']);
  });

  it('ends at once when it is cancelled, and undoes all the same', async () => {
    const cancel = new AbortController();
    const suite = suiteOf({ cases: [call('a'), call('b')], teardown: [{ method: 'ping' }] });
    const { statuses, notRun, log } = await ran(
      suite,
      {
        answer: (method) => {
          if (method === 'tools/call') {
            cancel.abort();
            return outcomeOf('cancelled', { kind: 'cancelled', by: 'user' });
          }
          return outcomeOf('success', textEnd('ok'));
        },
      },
      { signal: cancel.signal },
    );
    expect([statuses, notRun, log.slice(-2)]).toEqual([
      ['a cancelled'],
      1,
      ['server 1 ping {} 1x 10000', 'server 1 closed'],
    ]);
  });

  it('does not look at the time unless it is told to', async () => {
    const clock = new FakeClock();
    const answer = async () => {
      const slept = clock.sleep(300);
      clock.advance(300);
      await slept;
      return outcomeOf('success', textEnd('ok'));
    };
    const suite = suiteOf({ cases: [call('a'), call('b', { expect: { outcome: 'success', maxMs: 299 } })] });
    expect((await ran(suite, { answer }, { clock })).statuses).toEqual(['a passed', 'b failed']);
  });

  it('says that a known bug is gone', async () => {
    const suite = suiteOf({ cases: [call('a', { expect: { outcome: 'silent_error' } })] });
    const still = await ran(suite, { answer: () => outcomeOf('silent_error', textEnd('Error: no')) });
    expect(still.results[0]?.status).toEqual({ kind: 'passed', isKnownBug: true });
    const mended = await ran(suite, { answer: () => outcomeOf('tool_error', textEnd('no')) });
    expect(mended.results[0]?.status).toMatchObject({ mismatches: [{ code: 'suite.fixed' }] });
  });
});
