import { describe, expect, it } from 'vitest';
import { suitesAsJson } from '../../../../src/cli/formats/suite/json.ts';
import { suitesAsJunit } from '../../../../src/cli/formats/suite/junit.ts';
import type { SuiteReport } from '../../../../src/cli/formats/suite/report.ts';
import { suitesAsTap } from '../../../../src/cli/formats/suite/tap.ts';
import { suitesAsText } from '../../../../src/cli/formats/suite/text.ts';
import type { SuiteCaseResult } from '../../../../src/core/replay/suites/runSuite.ts';
import { gone, outcomeOf, textEnd } from '../../core/replay/suites/scene.ts';
import { readXml, type XmlElement } from './readXml.ts';

const result = (name: string, more: Partial<SuiteCaseResult>): SuiteCaseResult => ({
  case: { name, method: 'ping', expect: { outcome: 'success' } },
  index: 0,
  repetition: 0,
  durationMs: 12.4,
  status: { kind: 'passed', isKnownBug: false },
  outcome: outcomeOf('success', textEnd('ok')),
  ...more,
});

/** What a server can make a report hold. */
const HOSTILE = 'a ]]> <b a="1"> & \u0000\u0008\u001b[31m\ud800 \ufffe "q" \' \u202e\u2028 # \\ \r\n\t…😀';

const report: SuiteReport = {
  name: 'shop',
  file: 'test/shop.faultline-suite.json',
  startedAt: '2026-11-30T10:00:00.000Z',
  durationMs: 1234.5,
  outcome: {
    notRun: 2,
    problems: [{ code: 'suite.setupFailed', args: { step: 'clean up', outcome: 'timeout' } }],
    results: [
      result('passes', {}),
      result('hides its failure', { status: { kind: 'passed', isKnownBug: true } }),
      result(`fails # \\ ${HOSTILE}`, {
        outcome: outcomeOf('tool_error', textEnd('no')),
        status: {
          kind: 'failed',
          mismatches: [
            { code: 'suite.otherOutcome', args: { expected: 'success', actual: 'tool_error' }, pointer: '' },
            { code: 'suite.difference.changed', args: {}, pointer: '/a', expected: 'x', actual: HOSTILE },
          ],
        },
      }),
      result('dies', {
        outcome: outcomeOf('transport_error', gone),
        status: { kind: 'failed', mismatches: [{ code: 'suite.noAnswer', args: {}, pointer: '' }] },
        cause: { code: 'start.noNode', remedy: 'start.noNode.remedy', args: { command: HOSTILE } },
      }),
      { ...result('refused', { status: { kind: 'refused', code: 'suite.refused', args: {} } }), durationMs: 0 },
      result('stopped', { status: { kind: 'cancelled' } }),
    ],
  },
};

const plain = (_: unknown, text: string) => text;
/** Control characters but line ends and tabs, which would move a terminal's cursor or end a line of TAP. */
const hasControl = (text: string) => /[^\P{Cc}\n\t]/u.test(text);
const hasLineEnd = (text: string) => /[\u2028\u2029\u202e]/.test(text);

