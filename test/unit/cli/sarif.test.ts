import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { lintAsSarif } from '../../../src/cli/formats/sarif.ts';
import type { Finding } from '../../../src/protocol/finding.ts';

// What SARIF 2.1.0 (sarif-schema-2.1.0.json) says of the members that are used. Strict: its objects allow no others.
const message = z.strictObject({ text: z.string().min(1) });
const artifactLocation = z.strictObject({
  uri: z.string().refine((uri) => URL.canParse(uri, 'file:///root/') && !/[\s\\]/.test(uri)),
});
const place = z.int().min(1);
const region = z.strictObject({ startLine: place, startColumn: place, endLine: place, endColumn: place });
const propertyBag = z.record(z.string(), z.unknown());
const fix = z.strictObject({
  description: message,
  artifactChanges: z
    .array(
      z.strictObject({
        artifactLocation,
        replacements: z
          .array(z.strictObject({ deletedRegion: region, insertedContent: z.strictObject({ text: z.string() }) }))
          .min(1),
      }),
    )
    .min(1),
});
const result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.int().min(-1),
  level: z.enum(['none', 'note', 'warning', 'error']),
  message,
  locations: z.array(z.strictObject({ physicalLocation: z.strictObject({ artifactLocation, region }) })),
  fixes: z.array(fix).optional(),
  properties: propertyBag,
});
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          version: z.string(),
          informationUri: z.url(),
          rules: z.array(z.strictObject({ id: z.string(), name: z.string(), helpUri: z.url() })),
        }),
      }),
      invocations: z.array(z.strictObject({ executionSuccessful: z.boolean() })),
      columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
      results: z.array(result),
    }),
  ),
});

const finding: Finding = {
  rule: 'FL001',
  name: 'returned-error',
  severity: 'warning',
  confidence: 'high',
  range: { startLine: 41, startColumn: 8, endLine: 41, endColumn: 30 },
  message: 'a message: {what}',
  args: { what: 'x' },
  tools: ['get_author'],
  sdk: 'ts-mcpserver-v1',
  fixes: [
    {
      title: 'lint.fix.setErrorFlag',
      args: {},
      isSafe: true,
      isPreferred: true,
      edits: [{ range: { startLine: 41, startColumn: 17, endLine: 41, endColumn: 17 }, newText: 'isError: true, ' }],
    },
  ],
};
const hint: Finding = {
  ...finding,
  rule: 'FL010',
  name: 'missing-annotations',
  severity: 'hint',
  tools: [],
  fixes: [],
};

const logOf = (files: readonly (readonly [string, Finding])[], isSuccessful = true) =>
  sarif.parse(
    JSON.parse(
      lintAsSarif(
        files.map(([file, one]) => ({ file, finding: one })),
        '1.2.3',
        isSuccessful,
      ),
    ),
  );

describe('SARIF', () => {
  it('is valid without findings', () => {
    expect(logOf([]).runs[0]?.results).toEqual([]);
  });

  it('names each rule once, with its page', () => {
    const run = logOf([
      ['a.ts', finding],
      ['a.ts', hint],
      ['b.ts', finding],
    ]).runs[0];
    expect(run?.tool.driver.rules).toEqual([
      {
        id: 'FL001',
        name: 'returned-error',
        helpUri: 'https://github.com/faultline/faultline/blob/main/docs/rules/FL001.md',
      },
      {
        id: 'FL010',
        name: 'missing-annotations',
        helpUri: 'https://github.com/faultline/faultline/blob/main/docs/rules/FL010.md',
      },
    ]);
    expect(run?.results.map(({ ruleId, ruleIndex, level }) => [ruleId, ruleIndex, level])).toEqual([
      ['FL001', 0, 'warning'],
      ['FL010', 1, 'note'],
      ['FL001', 0, 'warning'],
    ]);
  });

  it('places a finding and its fixes, counting from 1', () => {
    const first = logOf([['a.ts', finding]]).runs[0]?.results[0];
    expect(first?.message.text).toBe('a message: x');
    expect(first?.locations[0]?.physicalLocation.region).toEqual({
      startLine: 42,
      startColumn: 9,
      endLine: 42,
      endColumn: 31,
    });
    expect(first?.fixes?.[0]?.artifactChanges[0]?.replacements).toEqual([
      {
        deletedRegion: { startLine: 42, startColumn: 18, endLine: 42, endColumn: 18 },
        insertedContent: { text: 'isError: true, ' },
      },
    ]);
  });

  it.each([
    ['src/a b,ü#1.py', 'src/a%20b%2C%C3%BC%231.py'],
    ['/abs/a b.py', 'file:///abs/a%20b.py'],
  ])('names %s as %s', (file, uri) => {
    expect(logOf([[file, finding]]).runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it('says when some file could not be linted', () => {
    expect(logOf([], false).runs[0]?.invocations).toEqual([{ executionSuccessful: false }]);
  });
});
