import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type * as z from 'zod/mini';
import type { TextArgs } from '../../../base/text.ts';
import type { SourceRange } from '../../../protocol/finding.ts';
import { createLineIndex } from '../../client/lineIndex.ts';
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
  const errors: ParseError[] = [];
  // The mark of some editors on Windows is no part of the text.
  const tree = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
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
  const value: unknown = getNodeValue(tree);
  const version = isRecord(value) ? value['faultlineSuite'] : undefined;
  if (typeof version === 'number' && version > SUITE_FORMAT) {
    return { problems: [problemAt(['faultlineSuite'], 'suite.newer', { version, known: SUITE_FORMAT })] };
  }
  const parsed = suiteSchema.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.flatMap((issue) => deepest(issue, []));
    return {
      problems: issues.map(({ path, code, args }) => problemAt(path, code, { ...args, at: pointerOf(path) })),
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

interface Issue {
  readonly path: readonly PropertyKey[];
  /** Names a sentence. */
  readonly code: string;
  readonly args: TextArgs;
}

/** Of a value that is none of several shapes, the faults of the shape that it comes nearest to. */
function deepest(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): readonly Issue[] {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], code: 'suite.unknownMember', args: { key } }));
    case 'invalid_union': {
      const tried = issue.errors.map((issues) => issues.flatMap((each) => deepest(each, path)));
      const [best] = tried.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
      return best ?? [{ path, code: 'suite.wrong', args: {} }];
    }
    case 'invalid_type':
      return [{ path, code: 'suite.wrongType', args: { expected: issue.expected } }];
    case 'invalid_value':
      return [{ path, code: 'suite.wrongValue', args: { choices: issue.values.join(', ') } }];
    case 'too_small':
      return [{ path, code: 'suite.tooSmall', args: { limit: String(issue.minimum) } }];
    case 'too_big':
      return [{ path, code: 'suite.tooLarge', args: { limit: String(issue.maximum) } }];
    default:
      return [{ path, code: 'suite.wrong', args: {} }];
  }
}

const depthOf = (issues: readonly Issue[]) => Math.min(...issues.map(({ path }) => path.length));

/** The node at a path, or the last one on the way to it that is there. */
function nodeNear(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (typeof step === 'symbol' ? String(step) : step));
    const node = findNodeAtLocation(tree, steps);
    if (node !== undefined) {
      return node;
    }
  }
  return tree;
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