describe('a report of suites', () => {
  it('as text names each case, what is wrong with it, and the sum', () => {
    const text = suitesAsText([report], plain);
    expect(text.split('\n').map((line) => line.trimEnd().replace(/^( {2}failed {4}fails).*/s, '$1'))).toEqual(
      [
        'shop',
        '  passed    passes 12 ms',
        '  known     hides its failure 12 ms',
        '  failed    fails',
        '            It ended as tool_error, not as success.',
        '            This differs. at /a',
        '              expected "x"',
        expect.stringContaining('actual   "a ]]>'),
        '  failed    dies 12 ms',
        '            There is no answer to look at.',
        expect.stringContaining('cause: '),
        expect.stringContaining('remedy: '),
        '  refused   refused 12 ms',
        expect.stringContaining('allowWrites'),
        '  stopped   stopped 12 ms',
        '            It was cancelled.',
        '  error     teardown',
        '            The step "clean up" before it ended as timeout.',
        '',
        '6 cases in 1235 ms: 2 passed (1 of them known bugs), 2 failed, 3 could not be run, 2 not run',
        '',
      ].map((line) => (typeof line === 'string' ? line.replace('refused 12 ms', 'refused 0 ms') : line)),
    );
    expect(hasControl(text)).toBe(false);
  });

  it('as TAP 14 has a plan, a point a case, directives and diagnostics that cannot break out', () => {
    const lines = suitesAsTap([report]).trimEnd().split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['TAP version 14', '1..7']);
    const points = lines.filter((line) => /^(?:not )?ok /.test(line));
    expect(points.map((line) => line.slice(0, 40))).toEqual([
      'ok 1 - shop: passes',
      'ok 2 - shop: hides its failure # TODO kn',
      'not ok 3 - shop: fails \\# \\\\ a ]]> <b a=',
      'not ok 4 - shop: dies',
      'not ok 5 - shop: refused',
      'not ok 6 - shop: stopped',
      'not ok 7 - shop: teardown',
    ]);
    // An unescaped # would begin a directive.
    expect(points.filter((line) => /(?<!\\)(?:\\\\)*#/.test(line))).toEqual([points[1]]);
    // Every line between the marks is a member whose value is JSON.
    const blocks = lines.slice(lines.indexOf('  ---') + 1, lines.indexOf('  ...'));
    const members = blocks.map((line) => /^ {2}(\w+): (.*)$/.exec(line) ?? []);
    expect(members.map(([, key]) => key)).toEqual(['message', 'severity', 'outcome', 'duration_ms', 'at', 'details']);
    expect(members.every(([, , value]) => JSON.parse(value ?? '') !== undefined)).toBe(true);
    expect(lines).toContain('# 2 cases of shop were not run');
    expect(hasControl(lines.join('\n')) || hasLineEnd(lines.join('\n'))).toBe(false);
  });

  it('as JUnit XML is well-formed, of the agreed shape, with what XML cannot hold replaced', () => {
    const xml = suitesAsJunit([report]);
    const root = readXml(xml);
    expect(shapeProblems(root)).toEqual([]);
    const [suite] = root.children;
    expect(suite?.attributes).toMatchObject({
      name: 'shop',
      tests: '7',
      failures: '2',
      errors: '3',
      skipped: '0',
      time: '1.234',
    });
    expect(suite?.children.map(({ children }) => children[0]?.name)).toEqual([
      undefined,
      'system-out',
      'failure',
      'failure',
      'error',
      'error',
      'error',
    ]);
    const failure = suite?.children[2];
    // Escapes, whatever they stand for, come back as they were; what XML has no way to write is U+FFFD.
    const back = HOSTILE.replaceAll(/(?![\t\r\n])[\p{Cc}\p{Cs}\ufffe]/gu, '\ufffd');
    expect(failure?.attributes['name']).toBe(`fails # \\ ${back}`);
    expect(failure?.children[0]?.text).toContain('  expected "x"\n  actual   ');
    expect(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(xml)).toBe(false);
  });

  it('as JSON says the same', () => {
    const json = JSON.parse(suitesAsJson([report]));
    expect(json).toMatchObject({ total: 6, passed: 2, knownBugs: 1, failed: 2, errors: 3, notRun: 2 });
    expect(
      json.suites[0].cases.map(({ name, status }: { name: string; status: string }) => [name.slice(0, 5), status]),
    ).toEqual([
      ['passe', 'passed'],
      ['hides', 'passed'],
      ['fails', 'failed'],
      ['dies', 'failed'],
      ['refus', 'refused'],
      ['stopp', 'cancelled'],
    ]);
  });

  it('tells repetitions apart', () => {
    const twice = {
      ...report,
      outcome: { problems: [], notRun: 0, results: [result('a', {}), result('a', { repetition: 1 })] },
    };
    expect(suitesAsTap([twice])).toContain('ok 2 - shop: a (run 2)');
  });
});

/** What elements may hold and must say, by the schema of Jenkins' xUnit plugin (`junit-10.xsd`). */
const MODEL: Readonly<
  Record<
    string,
    {
      readonly attributes: readonly string[];
      readonly required: readonly string[];
      readonly children: readonly string[];
    }
  >
> = {
  testsuites: {
    attributes: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
    required: [],
    children: ['testsuite'],
  },
  testsuite: {
    attributes: [
      'name',
      'tests',
      'failures',
      'errors',
      'group',
      'time',
      'skipped',
      'timestamp',
      'hostname',
      'id',
      'package',
      'file',
      'log',
      'url',
      'version',
    ],
    required: ['name', 'tests', 'failures', 'errors'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    attributes: ['name', 'time', 'classname', 'group'],
    required: ['name'],
    children: [
      'skipped',
      'error',
      'failure',
      'rerunFailure',
      'rerunError',
      'flakyFailure',
      'flakyError',
      'system-out',
      'system-err',
    ],
  },
  failure: { attributes: ['type', 'message'], required: [], children: [] },
  error: { attributes: ['type', 'message'], required: [], children: [] },
  'system-out': { attributes: [], required: [], children: [] },
};

function shapeProblems({ name, attributes, children }: XmlElement): readonly string[] {
  const model = MODEL[name];
  if (model === undefined) {
    return [`unknown element ${name}`];
  }
  return [
    ...Object.keys(attributes)
      .filter((key) => !model.attributes.includes(key))
      .map((key) => `${name} has ${key}`),
    ...model.required.filter((key) => attributes[key] === undefined).map((key) => `${name} lacks ${key}`),
    ...children.filter((child) => !model.children.includes(child.name)).map((child) => `${name} holds ${child.name}`),
    ...children.flatMap(shapeProblems),
  ];
}
