import type { Severity } from '../../protocol/finding.ts';
import { findingRecord, type LocatedFinding } from './lintReport.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  hint: 'note',
};

/** The findings as SARIF 2.1.0 (OASIS standard), which code scanning services read. */
export function lintAsSarif(findings: readonly LocatedFinding[], version: string): string {
  const records = findings.map(findingRecord);
  const rules = new Map(records.map((record) => [record.rule, record.name]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'faultline', version, rules: [...rules].map(([id, name]) => ({ id, name })) } },
        columnKind: 'utf16CodeUnits',
        results: records.map((record) => ({
          ruleId: record.rule,
          level: levels[record.severity],
          message: { text: record.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(record.file) },
                region: {
                  startLine: record.line,
                  startColumn: record.column,
                  endLine: record.endLine,
                  endColumn: record.endColumn,
                },
              },
            },
          ],
          properties: { confidence: record.confidence, tool: record.tool, sdk: record.sdk },
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}
