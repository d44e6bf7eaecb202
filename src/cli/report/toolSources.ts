import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { languageOf, MAX_BYTES } from '../../lint/engine.ts';
import { silentPlace } from '../../lint/hidingRules.ts';
import type { ReportSource } from '../../protocol/report.ts';
import { ConfigFinder } from '../lint/configFinder.ts';
import { TextLinter } from '../lint/lintText.ts';
import { sourceFiles } from '../sourceFiles.ts';

/** Files that are looked through at most: a home folder is no workspace. */
const MAX_FILES = 20_000;

/**
 * Where tools fail silently, by their names: the line of the finding that says so, or of the tool's definition. Reads the
 * source files below `folder`, absolute, and parses those that name one of the tools. `tell` hears of what stood in the way.
 */
export async function findToolSources(
  names: ReadonlySet<string>,
  folder: string,
  tell: (problem: string) => void,
): Promise<ReadonlyMap<string, ReportSource>> {
  const found = new Map<string, ReportSource>();
  if (names.size === 0) {
    return found;
  }
  const linter = new TextLinter('medium');
  const configs = new ConfigFinder((file, problem) => tell(`${file}: ${problem}`));
  let files = 0;
  try {
    const isSource = (file: string) => languageOf(file) !== undefined;
    for await (const file of sourceFiles([folder], isSource, (missing) => tell(`${missing}: not found`))) {
      files += 1;
      if (files > MAX_FILES) {
        tell(`${folder} holds more than ${MAX_FILES} source files, of which the first were looked through`);
        break;
      }
      await lookInto(file, folder);
    }
  } finally {
    linter.dispose();
  }
  return found;

  async function lookInto(file: string, within: string): Promise<void> {
    const languageId = languageOf(file);
    const text = languageId === undefined ? undefined : await readSource(file);
    if (languageId === undefined || text === undefined || ![...names].some((name) => text.includes(name))) {
      return;
    }
    const config = await configs.of(file);
    const result = await linter.lint({ path: file, text, languageId, config }, false);
    if (result.kind === 'broken') {
      tell(`${file}: ${result.why}`);
    }
    if (result.kind !== 'linted') {
      return;
    }
    const place = path.relative(within, file).split(path.sep).join('/');
    for (const tool of result.tools.filter(({ name }) => names.has(name))) {
      // Tests and examples hold further definitions.
      const better = silentPlace(tool, result.findings, found.get(tool.name));
      if (better !== undefined) {
        found.set(tool.name, { path: place, ...better });
      }
    }
  }
}

/** The text of a file; `undefined` when it cannot be read or is too large to be linted. */
async function readSource(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > MAX_BYTES ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
