import { describe, expect, it } from 'vitest';
import { pointsOf } from '../../../../src/core/report/ranking.ts';
import { silentTools, withSources } from '../../../../src/core/report/sources.ts';
import type { EventBody } from '../../../../src/protocol/events.ts';
import { type Report, reportSchema } from '../../../../src/protocol/report.ts';
import { reportSession } from '../../../golden/reportSession.ts';
import { received } from '../classify/support.ts';
import {
  call,
  fail,
  listed,
  partial,
  refuseCall,
  reportOn,
  reportOnBodies,
  silent,
  succeed,
  timedOut,
} from './support.ts';

const toolOf = (report: Report, name = 'weather') => report.tools.find(({ tool }) => tool === name);

/** `<problem> <points> = <parts>` of each fix. */
const ranking = (report: Report) =>
  report.fixFirst.map(
    ({ tool, problem, points, parts }) =>
      `${tool} ${problem} ${points} = ${parts.map(({ what, count, weight }) => `${count}×${weight} ${what}`).join(' + ')}`,
  );

describe('a report', () => {
  it('of nothing is empty', () => {
    const report = reportOnBodies([]);
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report).toMatchObject({
      scope: { fromUs: 0, toUs: 0 },
      totals: { calls: 0, failures: 0, outcomes: {} },
      tools: [],
      agents: [],
      fixFirst: [],
      neverCalled: [],
      timeline: { buckets: [] },
    });
  });

  it('tells by tool what became of its calls, how long it took and how large it was', () => {
    const bodies = [call(1), succeed(1), call(2), fail(2), call(3, {}, 'time'), timedOut(3)];
    const { tools, totals, servers } = reportOnBodies(bodies);
    expect(totals).toMatchObject({
      calls: 3,
      attempts: 3,
      failures: 2,
      servers: 1,
      tools: 2,
      outcomes: { success: 1, tool_error: 1, timeout: 1 },
    });
    expect(servers).toMatchObject([{ server: 'demo:shop', tools: 2, calls: 3, failures: 2 }]);
    const weather = tools.find(({ tool }) => tool === 'weather');
    expect(weather).toMatchObject({
      calls: 2,
      failures: 1,
      latency: { count: 2, p50Us: 993, maxUs: 1000 },
      firstUs: 1000,
      lastUs: 3000,
    });
    expect(weather?.bytes.answers).toBeGreaterThan(weather?.bytes.largestAnswer ?? 0);
    expect(weather?.bytes.largestRow).toBe(3);
    // A limit of our own says nothing of how long the tool takes.
    expect(tools.find(({ tool }) => tool === 'time')?.latency).toBeUndefined();
  });

  it.each<[string, EventBody, string]>([
    ['the text of a tool', fail(1, 'no such city'), 'no such city'],
    ['the message of an error', refuseCall(1, 'bad city'), 'bad city'],
    ['the message in JSON', fail(1, '{"error":{"message":"bad city","code":7}}'), 'bad city'],
    ['JSON without a message', fail(1, '{"city":"Rom"}'), '{"city":‹…›}'],
    ['what no words say, by its reason', timedOut(1), 'signal.timeout.total'],
    [
      'a result that breaks the protocol, by its reason',
      received({ jsonrpc: '2.0', id: 1, result: { x: 1 } }),
      'signal.invalid.missing',
    ],
  ])('clusters %s', (_, end, template) => {
    expect(toolOf(reportOnBodies([call(1), end]))?.errors.map((error) => error.template)).toEqual([template]);
  });

  it('tells what helped, and of each error what came after it', () => {
    const bodies = [
      call(1),
      fail(1),
      call(2),
      fail(2),
      call(3, { city: 'Rome' }),
      succeed(3),
      call(4, { city: 'Pari' }),
      fail(4),
      call(5, { city: 'Paris' }),
      succeed(5),
    ];
    const weather = toolOf(reportOnBodies(bodies));
    expect(weather?.recoveries).toEqual([
      {
        count: 2,
        changes: [{ pointer: '/city', kind: 'changed', before: '"Pari"', after: '"Paris"' }],
        omitted: 0,
        exchanges: [7, 9],
      },
    ]);
    expect(weather?.errors).toMatchObject([
      { template: 'no such city', count: 3, blindRetries: 1, recoveries: 2, giveUps: 0 },
    ]);
  });

  it('puts what was injected on purpose down to no tool, and counts it', () => {
    const note: EventBody = {
      kind: 'note',
      note: { type: 'injected', requestId: 2, fault: 'toolError', rule: 'flip' },
    };
    const report = reportOnBodies([call(1), succeed(1), call(2), note, fail(2, 'injected words')]);
    expect(toolOf(report)).toMatchObject({ calls: 1, outcomes: { success: 1 }, errors: [] });
    expect(report.leftOut).toEqual({ calls: 0, agents: 0, injected: 1 });
    expect(reportSchema.parse({ ...report, leftOut: { calls: 0, agents: 0 } }).leftOut.injected).toBe(0);
  });

  it('replaces secrets before it clusters', () => {
    const report = reportOnBodies([call(1), fail(1, 'bad key hunter2')], {
      redact: (text) => text.replaceAll('hunter2', '[redacted:token:1]'),
    });
    expect(JSON.stringify(report)).not.toContain('hunter2');
    expect(toolOf(report)?.errors[0]?.template).toBe('bad key ‹…›');
  });

  it('names hints that are missing, what that cost, and tools that nobody called', () => {
    const tools = [
      { name: 'weather' },
      { name: 'time', annotations: { readOnlyHint: true } },
      { name: 'delete', annotations: { readOnlyHint: false } },
    ];
    const bodies = [...listed(tools), call(1), timedOut(1), call(2, {}, 'time'), timedOut(2)];
    const report = reportOnBodies(bodies);
    expect(toolOf(report)?.annotations).toEqual({
      isListed: true,
      missing: ['readOnlyHint', 'idempotentHint'],
      unrepeatable: 1,
    });
    expect(toolOf(report, 'time')?.annotations).toEqual({ isListed: true, missing: [], unrepeatable: 0 });
    expect(report.neverCalled).toEqual([{ server: 'demo:shop', tools: ['delete'] }]);
  });

  it('can be of some calls alone, and follows agents through the others', () => {
    const bodies = [call(1), fail(1), call(2), fail(2), call(3, { city: 'Rome' }), succeed(3)];
    const { totals, agents } = reportOnBodies(bodies, { isWanted: ({ key }) => key >= 3 });
    expect(totals.calls).toBe(2);
    expect(agents).toMatchObject([{ calls: 2, failures: 1, acts: { blind_retry: 1, recovery: 1 } }]);
  });

  it('counts a long loop once, with all its calls', () => {
    const bodies = Array.from({ length: 150 }, (_, index) => [call(index), fail(index)]).flat();
    const report = reportOnBodies(bodies);
    expect(toolOf(report)?.acts.loop).toMatchObject({ count: 1, calls: 150 });
    expect(report.agents[0]).toMatchObject({ acts: { loop: 1, blind_retry: 149 }, loopCalls: 150 });
  });

  it('leaves out what agents made of calls that are not wanted, however long ago', () => {
    const others = Array.from({ length: 5000 }, (_, index) => [
      call(10 + index, {}, 'time'),
      succeed(10 + index),
    ]).flat();
    const report = reportOnBodies([call(1), fail(1), ...others], { isWanted: ({ key }) => key > 10_000 });
    expect(report.agents.map(({ acts }) => acts)).toEqual([{}]);
  });

  it('is the same of the same events, and keeps its form when it is read back', () => {
    const make = () => reportOn(reportSession(600));
    expect(make()).toEqual(make());
    expect(reportSchema.parse(JSON.parse(JSON.stringify(make())))).toEqual(make());
  });

  it('counts every call once, however many are open', () => {
    const bodies = Array.from({ length: 9000 }, (_, index) => call(index, {}, `tool${index % 1100}`));
    const { totals, leftOut } = reportOnBodies(bodies);
    expect(totals).toMatchObject({ tools: 1000, outcomes: { pending: totals.calls } });
    expect(totals.calls + leftOut.calls).toBe(9000);
  });
});

