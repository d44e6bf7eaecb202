import { describe, expect, it } from 'vitest';
import { outcomeChange } from '../../../../src/core/replay/outcomeChange.ts';
import { diffResults, type ResultChange } from '../../../../src/core/replay/resultDiff.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';

/** A change in a few characters: kind, place, values. */
function shorthand({ kind, pointer, inner, from, before, after, isVolatile, volatile }: ResultChange): string {
  const place = `${pointer}${inner === undefined ? '' : `»${inner}`}`;
  const values = { added: [after], removed: [before], changed: [before, after], moved: [from] }[kind];
  return [
    `${kind} ${place}`,
    ...values.map((value) => JSON.stringify(value)),
    ...(isVolatile ? [`~${volatile ?? ''}`] : []),
  ].join(' ');
}

const diff = (before: JsonValue | undefined, after: JsonValue | undefined) =>
  diffResults(before, after).changes.map(shorthand);

describe('diffResults', () => {
  it.each<[string, JsonValue | undefined, JsonValue | undefined, readonly string[]]>([
    ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a value', { a: 1 }, { a: 2 }, ['changed /a 1 2']],
    ['a type', { a: 1 }, { a: '1' }, ['changed /a 1 "1"']],
    ['null and nothing', { a: null }, {}, ['removed /a null']],
    ['a member that came', {}, { a: { b: 1 } }, ['added /a {"b":1}']],
    ['an answer that never came', undefined, { a: 1 }, ['added  {"a":1}']],
    ['an answer that is gone', { a: 1 }, undefined, ['removed  {"a":1}']],
    ['neither', undefined, undefined, []],
    ['the whole', [1], { a: 1 }, ['changed  [1] {"a":1}']],
    ['names with slashes', { 'a/b~c': 1 }, { 'a/b~c': 2 }, ['changed /a~1b~0c 1 2']],
    ['an item that came first', ['b', 'c'], ['a', 'b', 'c'], ['added /0 "a"']],
    ['an item that went', ['a', 'b', 'c'], ['a', 'c'], ['removed /1 "b"']],
    ['an item in the place of another', ['a', 'b', 'c'], ['a', 'x', 'c'], ['changed /1 "b" "x"']],
    [
      'an item that changed behind one that came',
      [{ n: 1 }, { n: 2 }],
      [{ x: 0 }, { n: 1 }, { n: 3 }],
      ['added /0 {"x":0}', 'changed /2/n 2 3'],
    ],
    [
      'items told apart by id',
      [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
      ],
      [{ id: 2, n: 3 }],
      ['removed /0 {"id":1,"n":1}', 'changed /0/n 2 3'],
    ],
    [
      'one thing in the place of another',
      [{ id: 1, n: 1 }],
      [{ id: 2, n: 1 }],
      ['removed /0 {"id":1,"n":1}', 'added /0 {"id":2,"n":1}'],
    ],
    ['an item that moved', [{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 3 }, { id: 1 }, { id: 2 }], ['moved /0 "/2"']],
    [
      'one that moved and changed',
      [{ id: 1 }, { id: 2 }, { id: 3, n: 1 }],
      [{ id: 3, n: 2 }, { id: 1 }, { id: 2 }],
      ['moved /0 "/2"', 'changed /0/n 1 2'],
    ],
    ['lists in lists', [[1, 2], [3]], [[1, 4], [3]], ['changed /0/1 2 4']],
    ['JSON in a text', { text: '{"a": 1}' }, { text: '{"a":2}' }, ['changed /text»/a 1 2']],
    ['JSON in a text, written otherwise', { text: '{"a": 1, "b": [2]}' }, { text: '{"b":[2],"a":1}' }, []],
    [
      'JSON in a text that is none any more',
      { text: '{"a":1}' },
      { text: 'Error' },
      ['changed /text "{\\"a\\":1}" "Error"'],
    ],
    [
      'names of the library and of the language',
      JSON.parse('{"_t":"a","__proto__":1,"constructor":1}'),
      JSON.parse('{"_t":["a"],"__proto__":2,"constructor":2}'),
      ['changed /__proto__ 1 2', 'changed /_t "a" ["a"]', 'changed /constructor 1 2'],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(diff(before, after)).toEqual(expected);
  });

  it.each<[string, JsonValue, JsonValue, string]>([
    ['the id of a message', { jsonrpc: '2.0', id: 1 }, { jsonrpc: '2.0', id: 2 }, 'id'],
    ['a request id', { requestId: 'abc' }, { requestId: 'def' }, 'id'],
    ['a UUID', { x: '6f9619ff-8b86-d011-b42d-00c04fc964ff' }, { x: '7f9619ff-8b86-d011-b42d-00c04fc964fe' }, 'id'],
    ['a ULID', { x: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, { x: '01BX5ZZKBKACTAV9WEVGEMMVRZ' }, 'id'],
    ['a hash called id', { id: '507f1f77bcf86cd799439011' }, { id: '507f1f77bcf86cd799439012' }, 'id'],
    ['a time', { x: '2026-01-31T14:02:08.020Z' }, { x: '2026-01-31T14:02:09.120Z' }, 'timestamp'],
    ['a time since the epoch', { created_at: 1772460127 }, { created_at: 1772460128 }, 'timestamp'],
    ['a duration', { tookMs: 12 }, { tookMs: 900 }, 'duration'],
    ['a duration in words', { elapsed: '1.2 s' }, { elapsed: '900 ms' }, 'duration'],
    ['a cursor', { nextCursor: 'eyJ' }, { nextCursor: 'eyK' }, 'cursor'],
    ['a token', { accessToken: 'aaaaaa' }, { accessToken: 'bbbbbb' }, 'token'],
    ['a text with a time', { text: 'Done at 14:02:07 in 12 ms' }, { text: 'Done at 14:05:00 in 1.5 s' }, 'timestamp'],
    [
      'a time in JSON in a text',
      { text: '{"createdAt":"2026-01-31T14:02:08Z"}' },
      { text: '{"createdAt":"2026-02-01T00:00:00Z"}' },
      'timestamp',
    ],
  ])('takes %s for volatile', (_name, before, after, kind) => {
    const found = diffResults(before, after);
    expect(found).toMatchObject({ isSame: false, isEquivalent: true });
    expect(found.changes.map(({ volatile }) => volatile)).toEqual([kind]);
    expect(diffResults(before, after, { ignoreVolatile: true })).toMatchObject({ changes: [], ignored: 1 });
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['a number called id', { id: 17 }, { id: 18 }],
    ['a title', { title: 'Dune' }, { title: 'Emma' }],
    ['a setting in milliseconds', { timeoutMs: 100 }, { timeoutMs: 200 }],
    ['a count of tokens', { tokenCount: 1 }, { tokenCount: 2 }],
    ['a small number called time', { time: 3 }, { time: 4 }],
    ['a cursor that ended', { nextCursor: 'eyJ' }, { nextCursor: null }],
    ['a text that says something else', { text: 'Done in 12 ms' }, { text: 'Failed in 12 ms' }],
    ['a UUID that became a word', { x: '6f9619ff-8b86-d011-b42d-00c04fc964ff' }, { x: 'none' }],
    ['a member that came', {}, { requestId: 'abc' }],
  ])('does not take %s for volatile', (_name, before, after) => {
    expect(diffResults(before, after)).toMatchObject({ isEquivalent: false, changes: [{ isVolatile: false }] });
  });

  it('takes the places for volatile that the caller names, with what is below', () => {
    const volatileAt = ['/rows/*/rank', '/meta'];
    const before = { rows: [{ rank: 1, n: 1 }], meta: { a: 1 } };
    const after = { rows: [{ rank: 2, n: 2 }], meta: { a: 2 } };
    expect(diffResults(before, after, { volatileAt }).changes.map(shorthand)).toEqual([
      'changed /meta/a 1 2 ~',
      'changed /rows/0/n 1 2',
      'changed /rows/0/rank 1 2 ~',
    ]);
  });

  it('leaves texts closed when it is told so', () => {
    const [before, after] = [{ text: '{"a":1}' }, { text: '{"a": 1}' }];
    expect(diffResults(before, after, { isTextOpened: false }).changes).toHaveLength(1);
  });

  it('says how much it leaves out', () => {
    const before = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 0]));
    const after = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 1]));
    const found = diffResults(before, after, { maxChanges: 5 });
    expect([found.changes.length, found.omitted]).toEqual([5, 15]);
  });

  it('compares long lists place by place', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `row ${index}`);
    const after = ['new', ...before.slice(0, -1)];
    const found = diffResults(before, after, { maxChanges: 1 });
    expect([found.changes[0]?.pointer, found.omitted]).toEqual(['/0', 19_999]);
  });

  it.each([
    ['too deep', (end: string) => JSON.parse('['.repeat(100_000) + end + ']'.repeat(100_000)) as JsonValue],
    ['too large', (end: string) => [...Array.from({ length: 200_001 }, () => 0), end === '' ? 0 : Number(end)]],
  ])('what is %s is compared as a whole', (_name, make) => {
    expect(diffResults(make('1'), make('2'))).toMatchObject({
      isCoarse: true,
      isSame: false,
      changes: [{ pointer: '' }],
    });
  });

  it('finds what a random edit did, and nothing else', () => {
    const base = {
      rows: Array.from({ length: 30 }, (_, index) => ({ n: index, tags: ['a', `t${index}`] })),
      note: 'x',
    };
    for (let index = 0; index < 30; index++) {
      const edited = structuredClone(base);
      const row = edited.rows[index];
      if (row !== undefined) {
        row.tags[1] = 'edited';
      }
      expect(diff(base, edited)).toEqual([`changed /rows/${index}/tags/1 "t${index}" "edited"`]);
    }
  });
});

describe('outcomeChange', () => {
  it.each([
    ['tool_error', 'success', 2, 1400, 'diff.changedOnAttempt'],
    ['tool_error', 'success', 1, 1400, 'diff.changed'],
    ['timeout', 'timeout', 3, 9000, 'diff.sameOnAttempt'],
    ['success', 'success', 1, 10, 'diff.same'],
  ] as const)('%s, then %s on attempt %i', (before, after, attempts, timeMs, code) => {
    const change = outcomeChange({ outcome: before, attempts: 1, timeMs: 5 }, { outcome: after, attempts, timeMs });
    expect(change).toEqual({
      code,
      args: { before, after, attempt: attempts, seconds: (timeMs / 1000).toFixed(1) },
    });
  });
});
