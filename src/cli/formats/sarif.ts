import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatText } from '../../base/text.ts';
import type { Finding, Fix, Severity, SourceRange } from '../../protocol/finding.ts';
import { TEXTS } from '../../protocol/texts.ts';
import { findingRecord, type LocatedFinding, pageOf, sentenceOf } from './lintReport.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  hint: 'note',
};

const HOME = 'https://github.com/faultline/faultline';

/** The findings as SARIF 2.1.0 (OASIS standard), which code scanning services read. */
export function lintAsSarif(findings: readonly LocatedFinding[], version: string, isSuccessful: boolean): string {
  const rules = new Map(findings.map(({ finding }) => [finding.rule, finding.name]));
  const indexes = new Map([...rules.keys()].map((id, index) => [id, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'faultline',
            version,
            informationUri: HOME,
            rules: [...rules].map(([id, name]) => ({ id, name, helpUri: pageOf(id) })),
          },
        },
        invocations: [{ executionSuccessful: isSuccessful }],
        columnKind: 'utf16CodeUnits',
        results: findings.map((located) => resultOf(located, indexes.get(located.finding.rule) ?? 0)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function resultOf(located: LocatedFinding, ruleIndex: number) {
  const { finding } = located;
  const record = findingRecord(located);
  const artifactLocation = { uri: uriOf(located.file) };
  return {
    ruleId: record.rule,
    ruleIndex,
    level: levels[record.severity],
    message: { text: sentenceOf(record) },
    locations: [{ physicalLocation: { artifactLocation, region: regionOf(finding.range) } }],
    ...(finding.fixes.length === 0 ? {} : { fixes: fixesOf(finding, artifactLocation) }),
    properties: {
      confidence: record.confidence,
      tool: record.tool,
      sdk: record.sdk,
      ...(record.evidence === undefined ? {} : { evidence: record.evidence }),
    },
  };
}

function fixesOf({ fixes }: Finding, artifactLocation: { readonly uri: string }) {
  return fixes.map(({ title, args, edits }: Fix) => ({
    description: { text: formatText(TEXTS[title] ?? title, args) },
    artifactChanges: [
      {
        artifactLocation,
        replacements: edits.map(({ range, newText }) => ({
          deletedRegion: regionOf(range),
          insertedContent: { text: newText },
        })),
      },
    ],
  }));
}

/** Lines and columns from 1, the end exclusive (SARIF 3.30). */
function regionOf({ startLine, startColumn, endLine, endColumn }: SourceRange) {
  return { startLine: startLine + 1, startColumn: startColumn + 1, endLine: endLine + 1, endColumn: endColumn + 1 };
}

/** Relative to the working directory where the file is inside it (SARIF 3.4.3), else a `file:` URI. */
function uriOf(file: string): string {
  return path.isAbsolute(file) ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');
}
