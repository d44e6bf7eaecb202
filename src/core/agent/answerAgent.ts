import type { z } from 'zod';
import { type AgentToolInput, type AgentToolName, agentToolInputs } from '../../protocol/agentTools.ts';
import { type AgentAnswer, type AgentSource, refused, told } from './agentSource.ts';
import { recentFailures } from './recentFailures.ts';
import { showExchange } from './showExchange.ts';

/** Longest report that is handed over, UTF-16 code units. */
const MAX_REPORT = 60_000;
const MAX_FINDINGS = 200;

const ANSWERS: { readonly [Name in AgentToolName]: Answer<Name> } = {
  recent_failures: recentFailures,
  show_exchange: showExchange,
  usability_report: usabilityReport,
  lint_findings: lintFindings,
};

type Answer<Name extends AgentToolName> = (input: AgentToolInput<Name>, source: AgentSource) => Promise<AgentAnswer>;

/**
 * Answers an agent's question. An input that does not fit is refused with a sentence that says what would, as the
 * specification asks of tools (MCP 2025-11-25, tools, error handling). Rejects only when the source does.
 */
export async function answerAgent<Name extends AgentToolName>(
  name: Name,
  input: unknown,
  source: AgentSource,
): Promise<AgentAnswer> {
  // Of a union of schemas the type of what was parsed is lost; it is that of the name's own.
  const schema: z.ZodType = agentToolInputs[name];
  const read = schema.safeParse(input ?? {});
  if (!read.success) {
    const issues = read.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
    return refused(`${name} cannot take this. ${issues.join('; ')}`);
  }
  return ANSWERS[name](read.data as AgentToolInput<Name>, source);
}

async function usabilityReport(
  { filter }: AgentToolInput<'usability_report'>,
  source: AgentSource,
): Promise<AgentAnswer> {
  const made = await source.report(filter);
  if ('problem' in made) {
    return refused(made.problem);
  }
  const { markdown } = made;
  return told(
    markdown.length > MAX_REPORT
      ? `${markdown.slice(0, MAX_REPORT)}\n\n(cut: ${markdown.length - MAX_REPORT} more characters; narrow it by a filter)`
      : markdown,
  );
}

async function lintFindings({ path }: AgentToolInput<'lint_findings'>, source: AgentSource): Promise<AgentAnswer> {
  const made = await source.findings(path);
  if ('problem' in made) {
    return refused(made.problem);
  }
  const { findings, files } = made;
  if (findings.length === 0) {
    return told(`No finding in ${files} source files of MCP servers.`);
  }
  const lines = findings.slice(0, MAX_FINDINGS).map(({ path: file, line, rule, severity, message, tools, seen }) => {
    const of = tools.length === 0 ? '' : ` (tool ${tools.join(', ')})`;
    const times = seen === 0 ? '' : ` Seen ${seen} times on the wire.`;
    return `${file}:${line}: ${severity} ${rule}: ${message}${of}${times}`;
  });
  const more = findings.length - lines.length;
  return told(
    [...lines, ...(more > 0 ? [`(${more} more findings; name a path to see those of a part)`] : [])].join('\n'),
  );
}