describe('what to mend first', () => {
  it('is what costs most, with the sum that says so', () => {
    const bodies = [
      ...listed([{ name: 'weather' }]),
      call(1),
      silent(1),
      call(2),
      fail(2),
      call(3),
      fail(3),
      call(4, { n: 1 }),
      timedOut(4),
      call(5, { n: 1 }),
      succeed(5),
      call(6, {}, 'import'),
      partial(6),
      call(7, {}, 'time'),
      refuseCall(7, 'no'),
      call(8, {}, 'other'),
      succeed(8),
    ];
    const report = reportOnBodies(bodies);
    expect(ranking(report)).toMatchInlineSnapshot(`
      [
        "weather possible_duplicates 8 = 1×8 possible_duplicate",
        "weather silent_errors 6 = 1×6 silent_error",
        "time unclear_errors 4 = 1×4 give_up",
        "weather timeouts 3 = 1×3 timeout",
        "import ignored_partials 3 = 1×3 ignored_partial",
        "weather unclear_errors 2 = 1×2 blind_retry",
        "weather missing_annotations 1 = 1×1 unrepeatable",
        "time protocol_errors 1 = 1×1 protocol_error",
      ]
    `);
    expect(report.tools.map((tool) => [tool.tool, pointsOf(tool)])).toMatchInlineSnapshot(`
      [
        [
          "weather",
          20,
        ],
        [
          "time",
          5,
        ],
        [
          "import",
          3,
        ],
        [
          "other",
          0,
        ],
      ]
    `);
  });

  it('names the text that helped least', () => {
    const bodies = [
      call(1),
      fail(1, 'try harder'),
      call(2, { city: 'R' }),
      fail(2, 'no such city'),
      call(3, { city: 'R' }),
      fail(3, 'no such city'),
      call(4, { city: 'Rome' }),
      succeed(4),
    ];
    expect(reportOnBodies(bodies).fixFirst).toMatchObject([{ problem: 'unclear_errors', template: 'no such city' }]);
  });

  it('names the source of silent errors where it is known', () => {
    const report = reportOnBodies([call(1), silent(1), call(2, {}, 'time'), fail(2)]);
    expect(silentTools(report)).toEqual([{ server: 'demo:shop', tool: 'weather' }]);
    const source = { path: 'server.ts', line: 12, rule: 'FL001' };
    const named = withSources(report, ({ tool }) => (tool === 'weather' ? source : undefined));
    expect(toolOf(named)?.silent).toEqual({ count: 1, rows: [1], source });
    expect(named.fixFirst.find(({ problem }) => problem === 'silent_errors')?.source).toEqual(source);
    expect(reportSchema.parse(named)).toEqual(named);
  });
});
