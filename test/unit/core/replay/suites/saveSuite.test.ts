// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of suites are written so
import { describe, expect, it } from 'vitest';
import { parseSuite } from '../../../../../src/core/replay/suites/parseSuite.ts';
import { casesOf, type RecordedCase, suiteText, withCases } from '../../../../../src/core/replay/suites/saveSuite.ts';
import type { JsonValue } from '../../../../../src/protocol/jsonrpc.ts';
import { OUTCOME_KINDS } from '../../../../../src/protocol/outcome.ts';

const text = (value: string): JsonValue => ({ content: [{ type: 'text', text: value }] });

const call = (more: Partial<RecordedCase> = {}): RecordedCase => ({
  method: 'tools/call',
  params: { name: 'search', arguments: { q: 'dune' } },
  target: 'search',
  outcome: 'success',
  answer: text('Dune'),
  ...more,
});

const suite = (cases: readonly RecordedCase[]) =>
  suiteText({ name: 'shop', server: 'shop', trustAnnotations: true, cases: casesOf(cases) });

const read = (written: string) => {
  const reading = parseSuite(written);
  return 'suite' in reading ? reading.suite : reading.problems;
};

describe('a suite of recorded calls', () => {
  it('can be read, whatever came of them, and says how to allow writes', () => {
    const written = suite([...OUTCOME_KINDS, undefined].map((outcome) => call({ outcome })));
    const found = read(written);
    expect('cases' in found && found.cases.map(({ expect: { outcome } }) => outcome)).toEqual(
      OUTCOME_KINDS.filter((kind) => kind !== 'cancelled' && kind !== 'pending'),
    );
    expect(written).toMatch(/\n {2}\/\/ True sends .*\n {2}"allowWrites": false,\n/);
  });

  it.each([
    [
      'the content of a tool',
      call(),
      { outcome: 'success', matches: [{ at: '/content', equals: [{ type: 'text', text: 'Dune' }] }] },
    ],
    [
      'structured content in its place',
      call({ answer: { content: [], structuredContent: { a: 1 }, _meta: { b: 2 } } }),
      { outcome: 'success', matches: [{ at: '/structuredContent', equals: { a: 1 } }] },
    ],
    [
      'the members of any other result but those of the moment',
      call({ method: 'tools/list', answer: { tools: [], nextCursor: 'x', ttlMs: 1, _meta: {} } }),
      { outcome: 'success', matches: [{ at: '/tools', equals: [] }] },
    ],
    [
      'no more than the type of what is long',
      call({ answer: text('x'.repeat(30_000)) }),
      { outcome: 'success', matches: [{ at: '/content', type: 'array' }] },
    ],
    [
      'code and message of an error',
      call({ outcome: 'protocol_error', answer: { code: -32602, message: 'no' } }),
      { outcome: 'protocol_error', code: -32602, matches: [{ at: '/message', equals: 'no' }] },
    ],
    [
      'why there was no answer',
      call({ outcome: 'transport_error', answer: { reason: 'exited', message: 'gone' } }),
      { outcome: 'transport_error', matches: [{ at: '/reason', equals: 'exited' }] },
    ],
    ['a timeout', call({ outcome: 'timeout', answer: undefined }), { outcome: 'timeout' }],
    [
      'a task, whose handle is made anew',
      call({ outcome: 'task_pending', answer: { task: { taskId: 'x' } } }),
      { outcome: 'task_pending' },
    ],
    [
      'nothing of a text that held a secret',
      call({
        answer: {
          content: [
            { type: 'text', text: 'key [redacted:token:ab12cd]' },
            { type: 'text', text: 'b' },
          ],
        },
      }),
      {
        outcome: 'success',
        matches: [
          {
            at: '/content',
            equals: [
              { type: 'text', text: 'key [redacted:token:ab12cd]' },
              { type: 'text', text: 'b' },
            ],
          },
        ],
        ignore: ['/content/0/text'],
      },
    ],
  ])('expects %s', (_, recorded, expected) => {
    expect(casesOf([recorded])[0]?.expect).toEqual(expected);
  });

  it('has a variable for each secret that was not recorded, and keeps what looks like one', () => {
    const args = {
      apiKey: '[redacted:token:ab12cd]',
      header: 'Bearer [redacted:token:ab12cd]',
      'pass word': '[redacted:password:000001]',
      other: { apiKey: '[redacted:token:ffffff]' },
      plain: '[redacted]',
      text: '${env:HOME}',
    };
    const [first, second] = casesOf([
      call({ params: { name: 'search', arguments: args } }),
      call({ params: { name: 'search', arguments: { again: '[redacted:token:ffffff]' } } }),
    ]);
    expect([first?.params, second?.params]).toEqual([
      {
        name: 'search',
        arguments: {
          apiKey: '${secret:apiKey}',
          header: 'Bearer ${secret:apiKey}',
          'pass word': '${secret:pass-word}',
          other: { apiKey: '${secret:apiKey-2}' },
          plain: '${secret:plain}',
          text: '$${env:HOME}',
        },
      },
      { name: 'search', arguments: { again: '${secret:apiKey-2}' } },
    ]);
  });

  it('names its cases apart, and bounds limits of time', () => {
    const cases = casesOf([call(), call(), call({ outcome: 'timeout', timeoutMs: 50.5 })], ['search: success (2)']);
    expect(cases.map(({ name, timeoutMs }) => [name, timeoutMs])).toEqual([
      ['search: success', undefined],
      ['search: success (3)', undefined],
      ['search: timeout', 100],
    ]);
  });

  it('takes further cases without losing a comment', () => {
    const before = suite([call()]).replace('"cases": [', '"cases": [ // why');
    const after = withCases(before, casesOf([call(), call()], ['search: success']));
    expect(after).toContain('// why');
    const found = read(after);
    expect('cases' in found && found.cases.map(({ name }) => name)).toEqual([
      'search: success',
      'search: success (2)',
      'search: success (3)',
    ]);
  });
});
