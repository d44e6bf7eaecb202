import { describe, expect, it } from 'vitest';
import { lintAsSarif } from '../../../src/cli/formats/sarif.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import { isSarif } from '../support/sarifSchema.ts';

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** As much of SARIF as is looked at here. */
interface SarifLog {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly unknown[] } };
    readonly invocations: readonly unknown[];
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: Region };
      }[];
      readonly fixes?: readonly {
        readonly artifactChanges: readonly { readonly replacements: readonly unknown[] }[];
      }[];
    }[];
  }[];
}

function validated(text: string): SarifLog {
  const log = JSON.parse(text) as SarifLog;
  isSarif(log);
  expect(isSarif.errors).toBeNull();
  return log;
}

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
  validated(
    lintAsSarif(
      files.map(([file, one]) => ({ file, finding: one })),
      '1.2.3',
      isSuccessful,
    ),
  );

describe('SARIF', () => {
  it.each([
    ['a member that is none', { version: '2.1.0', runs: [], extra: 1 }],
    [
      'a line 0',
      {
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'x' } },
            results: [
              {
                message: { text: 'x' },
                locations: [{ physicalLocation: { artifactLocation: { uri: 'a' }, region: { startLine: 0 } } }],
              },
            ],
          },
        ],
      },
    ],
    ['a URI that is none', { version: '2.1.0', runs: [{ tool: { driver: { name: 'x', informationUri: 'a b' } } }] }],
  ])('has a schema that refuses %s', (_name, log) => {
    expect(isSarif(log)).toBe(false);
  });

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
