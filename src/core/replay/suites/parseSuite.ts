import { getNodeValue, printParseErrorCode } from 'jsonc-parser';
import type { TextArgs } from '../../../base/text.ts';
import type { SourceRange } from '../../../protocol/finding.ts';
import { memberOf } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import { createLineIndex } from '../../jsonc/lineIndex.ts';
import { nodeNear, pointerOf, readTree } from '../../jsonc/readTree.ts';
import { shapeProblems } from '../../jsonc/shapeProblems.ts';
import { compileLinear } from './linearPattern.ts';
import { SUITE_FORMAT, type SuiteFile, suiteSchema } from './suiteFile.ts';

/** Something wrong in a suite file. `code` names a sentence in `protocol/texts/suite.ts`. */
export interface SuiteProblem {
  readonly code: string;
  readonly args: TextArgs;
  readonly range: SourceRange;
}

export interface ParsedSuite {
  readonly suite: SuiteFile;
  /** The place of each case, in their order. */
  readonly ranges: readonly SourceRange[];
}

/** A suite, or what is wrong with it: never none of both. */
export type SuiteReading = ParsedSuite | { readonly problems: readonly SuiteProblem[] };

/** Longest suite that is read, UTF-16 code units. */
const MAX_LENGTH = 32 * 1024 * 1024;
/** Deeper values could not be compared or written again. */
const MAX_DEPTH = 200;

/** Reads the text of a suite file, comments and trailing commas allowed. Each problem has its place. Never throws. */
export function parseSuite(text: string): SuiteReading {
  const rangeOf = createLineIndex(text);
  const whole = rangeOf(0, 0);
  if (text.length > MAX_LENGTH) {
    return { problems: [{ code: 'suite.tooLong', args: { limit: MAX_LENGTH }, range: whole }] };
  }
  if (isTooDeep(text)) {
    return { problems: [{ code: 'suite.tooDeep', args: { limit: MAX_DEPTH }, range: whole }] };
  }
  const { tree, errors } = readTree(text);
  if (tree === undefined || errors.length > 0) {
    const problems = errors.map(({ error, offset, length }) => ({
      code: 'suite.syntax',
      args: { problem: printParseErrorCode(error) },
      range: rangeOf(offset, length),
    }));
    return { problems: problems.length > 0 ? problems : [{ code: 'suite.empty', args: {}, range: whole }] };
  }
  const problemAt = (path: readonly PropertyKey[], code: string, args: TextArgs): SuiteProblem => {
    const node = nodeNear(tree, path);
    return { code, args, range: rangeOf(node.offset, node.length) };
  };
  const value = getNodeValue(tree) as JsonValue;
  const version = memberOf(value, 'faultlineSuite');
  if (typeof version === 'number' && version > SUITE_FORMAT) {
    return { problems: [problemAt(['faultlineSuite'], 'suite.newer', { version, known: SUITE_FORMAT })] };
  }
  const parsed = suiteSchema.safeParse(value);
  if (!parsed.success) {
    return {
      problems: shapeProblems(parsed.error.issues).map(({ path, name, args }) =>
        problemAt(path, `suite.${name}`, { ...args, at: pointerOf(path) }),
      ),
    };
  }
  const problems = meaningProblems(parsed.data, problemAt);
  return problems.length > 0
    ? { problems }
    : {
        suite: parsed.data,
        ranges: parsed.data.cases.map((_, index) => {
          const node = nodeNear(tree, ['cases', index]);
          return rangeOf(node.offset, node.length);
        }),
      };
}

/** What the shape cannot say: names are unique, patterns are patterns, a code goes with a protocol error. */
function meaningProblems(
  { cases }: SuiteFile,
  problemAt: (path: readonly PropertyKey[], code: string, args: TextArgs) => SuiteProblem,
): readonly SuiteProblem[] {
  const problems: SuiteProblem[] = [];
  const names = new Set<string>();
  for (const [index, { name, expect }] of cases.entries()) {
    if (names.has(name)) {
      problems.push(problemAt(['cases', index, 'name'], 'suite.sameName', { name }));
    }
    names.add(name);
    if (expect.code !== undefined && expect.outcome !== 'protocol_error') {
      problems.push(problemAt(['cases', index, 'expect', 'code'], 'suite.codeWithout', { outcome: expect.outcome }));
    }
    for (const [place, matcher] of (expect.matches ?? []).entries()) {
      const compiled = 'pattern' in matcher ? compileLinear(matcher.pattern) : undefined;
      if (compiled !== undefined && 'problem' in compiled) {
        const path = ['cases', index, 'expect', 'matches', place, 'pattern'];
        problems.push(problemAt(path, 'suite.pattern', { problem: compiled.problem }));
      }
    }
  }
  return problems;
}

/** Counted on the text, since what reads it goes down by recursion. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') {
        at += 1;
      } else if (character === '"' || character === '\n') {
        isInText = false;
      }
    } else if (character === '"') {
      isInText = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) {
        return true;
      }
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return false;
}
