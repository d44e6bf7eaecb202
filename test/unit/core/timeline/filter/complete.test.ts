import { describe, expect, it } from 'vitest';
import { completeFilter } from '../../../../../src/core/timeline/filter/complete.ts';
import { FILTER_KEYS } from '../../../../../src/core/timeline/filter/keys.ts';
import { parseFilter } from '../../../../../src/core/timeline/filter/parse.ts';
import { type RecordedValues, ValueCollector } from '../../../../../src/core/timeline/filter/recordedValues.ts';
import { Timeline } from '../../../../../src/core/timeline/timeline.ts';
import type { ServerId } from '../../../../../src/protocol/events.ts';
import { TEXTS } from '../../../../../src/protocol/texts.ts';
import { exchange } from '../support.ts';

const RECORDED: Readonly<Record<string, readonly string[]>> = {
  server: ['github', 'my files', 'shop'],
  tool: ['create_issue', 'list_issues', 'say "hi"'],
  code: ['-32602', '401'],
};
const values: RecordedValues = (key) => (RECORDED[key] ?? []).map((value, index) => ({ value, rows: 9 - index }));

/** The text with `|` for the cursor, completed by each item: again with the cursor. */
function offered(marked: string): string[] {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  return completeFilter(text, cursor, values).map(
    ({ insert, from, to }) => `${text.slice(0, from)}${insert}|${text.slice(to)}`,
  );
}

describe('completion', () => {
  it('offers every key once to begin with, and the word that may stand there', () => {
    expect(completeFilter('', 0, values).map(({ label }) => label)).toEqual([
      ...['server:', 'outcome:', 'tool:', 'method:', 'target:', 'code:', 'ms>', 'attempt>', 'size>', 'is:', 'has:'],
      ...['from:', 'origin:', 'session:', 'since:', 'until:', 'not'],
    ]);
  });

  it.each<[string, string[]]>([
    ['ser|', ['server:|']],
    ['se|', ['server:|', 'session:|']],
    ['git|', ['server:github |']],
    ['-ser|', ['-server:|']],
    ['(met|', ['(method:|']],
    ['a met|', ['a method:|']],
    ['dur|', ['duration>|']],
    ['ser|:github', ['server|:github']],
    ['s|er:github', ['server|:github', 'size|:github', 'session|:github', 'since|:github']],
    ['server:|', ['server:github |', 'server:"my files" |', 'server:shop |']],
    ['server:g|', ['server:github |']],
    ['server:github|', ['server:github |']],
    ['server:i|', ['server:github |', 'server:"my files" |']],
    ['server:"my|', ['server:"my files" |']],
    ['server:"my| fi"', ['server:"my files" |']],
    ['server:github,|', ['server:github,"my files" |', 'server:github,shop |']],
    ['server:s|,github', ['server:"my files"|,github', 'server:shop|,github'].reverse()],
    ['(server:s|)', ['(server:shop|)', '(server:"my files"|)']],
    ['tool:hi|', ['tool:"say \\"hi\\"" |']],
    ['code:|', ['code:-32602 |', 'code:401 |']],
    ['code>=|', ['code>=-32602 |', 'code>=401 |']],
    ['ms>|', ['ms>100 |', 'ms>500 |', 'ms>1s |', 'ms>10s |']],
    ['ms > 5|', ['ms > 500 |']],
    ['since:1|', ['since:15m |', 'since:1h |', 'since:1d |']],
    ['outcome:tool|', ['outcome:tool_error |']],
    ['is:fail|', ['is:failure |']],
    ['has:re|', ['has:retry |', 'has:retried |', 'has:replay |', 'has:redacted |', 'has:more_available |']],
    ['from:|', ['from:client |', 'from:server |']],
    ['iss|', ['tool:create_issue |', 'tool:list_issues |']],
    ['fail|', ['is:failure |']],
    ['timeo|', ['outcome:timeout |']],
    ['a o|', ['a outcome:|', 'a origin:|', 'a or |']],
    ['a or n|', ['a or not |']],
    ['a not|', ['a is:notification |', 'a is:note |']],
    ['"ser|', []],
    ['"ser"|', []],
    ['nokey:|', []],
    ['zzz|', []],
  ])('%s', (marked, expected) => {
    expect(offered(marked)).toEqual(expected);
  });

  it('says what keys are about, and how many rows a value has', () => {
    expect(completeFilter('serv', 4, values)).toEqual([
      { kind: 'key', label: 'server:', insert: 'server:', from: 0, to: 4, about: 'filter.about.server' },
    ]);
    expect(completeFilter('server:', 7, values)[0]).toMatchObject({ label: 'github', rows: 9 });
    for (const { about } of completeFilter('', 0, values)) {
      expect(TEXTS[about ?? '']).toBeDefined();
    }
  });

  it('offers nothing that the parser refuses', () => {
    for (const key of Object.keys(FILTER_KEYS)) {
      const text = `${key}:`;
      for (const { insert, from, to } of completeFilter(text, text.length, values)) {
        const completed = text.slice(0, from) + insert + text.slice(to);
        expect([completed, parseFilter(completed).kind]).toEqual([completed, 'filter']);
      }
    }
  });

  it('is bounded, and takes any cursor', () => {
    const many: RecordedValues = () => Array.from({ length: 10_000 }, (_, index) => ({ value: `v${index}`, rows: 1 }));
    expect(completeFilter('tool:', 5, many)).toHaveLength(50);
    expect(completeFilter('a ', 99, values).length).toBeGreaterThan(0);
    expect(completeFilter('a', -1, values).length).toBeGreaterThan(0);
    expect(completeFilter('('.repeat(1000), 500, values).length).toBeGreaterThan(0);
  });
});

describe('values of the recording', () => {
  it('come by frequency, with rows that are new and after a clearing', () => {
    const timeline = new Timeline();
    const collector = new ValueCollector();
    const server = 'test:files' as ServerId;
    const valuesOf = (key: 'server' | 'tool' | 'target' | 'code' | 'session' | 'origin' | 'method') =>
      collector.of(timeline.table, key).map(({ value, rows }) => `${value} ${rows}`);
    timeline.apply([
      exchange(1, { target: 'a' }),
      exchange(2, { target: 'b', server }),
      exchange(3, { target: 'b' }),
      exchange(4, { method: 'resources/read', target: 'file:///x' }),
      exchange(5, { method: 'tools/list' }),
    ]);
    expect(valuesOf('tool')).toEqual(['b 2', 'a 1']);
    expect(valuesOf('target')).toEqual(['b 2', 'a 1', 'file:///x 1']);
    expect(valuesOf('server')).toEqual(['test:shop 4', 'test:files 1']);
    expect(valuesOf('method')).toEqual(['tools/call 3', 'resources/read 1', 'tools/list 1']);
    expect([valuesOf('session'), valuesOf('origin')]).toEqual([['session-1 5'], ['client 5']]);
    expect(valuesOf('code')).toEqual([]);
    const failure = { reason: 'unauthorized', message: '', status: 401 } as const;
    timeline.apply([exchange(6, { target: 'a' }), exchange(7, { target: 'a', failure })]);
    expect(valuesOf('tool')).toEqual(['a 3', 'b 2']);
    expect(valuesOf('code')).toEqual(['401 1']);
    timeline.clear();
    expect(valuesOf('tool')).toEqual([]);
    timeline.apply([exchange(8, { target: 'c' })]);
    expect(valuesOf('tool')).toEqual(['c 1']);
  });
});
