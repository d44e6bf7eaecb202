import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseSuite } from '../../../../../src/core/replay/suites/parseSuite.ts';
import {
  EXPECTED_OUTCOMES,
  JSON_TYPES,
  SUITE_ENDING,
  suiteSchema,
} from '../../../../../src/core/replay/suites/suiteFile.ts';
import { REVISIONS } from '../../../../../src/protocol/revisions.ts';

const file = path.resolve(import.meta.dirname, '../../../../../media/schemas/suite.schema.json');
const schema = JSON.parse(readFileSync(file, 'utf8'));
const validate = new Ajv({ strict: false }).compile(schema);

const ok = { faultlineSuite: 1, server: 'a', cases: [{ name: 'a', method: 'ping', expect: { outcome: 'success' } }] };
const withCase = (more: object) => ({ ...ok, cases: [{ ...ok.cases[0], ...more }] });
const withMatcher = (matcher: unknown) => withCase({ expect: { outcome: 'success', matches: [matcher] } });
const { cases: _cases, ...withoutCases } = ok;

const good: readonly unknown[] = [
  ok,
  { ...ok, name: 'n', $schema: 'x', trustAnnotations: true, allowWrites: false, timeoutMs: 100 },
  {
    ...ok,
    server: { command: 'node', args: ['a'], env: { A: 'b' }, envFile: 'e', cwd: '/', versions: ['2025-11-25'] },
  },
  { ...ok, server: { type: 'stdio', command: 'node' } },
  { ...ok, server: { url: 'http://127.0.0.1/', headers: { a: 'b' } } },
  { ...ok, server: { type: 'sse', url: 'http://127.0.0.1/' } },
  { ...ok, setup: [{ method: 'ping', name: 's', params: {}, isSafe: true, timeoutMs: 200 }], teardown: [] },
  withCase({ isSafe: true, isFresh: true, maxAttempts: 10, timeoutMs: 600_000, params: { a: [1, null] } }),
  withCase({ expect: { outcome: 'protocol_error', code: -32602, ignore: ['', '/a/*'], maxMs: 1 } }),
  ...EXPECTED_OUTCOMES.map((outcome) => withCase({ expect: { outcome } })),
  ...JSON_TYPES.map((type) => withMatcher({ at: '/a', type })),
  ...REVISIONS.map((revision) => ({ ...ok, server: { command: 'a', versions: [revision] } })),
  withMatcher({ exact: null }),
  withMatcher({ at: '', equals: { a: 1 } }),
  withMatcher({ at: '/~1a', subset: [] }),
  withMatcher({ contains: '' }),
  withMatcher({ pattern: '^a+$' }),
  withMatcher({ at: '/a\nb', exists: true }),
  withMatcher({ absent: true }),
];

const bad: readonly unknown[] = [
  null,
  [],
  {},
  withoutCases,
  { ...ok, faultlineSuite: 2 },
  { ...ok, cases: [] },
  { ...ok, more: 1 },
  { ...ok, server: '' },
  { ...ok, server: {} },
  { ...ok, server: { command: 'a', url: 'b' } },
  { ...ok, server: { command: 'a', args: 'b' } },
  { ...ok, server: { command: 'a', env: { A: 1 } } },
  { ...ok, server: { command: 'a', versions: ['1999-01-01'] } },
  { ...ok, server: { type: 'stdio', url: 'b' } },
  { ...ok, timeoutMs: 99 },
  { ...ok, timeoutMs: 1000.5 },
  { ...ok, setup: [{}] },
  { ...ok, setup: [{ method: 'ping', expect: { outcome: 'success' } }] },
  withCase({ name: '' }),
  withCase({ name: 'x'.repeat(501) }),
  withCase({ method: 1 }),
  withCase({ params: [] }),
  withCase({ isSafe: 'yes' }),
  withCase({ maxAttempts: 0 }),
  withCase({ maxAttempts: 11 }),
  withCase({ expect: {} }),
  withCase({ expect: { outcome: 'pending' } }),
  withCase({ expect: { outcome: 'cancelled' } }),
  withCase({ expect: { outcome: 'success', code: 'x' } }),
  withCase({ expect: { outcome: 'success', ignore: ['a'] } }),
  withCase({ expect: { outcome: 'success', maxMs: 0 } }),
  withMatcher({}),
  withMatcher({ at: 'a', exists: true }),
  withMatcher({ exists: false }),
  withMatcher({ absent: false }),
  withMatcher({ type: 'date' }),
  withMatcher({ pattern: '' }),
  withMatcher({ pattern: 'a', contains: 'a' }),
  withMatcher({ contains: 1 }),
  withMatcher('a'),
];

const membersOf = (value: unknown, found = new Set<string>()): ReadonlySet<string> => {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'properties') {
        for (const name of Object.keys(inner)) {
          found.add(name);
        }
      }
      membersOf(inner, found);
    }
  }
  return found;
};

describe('the schema of suites, by which the editor completes', () => {
  it.each(good.map((value) => [JSON.stringify(value).slice(0, 120), value] as const))(
    'takes, as the reader does: %s',
    (_, value) => {
      const reading = parseSuite(JSON.stringify(value));
      expect({ problems: 'problems' in reading ? reading.problems : [], schema: validate(value) }).toEqual({
        problems: [],
        schema: true,
      });
    },
  );

  it.each(bad.map((value) => [JSON.stringify(value).slice(0, 120), value] as const))(
    'refuses, as the reader does: %s',
    (_, value) => {
      const reading = parseSuite(JSON.stringify(value));
      expect({ reader: 'problems' in reading && reading.problems.length > 0, schema: validate(value) }).toEqual({
        reader: true,
        schema: false,
      });
    },
  );

  it('is what the editor completes by', () => {
    const manifest = path.resolve(import.meta.dirname, '../../../../../package.json');
    expect(JSON.parse(readFileSync(manifest, 'utf8')).contributes.jsonValidation).toContainEqual({
      fileMatch: `*${SUITE_ENDING}`,
      url: './media/schemas/suite.schema.json',
    });
  });

  it('has the same members as the reader', () => {
    const own = z.toJSONSchema(suiteSchema, { unrepresentable: 'any' });
    expect([...membersOf(schema)].sort()).toEqual([...membersOf(own)].sort());
  });
});
