import { existsSync } from 'node:fs';
import path from 'node:path';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import { SilentByName, SilentTools } from '../../core/timeline/silentTools.ts';
import { isAboutHiding, isExplained } from '../../lint/hidingRules.ts';
import type { ToolDefinition } from '../../lint/toolDefinitions.ts';
import type { Finding } from '../../protocol/finding.ts';
import { findExtensionLog, thisMachine } from '../extensionLog.ts';
import type { Seen } from '../formats/lintReport.ts';
import { openTarget } from '../recorded.ts';
import type { Terminal } from '../terminal.ts';

/** What `--evidence` names the whole of the extension's log by. */
const WHOLE_LOG = 'log';

/** What a recording says of tools: their silent errors, by the tool's name, over all servers. */
export interface Evidence {
  /** Of the tools of a finding together; undefined when none of them was seen, or the finding is about something else. */
  of(finding: Finding): Seen | undefined;
  /** Findings for the tools of a file that were seen failing silently where no other finding says why. */
  unexplained(findings: readonly Finding[], tools: readonly ToolDefinition[]): readonly Finding[];
}

/**
 * Reads the silent errors of what `wanted` names: `log` for all that the extension recorded for this folder, a session of
 * it, or a log or session file. A sentence when there is no such thing, or not all of it could be read.
 */
export async function readEvidence(
  wanted: string,
  terminal: Terminal,
): Promise<Evidence | { readonly problem: string }> {
  const isFile = wanted !== WHOLE_LOG && existsSync(path.resolve(terminal.cwd, wanted));
  if (!isFile && findExtensionLog(terminal.cwd, thisMachine()) === undefined) {
    const what = wanted === WHOLE_LOG ? '' : `there is no file ${wanted}, and `;
    return { problem: `${what}the extension has recorded nothing for this folder` };
  }
  const target = await openTarget(wanted === WHOLE_LOG ? undefined : wanted, undefined, terminal);
  if ('problem' in target) {
    return target;
  }
  try {
    const silent = new SilentTools();
    const projector = new Correlator(judge);
    for await (const event of target.events()) {
      silent.apply(projector.push(event));
    }
    return target.recorded.hasProblems ? { problem: `${wanted} cannot be read in full` } : evidenceOf(silent);
  } finally {
    target.recorded.close();
  }
}

/** The evidence in silent errors that were counted. */
export function evidenceOf(silent: SilentTools): Evidence {
  const byName = new SilentByName(silent);
  return {
    of: (finding) => {
      const seen = finding.rule === SILENT.rule || isAboutHiding(finding) ? byName.of(finding.tools) : undefined;
      return seen === undefined ? undefined : { count: seen.count, lastUs: seen.lastUs };
    },
    unexplained: (findings, tools) =>
      tools
        .filter(({ name }) => byName.of([name]) !== undefined && !isExplained(name, findings))
        .map(({ name, range }) => ({ ...SILENT, range, args: { tool: name }, tools: [name] })),
  };
}

/** As the editor says it: what the wire knows and the source does not show. */
const SILENT = {
  rule: 'silent_error',
  name: 'silent-error',
  severity: 'info',
  confidence: 'high',
  message: '“{tool}” was seen returning an error as a success.',
  sdk: 'unknown',
  fixes: [],
} as const;
