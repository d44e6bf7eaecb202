import { describe, expect, it } from 'vitest';
import { slidesBy, textsOf } from '../../../../../src/core/timeline/filter/compile.ts';
import { parseFilter } from '../../../../../src/core/timeline/filter/parse.ts';
import { SeqSet } from '../../../../../src/core/timeline/filter/seqSet.ts';
import { Timeline } from '../../../../../src/core/timeline/timeline.ts';
import type { Origin, ServerId, SessionId } from '../../../../../src/protocol/events.ts';
import type { Verdict } from '../../../../../src/protocol/outcome.ts';
import { attempt, exchange, filterOf, verdict } from '../support.ts';

const NOW_US = 1_700_100_000_000_000;
const minutesAgo = (minutes: number) => NOW_US - minutes * 60_000_000;

function refused(code: number): Verdict {
  const signals = [{ code: 'signal.error.other', strength: 'proof' as const, args: { code } }];
  return { outcome: 'protocol_error', retry: 'never', signals };
}

function lasting(key: number, ms: number, startUs = NOW_US - 3_600_000_000) {
  return { startUs, endUs: startUs + ms * 1000, endSeq: key + 1 };
}

/** One of each kind; the first digit of a key tells them apart. */
const timeline = new Timeline();
timeline.apply([
  exchange(10, {
    server: 'workspace:github' as ServerId,
    target: 'create_issue',
    verdict: verdict('success'),
    session: '2026-01-31T10:00:00Z-77' as SessionId,
    bytes: 2048,
    ...lasting(10, 120, minutesAgo(5)),
  }),
  exchange(20, { target: 'import_rows', verdict: verdict('partial'), marks: ['more_available'], ...lasting(20, 900) }),
  exchange(30, { target: 'get_author', verdict: verdict('silent_error'), origin: 'tap:claude' as Origin }),
  exchange(40, {
    target: 'Search Books',
    verdict: refused(-32602),
    anomalies: [{ code: 'answeredTwice', severity: 'warn', group: 'correlation', args: {}, seq: 41 }],
    ...lasting(40, 3, minutesAgo(30)),
  }),
  // Timed out, refused, and succeeded on the third attempt.
  attempt(50, 50, 1, { target: 'flaky', verdict: verdict('timeout'), ...lasting(50, 1000, minutesAgo(20)) }),
  attempt(52, 50, 2, { target: 'flaky', verdict: refused(-32603), ...lasting(52, 10, minutesAgo(19)) }),
  attempt(54, 50, 3, { target: 'flaky', verdict: verdict('success'), ...lasting(54, 10, minutesAgo(18)) }),
  exchange(60, { kind: 'notification', method: 'notifications/message', initiator: 'server', startUs: minutesAgo(2) }),
  exchange(70, {
    method: 'tools/list',
    verdict: { ...verdict('transport_error'), signals: [] },
    failure: { reason: 'unauthorized', message: '', status: 401 },
  }),
  exchange(80, { method: 'resources/read', target: 'file:///a', startUs: minutesAgo(1) }),
  exchange(90, { method: 'server/discover', verdict: refused(-32601), marks: ['era_probe'] }),
]);

const hits = new SeqSet();
// In the answer of the second attempt, and in the notification.
for (const seq of [53, 60, 1_000_000]) {
  hits.add(seq);
}
const context = {
  nowUs: NOW_US,
  serverName: (id: string) => (id === 'workspace:github' ? 'GitHub Cloud' : 'Shop'),
  hits: (text: string) => (text === 'payload' ? hits : undefined),
};

function keysFor(text: string): number[] {
  timeline.setFilter(filterOf(text, [], context));
  return timeline.rows(0, timeline.total).map(({ key }) => key);
}

const ALL = [10, 20, 30, 40, 50, 60, 70, 80, 90];

