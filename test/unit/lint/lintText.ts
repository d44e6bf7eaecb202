import { LintEngine, type LintOptions, languageOf } from '../../../src/lint/engine.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import { grammars } from './support.ts';

/** One engine for all tests of a file; grammars load once. */
export const engine = new LintEngine(grammars);

/** The findings of one rule in a text, FL001 unless named; fails when it was not linted at all. */
export async function findingsIn(
  path: string,
  text: string,
  options: Partial<LintOptions> = {},
  rule = 'FL001',
): Promise<readonly Finding[]> {
  return (await allFindingsIn(path, text, options)).filter((finding) => finding.rule === rule);
}

/** The findings of all rules in a text; fails when it was not linted at all. */
export async function allFindingsIn(
  path: string,
  text: string,
  options: Partial<LintOptions> = {},
): Promise<readonly Finding[]> {
  const languageId = languageOf(path);
  if (languageId === undefined) {
    throw new Error(`No language for ${path}`);
  }
  const result = await engine.lint({ path, text, languageId }, { confidence: 'medium', ...options });
  if (result.kind !== 'linted') {
    throw new Error(`${path} was skipped: ${result.reason}`);
  }
  return result.findings;
}

/** 1-based lines of the findings, as the command line prints them. */
export async function linesIn(path: string, text: string, options: Partial<LintOptions> = {}): Promise<number[]> {
  return (await findingsIn(path, text, options)).map(({ range }) => range.startLine + 1);
}

/** 1-based lines of a text that carry the mark `<- here`. */
export function markedLines(text: string): number[] {
  return text.split('\n').flatMap((line, index) => (line.includes('<- here') ? [index + 1] : []));
}
