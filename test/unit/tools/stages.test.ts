import { describe, expect, it } from 'vitest';
import { judge, summary } from '../../tools/lib/stages.mjs';

const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped });

describe('judge', () => {
  it.each([
    ['a check that passed', 0, false, undefined, { isPassed: true }],
    ['a check that failed', 3, false, undefined, { isPassed: false, why: 'ended with 3' }],
    ['tests that passed', 0, true, counts(5), { isPassed: true, tests: counts(5) }],
    ['a failed test', 1, true, counts(5, 1), { isPassed: false, tests: counts(5, 1), why: 'tests failed' }],
    [
      'a failed test with a good exit',
      0,
      true,
      counts(5, 1),
      { isPassed: false, tests: counts(5, 1), why: 'tests failed' },
    ],
    ['a bad exit with good tests', 1, true, counts(5), { isPassed: false, tests: counts(5), why: 'ended with 1' }],
    ['no test', 0, true, counts(0), { isPassed: false, tests: counts(0), why: 'no test ran' }],
    ['only skipped tests', 0, true, counts(0, 0, 2), { isPassed: false, tests: counts(0, 0, 2), why: 'no test ran' }],
    ['no result', 0, true, undefined, { isPassed: false, why: 'ended with 0 and no result' }],
  ])('%s', (_name, code, hasTests, tests, expected) => {
    expect(judge(code, hasTests, tests)).toEqual(expected);
  });
});

describe('summary', () => {
  it('lists the stages and closes with the sum of their tests', () => {
    const text = summary([
      { name: 'lint', isPassed: true, ms: 1234 },
      { name: 'unit', isPassed: true, ms: 20, tests: counts(10) },
      { name: 'api', isPassed: false, ms: 12_345, tests: counts(3, 2, 1), why: 'tests failed' },
    ]);
    expect(text.split('\n')).toEqual([
      'ok     lint            1.2 s',
      'ok     unit            0.0 s  10 passed, 0 failed',
      'FAILED api            12.3 s  3 passed, 2 failed, 1 skipped (tests failed)',
      '',
      '13 passed, 2 failed, 1 skipped',
    ]);
  });

  it.each([
    ['a failed check', { name: 'lint', isPassed: false, ms: 0, why: 'ended with 1' }],
    ['a stage without a test', { name: 'ui', isPassed: false, ms: 0, tests: counts(0), why: 'no test ran' }],
  ])('counts %s as one failure', (_name, stage) => {
    expect(
      summary([stage, { name: 'unit', isPassed: true, ms: 0, tests: counts(4) }])
        .split('\n')
        .at(-1),
    ).toBe('4 passed, 1 failed');
  });
});
