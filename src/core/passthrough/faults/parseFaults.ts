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
import { FAULTS_FORMAT, faultsSchema } from './faultsFile.ts';
import type { FaultPlan } from './plan.ts';

/** Something wrong in a file of faults. `code` names a sentence in `protocol/texts/faults.ts`; line and column from 1. */
export interface FaultsProblem {
  readonly code: string;
  readonly args: TextArgs;
  readonly line: number;
  readonly column: number;
}

/** The faults, or what is wrong with the file: never none of both. */
export type FaultsReading = { readonly plan: FaultPlan } | { readonly problems: readonly FaultsProblem[] };

/** Longest file that is read, UTF-16 code units. */
const MAX_LENGTH = 1024 * 1024;

/** Reads the text of a `*.faultline-faults.json`, comments and trailing commas allowed. Never throws. */
export function parseFaults(source: string): FaultsReading {
  // The mark of some editors on Windows is no part of the text.
  const text = source.replace(/^\uFEFF/, '');
  const at = (code: string, args: TextArgs, offset: number): FaultsProblem => ({
    code,
    args,
    ...placeOf(text, offset),
  });
  if (text.length > MAX_LENGTH) {
    return { problems: [at('fault.file.tooLong', { limit: MAX_LENGTH }, 0)] };
  }
  const errors: ParseError[] = [];
  const tree = parse(text, errors);
  if (tree === undefined || errors.length > 0) {
    const problems = errors.map(({ error, offset }) =>
      at('fault.file.syntax', { problem: printParseErrorCode(error) }, offset),
    );
    return { problems: problems.length > 0 ? problems : [at('fault.file.syntax', { problem: 'ValueExpected' }, 0)] };
  }
  const value: unknown = getNodeValue(tree);
  const version = isRecord(value) ? value['faultlineFaults'] : undefined;
  if (typeof version === 'number' && version > FAULTS_FORMAT) {
    const offset = nodeNear(tree, ['faultlineFaults']).offset;
    return { problems: [at('fault.file.newer', { version, known: FAULTS_FORMAT }, offset)] };
  }
  const parsed = faultsSchema.safeParse(value);
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.flatMap((issue) =>
        told(issue).map(({ path, code, args }) =>
          at(code, { ...args, at: pointerOf(path) }, nodeNear(tree, path).offset),
        ),
      ),
    };
  }
  const misplaced = parsed.data.rules.flatMap(({ fault, transport }, index) =>
    fault.type === 'httpStatus' && transport === 'stdio' ? [['rules', index, 'transport']] : [],
  );
  return misplaced.length === 0
    ? { plan: parsed.data }
    : {
        problems: misplaced.map((path) =>
          at('fault.file.onlyHttp', { at: pointerOf(path) }, nodeNear(tree, path).offset),
        ),
      };
}

/** Values that lie deeper than the parser's recursion goes are no faults. */
function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    return undefined;
  }
}

interface Told {
  readonly path: readonly PropertyKey[];
  readonly code: string;
  readonly args: TextArgs;
}

function told(issue: z.core.$ZodIssue): readonly Told[] {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], code: 'fault.file.unknownMember', args: { key } }));
    case 'invalid_type':
      return [{ path, code: 'fault.file.wrongType', args: { expected: issue.expected } }];
    case 'invalid_value':
      return [{ path, code: 'fault.file.wrongValue', args: { choices: issue.values.join(', ') } }];
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? [{ path, code: 'fault.file.wrongValue', args: { choices: issue.options.join(', ') } }]
        : [{ path, code: 'fault.file.wrong', args: {} }];
    case 'too_small':
      return [{ path, code: 'fault.file.tooSmall', args: { limit: String(issue.minimum) } }];
    case 'too_big':
      return [{ path, code: 'fault.file.tooLarge', args: { limit: String(issue.maximum) } }];
    default:
      return [{ path, code: 'fault.file.wrong', args: {} }];
  }
}

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

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
