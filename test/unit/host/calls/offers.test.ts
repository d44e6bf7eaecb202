import { describe, expect, it } from 'vitest';
import { listAll, promptArguments, resourceUri, templateFields } from '../../../../src/host/calls/offers.ts';
import { RememberedArguments, withoutSecrets } from '../../../../src/host/calls/remembered.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';

describe('what a server offers', () => {
  it.each<readonly [string, readonly (JsonValue | undefined)[], readonly string[]]>([
    ['every page', [{ r: [{ name: 'a' }], nextCursor: '' }, { r: [{ uri: 'x:b' }] }], ['a', 'x:b']],
    ['the pages before one that fails', [{ r: [{ name: 'a' }], nextCursor: '1' }, undefined], ['a']],
    [
      'a list whose cursors go in circles',
      [{ r: [{ name: 'a' }], nextCursor: '1' }, { r: [{ name: 'b' }], nextCursor: '1' }, { r: [{ name: 'c' }] }],
      ['a', 'b'],
    ],
    ['only what has a name', [{ r: [7, {}, { name: 'a' }] }], ['a']],
    ['nothing', [{ r: 7 }], []],
  ])('is read as %s', async (_name, pages, names) => {
    const left = [...pages];
    const listed = await listAll(async () => left.shift(), 'x/list', 'r');
    expect(listed.map(({ name }) => name)).toEqual(names);
  });

  it('asks for the arguments of a prompt, the required ones first', () => {
    const prompt = { name: 'p', arguments: [{ name: 'a' }, { name: 'b', required: true, description: 'B' }, 7] };
    expect(promptArguments(prompt)).toMatchObject([
      { name: 'b', isRequired: true, description: 'B' },
      { name: 'a', isRequired: false },
    ]);
    expect(promptArguments({})).toEqual([]);
  });

  it.each<readonly [string, JsonObject, string]>([
    ['file:///{path}', { path: 'a b/c' }, 'file:///a%20b%2Fc'],
    ['file:///{+path}', { path: 'a b/c' }, 'file:///a%20b/c'],
    ['x://a{?q,lang}', { q: '1&2', lang: '' }, 'x://a?q=1%262'],
    ['x://a{/one,two}', { one: '1', two: '2' }, 'x://a/1/2'],
    ['x://a{#part*}', { part: 'p' }, 'x://a#p'],
    ['x://plain', {}, 'x://plain'],
  ])('fills in %s', (template, values, uri) => {
    expect(resourceUri(template, values)).toBe(uri);
    expect(templateFields(template).map(({ name }) => name)).toEqual(Object.keys(values));
  });
});

describe('remembered arguments', () => {
  function memory() {
    const values = new Map<string, unknown>();
    return {
      get: <T>(key: string, fallback: T) => (values.get(key) as T | undefined) ?? fallback,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
  }

  it('are those of the last call of each tool', async () => {
    const remembered = new RememberedArguments(memory());
    await remembered.remember('a', { x: 1 });
    await remembered.remember('b', { y: 2 });
    await remembered.remember('a', { x: 3 });
    expect([remembered.of('a'), remembered.of('b'), remembered.of('c')]).toEqual([{ x: 3 }, { y: 2 }, undefined]);
  });

  it('are not kept when they are big, and only of the last two hundred tools', async () => {
    const remembered = new RememberedArguments(memory());
    for (let index = 0; index < 201; index += 1) {
      await remembered.remember(`tool ${index}`, { index });
    }
    await remembered.remember('tool 5', { text: 'x'.repeat(10_001) });
    expect([remembered.of('tool 0'), remembered.of('tool 5'), remembered.of('tool 1')]).toEqual([
      undefined,
      undefined,
      { index: 1 },
    ]);
  });

  it('hold no secrets, at any depth', () => {
    expect(
      withoutSecrets({ user: 'u', password: 'p', apiKey: 'k', nested: [{ access_token: 't', tokens: 5 }], n: null }),
    ).toEqual({ user: 'u', nested: [{ tokens: 5 }], n: null });
  });
});
