import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { answer, ask } from './anomalies/found.ts';
import { finalStates, recorded } from './support.ts';

const resultOf = (value: JsonValue): JsonObject => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return value === null ? { content: [] } : { content: [{ type: 'text', text }] };
};

/** Calls a tool once for each answer; gives the outcome of the last one and why. */
function last(tool: string, answers: readonly JsonValue[]): string {
  const bodies = answers.flatMap((value, id) => [
    ask(id, 'tools/call', { name: tool, arguments: { n: id } }),
    answer(id, resultOf(value)),
  ]);
  const verdict = finalStates(recorded(bodies)).at(-1)?.verdict;
  return [verdict?.outcome, ...(verdict?.signals.map(({ code, strength }) => `${code} ${strength}`) ?? [])].join(' ');
}

const weather = (celsius: number) => ({ city: 'Rome', celsius });
const three = [weather(20), weather(21), weather(22)];
const spoken = ['Light 1 is on.', 'Light 2 is on.', 'Light 3 is on.'];
const unlike = 'silent_error signal.silent.unlikeBefore medium';
const shape = 'silent_error signal.silent.shapeUnlikeBefore medium';
const nothing = 'silent_error signal.silent.emptyUnlikeBefore medium';

type Case = readonly [name: string, tool: string, before: readonly JsonValue[], now: JsonValue, expected: string];

const cases: readonly Case[] = [
  ['nothing where there always was something', 'get_weather', three, null, nothing],
  ['"null" where there always was something', 'get_weather', three, 'null', nothing],
  ['members that are all null', 'get_weather', three, { city: null, celsius: null }, nothing],
  ['nothing, after too few answers', 'get_weather', three.slice(1), null, 'success'],
  ['nothing, as once before', 'get_weather', [...three, null, ...three].slice(3), null, 'success'],
  ['nothing from a search', 'search_notes', three, null, 'success'],
  ['an empty list where there were some', 'get_notes', [[1], [2], [3]], [], 'success'],

  ['a message where there always were data', 'get_weather', three, { message: 'Bad credentials', url: 'x' }, shape],
  ['a message beside the data', 'get_weather', three, { ...weather(3), message: 'Bad credentials' }, 'success'],
  ['other data', 'get_weather', three, { forecast: [1, 2] }, 'success'],
  ['a message of nothing found', 'get_weather', three, { message: 'No results found' }, 'success'],
  [
    'a message as always',
    'ask_model',
    [{ message: 'a' }, { message: 'b' }, { message: 'c' }],
    { message: 'not now' },
    'success',
  ],

  [
    'a denial where there always were data',
    'get_weather',
    three,
    'Rome is not a place that this service covers.',
    unlike,
  ],
  ['a denial in Spanish', 'get_weather', three, 'Roma: servicio fuera de línea, error 17', unlike],
  ['a denial in Japanese', 'get_weather', three, 'ローマの天気は現在、取得できない状態です', unlike],
  ['a denial in Russian', 'get_weather', three, 'Сервис погоды сейчас не работает', unlike],
  [
    'a denial in Turkish',
    'get_weather',
    three,
    'Roma için veri alınamadı',
    'silent_error signal.silent.wording strong signal.silent.unlikeBefore medium',
  ],
  ['words without a denial', 'get_weather', three, 'Sunny all day.', 'success'],
  ['a question', 'get_weather', three, 'Which Rome, and not the one in Georgia?', 'success'],
  ['a denial that has company', 'get_weather', [...three, 'Rome is warm.'], 'Paris was not warm.', 'success'],
  [
    'words of a speaking tool that never spoke so',
    'switch_light',
    spoken,
    'Bulb 7 did not answer',
    'silent_error signal.silent.wording medium signal.silent.unlikeBefore medium',
  ],
  ['words that begin as always', 'switch_light', spoken, 'Light 4 is on, not dimmed.', 'success'],
  ['a mild denial of a speaking tool', 'switch_light', spoken, 'Done, no change.', 'success'],
  ['a bad report', 'check_links', spoken, 'Two links were rejected.', 'success'],
  ['a text that is made', 'translate', three, 'Das ist nicht möglich.', 'success'],
];

describe("a tool's own history", () => {
  it.each(cases)('%s', (_name, tool, before, now, expected) => {
    expect(last(tool, [...before, now])).toBe(expected);
  });

  it('is not made of failures', () => {
    const failures = Array.from({ length: 5 }, () => 'Error: no network');
    expect(last('get_weather', [...failures, null])).toBe('success');
  });
});
