import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ANOMALY_GROUPS,
  ANOMALY_KINDS,
  ANOMALY_SEVERITIES,
  type AnomalyCode,
  type AnomalyGroup,
  type AnomalyKind,
} from '../../../../../src/protocol/anomaly.ts';
import { ERROR_CODES, type ErrorCodeEntry } from '../../../../../src/protocol/errorCodes.ts';
import { TEXTS } from '../../../../../src/protocol/texts.ts';

const file = path.resolve(import.meta.dirname, '../../../../../docs/anomalies.md');
const kinds = Object.entries(ANOMALY_KINDS) as readonly (readonly [AnomalyCode, AnomalyKind])[];

const titles: Readonly<Record<AnomalyGroup, string>> = {
  transport: 'On the wire',
  protocol: 'Rules of the revision',
  correlation: 'Who answers whom',
  codes: 'Numbers of errors',
  deprecated: 'Deprecated',
  tools: 'What servers say of their tools',
  performance: 'Time and size',
  security: 'What the model is given to read',
};

const cell = (text: string | undefined) => (text ?? '').replaceAll('|', '\\|').replaceAll(/\{(\w+)\}/g, '_$1_');

function table(group: AnomalyGroup): string {
  const rows = kinds
    .filter(([, kind]) => kind.group === group)
    .map(([code, { severity, source }]) => {
      const [sentence, remedy] = [TEXTS[`anomaly.${code}`], TEXTS[`anomaly.${code}.remedy`]].map(cell);
      return `| \`${code}\` | ${severity} | ${sentence} | ${remedy} | ${source} |`;
    });
  return ['| code | severity | what it says | what to do | source |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function revisions({ from, until }: ErrorCodeEntry): string {
  return from === undefined
    ? '–'
    : until === undefined
      ? `from ${from}`
      : from === until
        ? from
        : `${from} to ${until}`;
}

function codeTable(): string {
  const rows = ERROR_CODES.map(
    (entry) =>
      `| ${entry.code} | ${entry.name} | ${entry.sender} | ${revisions(entry)} | ${cell(TEXTS[`code.${entry.code}.advice`])} |`,
  );
  return [
    '| code | name | who may send it | revisions | what to do |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function page(): string {
  return `# Anomalies

Beside its outcome an exchange can carry anomalies: what is unusual, breaks a rule, or is likely to hurt later. None of them
changes the outcome. Each has a severity, a sentence, a remedy, and the message in which it was seen. A test writes this page
from the tables in \`src/protocol/anomaly.ts\` and \`src/protocol/errorCodes.ts\`.

| severity | meaning |
| --- | --- |
| chat | how things went, worth a word |
| note | unusual |
| warn | breaks a rule, or is likely to hurt |
| error | breaks a rule, so that a client may not get on with it |

Rules are those of the revision that is spoken, request by request. What was before the record began is not held against
anybody. One exchange tells the same at most three times.

${ANOMALY_GROUPS.map((group) => `## ${titles[group]}\n\n${table(group)}`).join('\n\n')}

## Codes of errors

The number alone never decides an outcome. Codes from -32000 to -32019 mean what each implementation wants.

${codeTable()}

## What callers do

Found in the tool calls of any client, one record for each connection and tool. A client's own attempts and replays by a person
do not count.

| kind | when |
| --- | --- |
| blind retry | the same tool with the same arguments, after the call before had failed and nothing had succeeded in between |
| loop | three such calls in a row, or as many as the setting says |
| possible duplicate | a call that may have been executed, of a tool that does not say that repeating is harmless, sent again |
| recovery | a success with other arguments, after an error that the caller was told of; says which arguments changed |
`;
}

/** The formatter aligns the columns of tables. */
function unaligned(markdown: string): string {
  return markdown.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---');
}

describe('docs/anomalies.md', () => {
  it('says what the tables say; UPDATE_DOCS=1 writes it, to be formatted', () => {
    if (process.env['UPDATE_DOCS'] === '1') {
      writeFileSync(file, page());
    }
    expect(unaligned(readFileSync(file, 'utf8'))).toBe(unaligned(page()));
  });
});

describe('every anomaly', () => {
  it.each(kinds)('%s has a severity, a group, a source, a sentence and a remedy', (code, kind) => {
    expect(ANOMALY_SEVERITIES).toContain(kind.severity);
    expect(ANOMALY_GROUPS).toContain(kind.group);
    expect([kind.source, TEXTS[`anomaly.${code}`], TEXTS[`anomaly.${code}.remedy`]].every(Boolean)).toBe(true);
  });

  it('is found by some test', () => {
    const tests = ['protocol', 'correlation', 'content'].map((name) =>
      readFileSync(path.join(import.meta.dirname, `${name}.test.ts`), 'utf8'),
    );
    const bounds = readFileSync(path.join(import.meta.dirname, '../bounds.test.ts'), 'utf8');
    const all = [...tests, bounds].join('\n');
    expect(kinds.map(([code]) => code).filter((code) => !new RegExp(`\\b${code}\\b`).test(all))).toEqual([]);
  });
});

describe('every code in the table', () => {
  it.each(ERROR_CODES.map(({ code }) => [code]))('%i says what to do', (code) => {
    expect(TEXTS[`code.${code}.advice`]).toMatch(/\.$/);
  });
});
