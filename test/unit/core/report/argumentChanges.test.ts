import { describe, expect, it } from 'vitest';
import { argumentChanges } from '../../../../src/core/report/argumentChanges.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';

const request = (args: JsonValue | undefined, id = 1) => ({
  raw: JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 't', ...(args === undefined ? {} : { arguments: args }) },
  }),
  id,
});
const asIs = (json: string) => json;

/** `<kind> <pointer> <before> → <after>` of each. */
function changes(before: JsonValue | undefined, after: JsonValue | undefined): readonly string[] | undefined {
  return argumentChanges(request(before), request(after), asIs)?.changes.map(
    ({ kind, pointer, before: was = '', after: is = '' }) => `${kind} ${pointer} ${was} → ${is}`,
  );
}

const cases: readonly (readonly [string, JsonValue | undefined, JsonValue | undefined, readonly string[]])[] = [
  ['a value', { city: 'Rom' }, { city: 'Rome' }, ['changed /city "Rom" → "Rome"']],
  ['a type', { n: '1' }, { n: 1 }, ['changed /n "1" → 1']],
  ['what was added', {}, { unit: 'C' }, ['added /unit  → "C"']],
  ['what was left out', { unit: 'C' }, {}, ['removed /unit "C" → ']],
  ['where it is deep', { a: { b: [1, 2] } }, { a: { b: [1, 3] } }, ['changed /a/b/1 2 → 3']],
  ['nothing but the order', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ['arguments that were not there', undefined, { a: 1 }, ['added /a  → 1']],
  ['names that are pointers', { 'a/b~c': 1 }, { 'a/b~c': 2 }, ['changed /a~1b~0c 1 → 2']],
  ['a name of the prototype', {}, JSON.parse('{"__proto__": 1}'), ['added /__proto__  → 1']],
];

describe('what was changed to recover', () => {
  it.each(cases)('%s', (_, before, after, expected) => expect(changes(before, after)).toEqual(expected));

  it('is cut where there is much of it', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, index]));
    const found = argumentChanges(request({}), request({ ...many, k0: 'x'.repeat(200) }), asIs);
    expect(found).toMatchObject({ omitted: 12 });
    expect(found?.changes).toHaveLength(8);
    expect(found?.changes.every(({ after = '' }) => after.length <= 81)).toBe(true);
  });

  it('shows no secret', () => {
    const redact = (json: string) => json.replaceAll('hunter2', '[redacted]');
    expect(argumentChanges(request({ key: 'a' }), request({ key: 'hunter2' }), redact)?.changes).toEqual([
      { pointer: '/key', kind: 'changed', before: '"a"', after: '"[redacted]"' },
    ]);
  });

  it('finds its request in a batch', () => {
    const batch = {
      raw: JSON.stringify([JSON.parse(request({ a: 1 }, 1).raw), JSON.parse(request({ a: 2 }, 2).raw)]),
      id: 2,
    };
    expect(argumentChanges(batch, request({ a: 3 }), asIs)?.changes).toEqual([
      { pointer: '/a', kind: 'changed', before: '2', after: '3' },
    ]);
  });

  it.each([
    ['no JSON', '{'],
    ['no request', '[]'],
    ['no parameters', '{"id":1}'],
    ['a list of arguments', '{"id":1,"params":{"arguments":[1]}}'],
  ])('is nothing of %s', (_, raw) => expect(argumentChanges({ raw, id: 1 }, request({}), asIs)).toBeUndefined());

  it('is nothing where a pattern of the user breaks the JSON', () => {
    expect(argumentChanges(request({}), request({ a: 1 }), () => 'gone')).toBeUndefined();
  });
});
