// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of suites are written so
import { describe, expect, it } from 'vitest';
import { parseSuite } from '../../../../../src/core/replay/suites/parseSuite.ts';
import { recordAgain } from '../../../../../src/core/replay/suites/recordAgain.ts';
import { runSuite } from '../../../../../src/core/replay/suites/runSuite.ts';
import type { CallOutcome, RawEnd } from '../../../../../src/protocol/call.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { fakeServers, outcomeOf, resultEnd, textEnd } from './scene.ts';

const head = `{
    // what it is about
    "faultlineSuite": 1, "server": "a",
    "cases": [`;

const file = (expectation: string) => `${head}
        { "name": "a", "method": "ping", /* kept */ "expect": ${expectation} }, // and this
    ],
}
`;

async function recorded(text: string, outcome: CallOutcome, values: Readonly<Record<string, string>> = {}) {
  const reading = parseSuite(text);
  if ('problems' in reading) {
    throw new Error(JSON.stringify(reading.problems));
  }
  const { open } = fakeServers({ answer: () => outcome, values });
  const { results } = await runSuite({ suite: reading.suite, clock: new FakeClock(), open });
  return recordAgain(text, reading.suite.cases, results);
}

const error = (code: number, message: string): RawEnd => ({ kind: 'error', error: { code, message }, raw: '' });

const cases: readonly (readonly [string, string, CallOutcome, string])[] = [
  [
    'only the text that differs, comments and all else left as they are',
    '{ "outcome": "success", "matches": [ /* why */ { "at": "/content/0/text", "equals": "old" }, { "exists": true } ] }',
    outcomeOf('success', textEnd('new')),
    '{ "outcome": "success", "matches": [ /* why */ { "at": "/content/0/text", "equals": "new" }, { "exists": true } ] }',
  ],
  [
    'the outcome alone where it is the same kind of answer',
    '{ "outcome": "silent_error", "matches": [{ "contains": "no" }] }',
    outcomeOf('tool_error', textEnd('no')),
    '{ "outcome": "tool_error", "matches": [{ "contains": "no" }] }',
  ],
  [
    'the members of a subset that were asked for',
    '{ "outcome": "success", "matches": [{ "subset": { "a": 1, "b": { "c": 2 } } }] }',
    outcomeOf('success', resultEnd({ a: 5, b: { c: 6, d: 7 }, e: 8 })),
    '{ "outcome": "success", "matches": [{ "subset": {\n            "a": 5,\n            "b": {\n                "c": 6\n            }\n        } }] }',
  ],
  [
    'the code of an error',
    '{ "outcome": "protocol_error", "code": -32602 }',
    outcomeOf('protocol_error', error(-32603, 'x')),
    '{ "outcome": "protocol_error", "code": -32603 }',
  ],
  [
    'a type, a presence, an absence',
    '{ "outcome": "success", "matches": [{ "at": "/a", "type": "string" }, { "at": "/a", "absent": true }, { "at": "/b", "exists": true }] }',
    outcomeOf('success', resultEnd({ a: 1 })),
    '{ "outcome": "success", "matches": [{ "at": "/a", "type": "number" }, {\n            "at": "/a",\n            "exists": true\n        }, {\n            "at": "/b",\n            "absent": true\n        }] }',
  ],
];

describe('recording a case again', () => {
  it.each(cases)('changes %s', async (_, before, outcome, after) => {
    const { text, changed } = await recorded(file(before), outcome);
    expect([...changed]).toEqual([0]);
    expect(text.replaceAll(/\s+/g, ' ')).toBe(file(after).replaceAll(/\s+/g, ' '));
  });

  it.each(cases)('makes it pass: %s', async (_, before, outcome) => {
    const once = await recorded(file(before), outcome);
    const again = await recorded(once.text, outcome);
    expect([again.changed.size, again.text]).toEqual([0, once.text]);
  });

  it('asks for other things where another kind of answer came', async () => {
    const { text } = await recorded(
      file('{ "outcome": "success", "matches": [{ "contains": "x" }], "maxMs": 50 }'),
      outcomeOf('protocol_error', error(-32603, 'broken')),
    );
    const reading = parseSuite(text);
    expect('suite' in reading && reading.suite.cases[0]?.expect).toEqual({
      outcome: 'protocol_error',
      code: -32603,
      matches: [{ at: '/message', equals: 'broken' }],
      maxMs: 50,
    });
    expect(text).toContain('/* kept */');
  });

  it('leaves what passes alone, to the byte', async () => {
    const text = file('{ "outcome": "success" }').replaceAll('\n', '\r\n');
    expect(await recorded(text, outcomeOf('success', textEnd('x')))).toEqual({ text, changed: new Set() });
  });

  it('writes no secret and no folder of this machine', async () => {
    const text = file('{ "outcome": "success", "matches": [{ "equals": "${secret:k}" }] }');
    const values = { 'secret:k': 'hunter2000', tempFolder: '/tmp/x-1' };
    const again = await recorded(
      text,
      outcomeOf('success', resultEnd({ a: 'hunter2000', b: '/tmp/x-1/f', c: '${env:A}' })),
      values,
    );
    const reading = parseSuite(again.text);
    expect('suite' in reading && reading.suite.cases[0]?.expect.matches).toEqual([
      { equals: { a: '${secret:k}', b: '${tempFolder}/f', c: '$${env:A}' } },
    ]);
  });

  it('cannot record a limit of time, nor a call that was cancelled', async () => {
    const text = file('{ "outcome": "success" }');
    const cancelled = outcomeOf('cancelled', { kind: 'cancelled', by: 'client' });
    expect(await recorded(text, cancelled)).toEqual({ text, changed: new Set() });
  });
});
