import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { AgentFinding, AgentFindings } from '../../core/agent/agentSource.ts';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import { SilentTools } from '../../core/timeline/silentTools.ts';
import { languageOf } from '../../lint/engine.ts';
import { isAboutHiding } from '../../lint/hidingRules.ts';
import type { LogEvent } from '../../protocol/events.ts';
import { sentence } from '../formats/verdictText.ts';
import { ConfigFinder } from '../lint/configFinder.ts';
import { type FileLinter, lintFile } from '../lint/lintFile.ts';
import { TextLinter } from '../lint/lintText.ts';
import { sourceFiles } from '../sourceFiles.ts';

/** Files that are looked at: a home folder is no workspace. */
const MAX_FILES = 20_000;

/**
 * Lints the source files below a file or folder, and counts on each finding how often its tools were seen failing silently
 * in recorded events. Nothing is run or changed. Paths are relative to `folder`; both are absolute.
 */
export async function findingsBelow(
  below: string,
  folder: string,
  events: AsyncIterable<LogEvent>,
): Promise<AgentFindings> {
  const problems: string[] = [];
  // A model may be led to ask for anything: what it is shown stays within the folder that a person named.
  if (!(await isWithin(below, folder))) {
    return { problem: 'The path is outside of the folder that is linted.' };
  }
  const linter: FileLinter = {
    texts: new TextLinter('medium'),
    configs: new ConfigFinder((file, problem) => problems.push(`${file}: ${problem}`)),
    ignoresConfidence: false,
    fix: 'none',
  };
  const seen = await silentByTool(events);
  const findings: AgentFinding[] = [];
  let files = 0;
  try {
    const isSource = (file: string) => languageOf(file) !== undefined;
    for await (const file of sourceFiles([below], isSource, () => problems.push('there is no such file or folder'))) {
      if (files >= MAX_FILES) {
        problems.push(`only the first ${MAX_FILES} source files were looked at`);
        break;
      }
      const result = await lintFile(file, linter);
      if (result.kind === 'linted') {
        files += 1;
        for (const finding of result.findings) {
          findings.push({
            path: path.relative(folder, file).split(path.sep).join('/'),
            line: finding.range.startLine + 1,
            rule: `${finding.rule} ${finding.name}`,
            severity: finding.severity,
            message: sentence(finding.message, finding.args),
            tools: finding.tools,
            seen: isAboutHiding(finding) ? finding.tools.reduce((sum, tool) => sum + (seen.get(tool) ?? 0), 0) : 0,
          });
        }
      } else if (result.kind !== 'skipped') {
        problems.push(`${path.relative(folder, file)}: ${result.why}`);
      }
    }
  } finally {
    linter.texts.dispose();
  }
  return problems.length > 0 && files === 0 ? { problem: problems.join('; ') } : { findings, files };
}

async function silentByTool(events: AsyncIterable<LogEvent>): Promise<ReadonlyMap<string, number>> {
  const silent = new SilentTools();
  const projector = new Correlator(judge);
  for await (const event of events) {
    silent.apply(projector.push(event));
  }
  const counts = new Map<string, number>();
  for (const { tool, count } of silent.all()) {
    counts.set(tool, (counts.get(tool) ?? 0) + count);
  }
  return counts;
}

/** Whether a path leads into `folder`, links followed; one that is not there is judged by its name. */
async function isWithin(below: string, folder: string): Promise<boolean> {
  const real = (name: string) => realpath(name).catch(() => name);
  const relative = path.relative(await real(folder), await real(below));
  return relative === '' || !(path.isAbsolute(relative) || relative.split(path.sep)[0] === '..');
}
