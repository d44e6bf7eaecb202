import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { agentFinding } from '../../core/agent/agentFinding.ts';
import type { AgentFinding, AgentFindings } from '../../core/agent/agentSource.ts';
import { languageOf } from '../../lint/engine.ts';
import { ConfigFinder } from '../lint/configFinder.ts';
import type { Evidence } from '../lint/evidence.ts';
import { type FileLinter, lintFile } from '../lint/lintFile.ts';
import { TextLinter } from '../lint/lintText.ts';
import { sourceFiles } from '../sourceFiles.ts';

/** Files that are looked at: a home folder is no workspace. */
const MAX_FILES = 20_000;

/**
 * Lints the source files below a file or folder, and counts on each finding how often its tools were seen failing silently
 * as `evidence` says. Nothing is run or changed. Paths are relative to `folder`; both are absolute.
 */
export async function findingsBelow(below: string, folder: string, evidence: Evidence): Promise<AgentFindings> {
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
        const name = path.relative(folder, file).split(path.sep).join('/');
        for (const finding of result.findings) {
          findings.push(agentFinding(name, finding, evidence.of(finding)?.count ?? 0));
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

/** Whether a path leads into `folder`, links followed; one that is not there is judged by its name. */
async function isWithin(below: string, folder: string): Promise<boolean> {
  const real = (name: string) => realpath(name).catch(() => name);
  const relative = path.relative(await real(folder), await real(below));
  return relative === '' || !(path.isAbsolute(relative) || relative.split(path.sep)[0] === '..');
}
