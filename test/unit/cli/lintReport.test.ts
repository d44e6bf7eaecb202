import { describe, expect, it } from 'vitest';
import { type LocatedFinding, lintAsGithub, lintAsJson, lintAsText } from '../../../src/cli/formats/lintReport.ts';
import type { Finding } from '../../../src/protocol/finding.ts';

const finding: Finding = {
  rule: 'FL001',
  name: 'returned-error',
  severity: 'warning',
  confidence: 'high',
  range: { startLine: 41, startColumn: 8, endLine: 41, endColumn: 30 },
  message: 'a message, 100 % sure: {what}',
  args: { what: 'x' },
  tools: ['get_author'],
  sdk: 'py-fastmcp-v1',
  fixes: [],
};

const one: readonly LocatedFinding[] = [{ file: 'src/a,b.py', finding }];
const plain = (_style: string, text: string) => text;

describe('reports of the lint', () => {
  it('are one line a finding and a count as text', () => {
    expect(lintAsText(one, 3, plain)).toBe(
      'src/a,b.py:42:9 warning a message, 100 % sure: x FL001 returned-error, high confidence\nFL001: https://github.com/faultline/faultline/blob/main/docs/rules/FL001.md\n1 finding in 3 files.\n',
    );
    expect(lintAsText([], 1, plain)).toBe('No findings in 1 file.\n');
  });

  it('are an array of 1-based records as JSON', () => {
    expect(JSON.parse(lintAsJson(one))).toEqual([
      {
        file: 'src/a,b.py',
        line: 42,
        column: 9,
        endLine: 42,
        endColumn: 31,
        rule: 'FL001',
        name: 'returned-error',
        severity: 'warning',
        confidence: 'high',
        message: 'a message, 100 % sure: x',
        tool: 'get_author',
        sdk: 'py-fastmcp-v1',
        fixable: false,
      },
    ]);
    expect(lintAsJson([])).toBe('[]\n');
  });

  it.each<[readonly string[], string | null]>([
    [[], null],
    [['a', 'b'], 'a, b'],
  ])('name the tools %j as %j', (tools, expected) => {
    const [record] = JSON.parse(lintAsJson([{ file: 'a.py', finding: { ...finding, tools } }])) as { tool: unknown }[];
    expect(record?.tool).toBe(expected);
  });

  it.each([
    [1, 'a message, 100 % sure: x Seen once, at 2026-01-02T03:04:05.000Z.'],
    [14, 'a message, 100 % sure: x Seen 14 times, last at 2026-01-02T03:04:05.000Z.'],
  ])('say that a tool was seen %i times', (count, expected) => {
    const evidence = { count, lastUs: Date.UTC(2026, 0, 2, 3, 4, 5) * 1000 };
    const seen = [{ file: 'a.py', finding, evidence }];
    expect(lintAsText(seen, 1, plain)).toContain(expected);
    expect(lintAsGithub(seen)).toContain(expected.replace('%', '%25'));
    expect(JSON.parse(lintAsJson(seen))[0].evidence).toEqual({ count, last: '2026-01-02T03:04:05.000Z' });
  });

  it('are escaped workflow commands for GitHub', () => {
    expect(lintAsGithub(one)).toBe(
      '::warning file=src/a%2Cb.py,line=42,endLine=42,col=9,endColumn=31,title=FL001 returned-error::a message, 100 %25 sure: x%0Ahttps://github.com/faultline/faultline/blob/main/docs/rules/FL001.md\n',
    );
  });
});
