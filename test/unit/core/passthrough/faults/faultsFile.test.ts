import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { faultsSchema } from '../../../../../src/core/passthrough/faults/faultsFile.ts';
import { parseFaults } from '../../../../../src/core/passthrough/faults/parseFaults.ts';
import { FAULT_PROFILES } from '../../../../../src/core/passthrough/faults/profiles.ts';
import { FAULT_KINDS } from '../../../../../src/protocol/faults.ts';
import { faultTexts } from '../../../../../src/protocol/texts/faults.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const schema: unknown = JSON.parse(readFileSync(path.join(root, 'media/schemas/faults.schema.json'), 'utf8'));
const isValid = new Ajv({ strict: false, allErrors: true }).compile(schema as object);

const file = (rule: object, more: object = {}) => ({ faultlineFaults: 1, rules: [rule], ...more });
const drop = { type: 'dropAnswer' };
const withFault = (fault: object) => file({ fault });

/** At least one of each kind, with all that it can have. */
const faults: readonly object[] = [
  { type: 'latency', ms: 0 },
  { type: 'latency', ms: 600_000, jitterMs: 1.5 },
  { type: 'slowStream', bytesPerSecond: 1 },
  drop,
  { type: 'cut', atByte: 0 },
  { type: 'kill' },
  { type: 'error', code: -32603 },
  { type: 'error', code: 1, message: 'no', data: { any: [null] } },
  { type: 'httpStatus', status: 429, retryAfterSeconds: 0 },
  { type: 'httpStatus', status: 599 },
  { type: 'malformed', how: 'truncated' },
  { type: 'malformed', how: 'garbled' },
  { type: 'duplicateAnswer' },
  { type: 'wrongId' },
  { type: 'noise', text: 'x' },
  { type: 'toolError' },
  { type: 'toolError', text: '' },
  { type: 'partial' },
];

const valid: readonly object[] = [
  ...faults.map(withFault),
  file({ fault: drop, name: 'n', server: 's', tool: ['a', 'b*'], method: '*', transport: 'http' }),
  file({ fault: drop, after: 0, first: 1, every: 1, probability: 0, window: { fromMs: 0, toMs: 1 } }),
  file({ fault: drop, probability: 1, window: {} }, { name: '', seed: -7, $schema: 'x' }),
];

const invalid: readonly unknown[] = [
  {},
  [],
  null,
  { faultlineFaults: 1 },
  { faultlineFaults: 1, rules: [] },
  { faultlineFaults: 0, rules: [{ fault: drop }] },
  file({ fault: drop }, { more: 1 }),
  file({ fault: drop }, { seed: 1.5 }),
  file({}),
  file({ fault: drop, sever: 'shop' }),
  file({ fault: drop, server: '' }),
  file({ fault: drop, tool: [] }),
  file({ fault: drop, transport: 'sse' }),
  file({ fault: drop, first: -1 }),
  file({ fault: drop, every: 0 }),
  file({ fault: drop, probability: 1.1 }),
  file({ fault: drop, window: { from: 1 } }),
  withFault({}),
  withFault({ type: 'nonsense' }),
  withFault({ type: 'latency' }),
  withFault({ type: 'latency', ms: -1 }),
  withFault({ type: 'latency', ms: 600_001 }),
  withFault({ type: 'latency', ms: 1, jitter: 1 }),
  withFault({ type: 'slowStream', bytesPerSecond: 0 }),
  withFault({ type: 'cut', atByte: 0.5 }),
  withFault({ type: 'error' }),
  withFault({ type: 'httpStatus', status: 200 }),
  withFault({ type: 'httpStatus', status: 429, retryAfterSeconds: 1.5 }),
  withFault({ type: 'malformed' }),
  withFault({ type: 'malformed', how: 'burnt' }),
];

describe('the schema that editors use and the one that is read by', () => {
  it.each(valid.map((value) => [JSON.stringify(value), value]))('both take %s', (_, value) => {
    expect([isValid(value), faultsSchema.safeParse(value).success]).toEqual([true, true]);
  });

  it.each(invalid.map((value) => [JSON.stringify(value), value]))('both refuse %s', (_, value) => {
    expect([isValid(value), faultsSchema.safeParse(value).success]).toEqual([false, false]);
  });

  it('know the same kinds of faults, and each has its sentences', () => {
    expect([...new Set(faults.map((fault) => (fault as { type: string }).type))].sort()).toEqual(
      [...FAULT_KINDS].sort(),
    );
    for (const kind of FAULT_KINDS) {
      expect(Object.keys(faultTexts)).toEqual(
        expect.arrayContaining([`fault.injected.${kind}`, `fault.short.${kind}`]),
      );
    }
  });

  it('is in the manifest', () => {
    const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      contributes: { jsonValidation: unknown[] };
    };
    expect(contributes.jsonValidation).toContainEqual({
      fileMatch: '*.faultline-faults.json',
      url: './media/schemas/faults.schema.json',
    });
  });
});

it.each(Object.values(FAULT_PROFILES))('the profile $name is what a file could say', ({ name, rules }) => {
  expect(parseFaults(JSON.stringify({ faultlineFaults: 1, name, rules }))).toEqual({
    plan: { faultlineFaults: 1, name, rules },
  });
});

describe('a file of faults', () => {
  it('may have comments, trailing commas and a byte order mark', () => {
    const text = '\uFEFF{ // faults\n  "faultlineFaults": 1,\n  "rules": [{ "fault": { "type": "kill" }, },], }';
    expect(parseFaults(text)).toMatchObject({ plan: { rules: [{ fault: { type: 'kill' } }] } });
  });

  it.each([
    ['', 'fault.file.syntax', 1, 1],
    ['{\n  "faultlineFaults": 1,,\n}', 'fault.file.syntax', 2, 24],
    ['{ "faultlineFaults": 2, "rules": [] }', 'fault.file.newer', 1, 22],
    ['{ "faultlineFaults": 1,\n "rules": [] }', 'fault.file.tooSmall', 2, 11],
    ['{ "faultlineFaults": 1,\n "rules": [{\n "fault": { "type": "nope" } }] }', 'fault.file.wrongValue', 3, 21],
    [
      '{ "faultlineFaults": 1,\n "rules": [{\n "to": 1, "fault": { "type": "kill" } }] }',
      'fault.file.unknownMember',
      3,
      8,
    ],
    [
      '{ "faultlineFaults": 1,\n "rules": [{ "transport": "stdio", "fault": { "type": "httpStatus", "status": 429 } }] }',
      'fault.file.onlyHttp',
      2,
      27,
    ],
    [
      '{ "faultlineFaults": 1,\n "rules": [{ "fault": { "type": "latency", "ms": "1" } }] }',
      'fault.file.wrongType',
      2,
      50,
    ],
    [' '.repeat(1024 * 1024 + 1), 'fault.file.tooLong', 1, 1],
    ['['.repeat(100_000), 'fault.file.syntax', 1, 1],
  ])('tells what is wrong and where, %#', (text, code, line, column) => {
    const reading = parseFaults(text);
    expect('problems' in reading && reading.problems[0]).toMatchObject({ code, line, column });
    expect(Object.keys(faultTexts)).toContain(code);
  });
});