describe('a filter lets pass', () => {
  it.each<[string, number[]]>([
    ['', ALL],
    ['server:github', [10]],
    ['server:workspace:github', [10]],
    ['server:"github cloud"', [10]],
    ['server:git*', [10]],
    ['server:*hub', [10]],
    ['server:*t*u*', [10]],
    ['server:git', []],
    ['server!=shop', [10]],
    ['server:github,shop', ALL],
    ['tool:create_issue', [10]],
    ['tool:CREATE_*', [10]],
    ['tool:"search books"', [40]],
    ['tool:*', [10, 20, 30, 40, 50]],
    ['tool:""', [60, 70, 80, 90]],
    ['target:*', [10, 20, 30, 40, 50, 80]],
    ['target:file:///a', [80]],
    ['method:tools/call', [10, 20, 30, 40, 50]],
    ['method:tools/*', [10, 20, 30, 40, 50, 70]],
    ['outcome:success', [10, 50]],
    ['outcome:partial,silent_error', [20, 30]],
    ['outcome:pending', [80]],
    ['-outcome:success', [20, 30, 40, 60, 70, 80, 90]],
    ['is:failure', [20, 30, 40, 70]],
    ['is:silent', [30]],
    ['is:notification', [60]],
    ['is:request -outcome:success', [20, 30, 40, 70, 80, 90]],
    ['has:retry', [50]],
    ['has:retried', [50]],
    ['has:anomaly', [40]],
    ['has:more_available', [20]],
    ['has:era_probe', [90]],
    ['has:more*,anomaly', [20, 40]],
    ['from:server', [60]],
    ['from:client is:notification', []],
    ['code:-32602', [40]],
    ['code:-32603', [50]],
    ['code:401', [70]],
    ['code<0', [40, 50, 90]],
    ['code!=-32602', [10, 20, 30, 50, 60, 70, 80, 90]],
    ['code:-32602,401', [40, 70]],
    ['ms>500', [20, 50]],
    ['ms<=3', [40]],
    ['ms>=0', [10, 20, 40, 50]],
    ['ms>2m', [50]],
    ['-ms>500', [10, 30, 40, 60, 70, 80, 90]],
    ['attempt>1', [50]],
    ['attempt:3', [50]],
    ['attempt:1', [10, 20, 30, 40, 60, 70, 80, 90]],
    ['size>1kb', [10]],
    ['size:300', [50]],
    ['origin:tap', [30]],
    ['origin:tap:claude', [30]],
    ['origin:client', [10, 20, 40, 50, 60, 70, 80, 90]],
    ['session:2026-01', [10]],
    ['session:2026-01-31T10:00:00Z-77', [10]],
    ['session:session-1', [20, 30, 40, 50, 60, 70, 80, 90]],
    ['since:10m', [10, 60, 80]],
    ['until:10m since:25m', [50]],
    ['since:2100-01-01', []],
    ['until:2100-01-01', ALL],
    ['issue', [10]],
    ['GITHUB', [10]],
    ['"github cloud"', [10]],
    ['books', [40]],
    ['payload', [50, 60]],
    ['-payload', [10, 20, 30, 40, 70, 80, 90]],
    ['nothing', []],
    ['""', ALL],
    ['is:silent or code:-32602 or (flaky attempt>1)', [30, 40, 50]],
    ['is:failure -(is:silent or code<0)', [20, 70]],
  ])('%s', (text, expected) => {
    expect(keysFor(text)).toEqual(expected);
  });
});

describe('rows that come while it is on', () => {
  it('are tested one by one, and again when they change', () => {
    const live = new Timeline();
    live.setFilter(filterOf('tool:new_* -outcome:success or ms>500', [], context));
    const shown = () => live.rows(0, live.total).map(({ key }) => key);
    live.apply([exchange(1, { target: 'new_tool' }), exchange(2, { target: 'other' })]);
    expect(shown()).toEqual([1]);
    live.apply([exchange(1, { target: 'new_tool', verdict: verdict('success'), ...lasting(1, 2) })]);
    expect(shown()).toEqual([]);
    live.apply([exchange(2, { target: 'other', verdict: verdict('success'), ...lasting(2, 501) })]);
    expect(shown()).toEqual([2]);
  });

  it('are found by a text in messages that are recorded later', () => {
    const live = new Timeline();
    const found = new SeqSet();
    live.setFilter(filterOf('needle', [], { nowUs: 0, hits: () => found }));
    live.apply([exchange(1)]);
    found.add(3);
    live.apply([exchange(1, { endSeq: 3, endUs: 1, verdict: verdict('success') }), exchange(2)]);
    expect(live.rows(0, 9).map(({ key }) => key)).toEqual([1]);
  });
});

describe('what a filter needs beside the rows', () => {
  const rootOf = (text: string) => {
    const result = parseFilter(text);
    return result.kind === 'filter' ? result.root : { kind: 'all' as const, nodes: [] };
  };

  it.each<[string, readonly string[], number | undefined]>([
    ['server:a', [], undefined],
    ['Foo (bar or -foo "") since:10m', ['foo', 'bar'], 600_000_000],
    ['-(since:1h or until:1m)', [], 60_000_000],
    ['since:2026-01-01', [], undefined],
  ])('%s', (text, texts, slide) => {
    expect([textsOf(rootOf(text)), slidesBy(rootOf(text))]).toEqual([texts, slide]);
  });
});

describe('a set of seqs', () => {
  it('holds what was added, near and far', () => {
    const seqs = [0, 1, 31, 32, 32_767, 32_768, 2 ** 33, 2 ** 33 + 1, 1];
    const set = new SeqSet();
    for (const seq of seqs) {
      set.add(seq);
    }
    expect(set.size).toBe(8);
    expect(seqs.every((seq) => set.has(seq))).toBe(true);
    expect([2, 30, 33, 65_536, 2 ** 33 + 2, 2 ** 52].filter((seq) => set.has(seq))).toEqual([]);
  });
});
