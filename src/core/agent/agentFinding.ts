import { safeLine } from '../../base/safeText.ts';
import { formatText } from '../../base/text.ts';
import type { Finding } from '../../protocol/finding.ts';
import { TEXTS } from '../../protocol/texts.ts';
import type { AgentFinding } from './agentSource.ts';

/** Longest sentence, UTF-16 code units: it may quote the source at any length. */
const MAX_MESSAGE = 400;

/** A finding as an agent is told it. `path` is relative, with slashes; `seen` counts what the wire showed of its tools. */
export function agentFinding(path: string, finding: Finding, seen: number): AgentFinding {
  return {
    path,
    line: finding.range.startLine + 1,
    rule: `${finding.rule} ${finding.name}`,
    severity: finding.severity,
    message: safeLine(formatText(TEXTS[finding.message] ?? finding.message, finding.args), MAX_MESSAGE),
    tools: finding.tools,
    seen,
  };
}
