import type { Finding } from '../protocol/finding.ts';

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
