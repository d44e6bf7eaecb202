import { describe, expect, it } from 'vitest';
import { paramHeaderProblem } from '../../../../src/core/client/paramHeaders.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';

const argument = (header: JsonValue, type: JsonValue = 'string') => ({ type, 'x-mcp-header': header });
const tool = (properties: Record<string, JsonValue>, more: Record<string, JsonValue> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('headers that a tool asks for', () => {
  it.each<[string, JsonValue | undefined, string | undefined]>([
    ['no schema', undefined, undefined],
    ['none', tool({ a: { type: 'string' } }), undefined],
    [
      'fit ones',
      tool({ a: argument('Region'), b: argument('Count', 'integer'), c: argument('On', 'boolean') }),
      undefined,
    ],
    ['a nested one', tool({ a: tool({ b: argument('Region') }) }), undefined],
    ['data that looks like one', tool({ a: { type: 'object', default: argument('Region') } }), undefined],
    ['an argument of that very name', tool({ 'x-mcp-header': { type: 'string' } }), undefined],
    ['an empty name', tool({ a: argument('') }), 'no name'],
    ['a name with a space', tool({ a: argument('My Region') }), 'no name'],
    ['a name with a line end', tool({ a: argument('A\r\nB') }), 'no name'],
    ['a number for a name', tool({ a: argument(7) }), 'no name'],
    ['an object', tool({ a: argument('A', 'object') }), 'neither string'],
    ['a number', tool({ a: argument('A', 'number') }), 'neither string'],
    ['two types', tool({ a: argument('A', ['string', 'null']) }), 'neither string'],
    ['the same twice', tool({ a: argument('Region'), b: argument('region') }), 'twice'],
    ['the root', { ...tool({}), 'x-mcp-header': 'A' }, 'no argument'],
    ['below items', tool({ a: { type: 'array', items: argument('A') } }), 'no argument'],
    ['below anyOf', tool({ a: { anyOf: [argument('A')] } }), 'no argument'],
    ['below definitions', tool({}, { $defs: { a: tool({ b: argument('A') }) } }), 'no argument'],
  ])('%s', (_name, schema, problem) => {
    const found = paramHeaderProblem(schema);
    expect(problem === undefined ? found : found?.includes(problem)).toBe(problem === undefined ? undefined : true);
  });

  it('are not looked for without end', () => {
    let deep: JsonValue = argument('');
    for (let depth = 0; depth < 10_000; depth += 1) {
      deep = tool({ a: deep });
    }
    expect(paramHeaderProblem(deep)).toBeUndefined();
  });
});
