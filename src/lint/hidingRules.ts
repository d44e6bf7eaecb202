import type { Finding } from '../protocol/finding.ts';
import type { ToolDefinition } from './toolDefinitions.ts';

/** The rules about failures that look like successes: what a silent error on the wire is evidence of. */
const HIDING_RULES: ReadonlySet<string> = new Set(['FL001', 'FL002', 'FL006', 'FL011']);

/** Whether a silent error of its tools on the wire is what a finding is about. */
export function isAboutHiding({ rule }: Pick<Finding, 'rule'>): boolean {
  return HIDING_RULES.has(rule);
}

/** Whether one of a file's findings says why `tool` fails silently. One that names no tool is of a low-level handler, about all. */
export function isExplained(tool: string, findings: readonly Pick<Finding, 'rule' | 'tools'>[]): boolean {
  return findings.some(
    (finding) => isAboutHiding(finding) && (finding.tools.length === 0 || finding.tools.includes(tool)),
  );
}

/** Where a tool that fails silently stands: at the finding that says so, else where it is defined. Lines from 1. */
export interface SilentPlace {
  readonly line: number;
  readonly rule?: string;
}

/** The place of a tool in a file, if it is a better one than `known`, which another file gave: a finding says more than a definition. */
export function silentPlace(
  { name, range }: ToolDefinition,
  findings: readonly Finding[],
  known: SilentPlace | undefined,
): SilentPlace | undefined {
  const finding = findings.find((one) => isAboutHiding(one) && one.tools.includes(name));
  if (known !== undefined && (known.rule !== undefined || finding === undefined)) {
    return undefined;
  }
  const line = 1 + (finding?.range ?? range).startLine;
  return finding === undefined ? { line } : { line, rule: finding.rule };
}
