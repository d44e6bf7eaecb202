import { getNodeValue, printParseErrorCode } from 'jsonc-parser';
import type { TextArgs } from '../../../base/text.ts';
import { memberOf } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import { nodeNear, pointerOf, readTree } from '../../jsonc/readTree.ts';
import { shapeProblems } from '../../jsonc/shapeProblems.ts';
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
  const { tree, errors } = readTree(text);
  if (tree === undefined || errors.length > 0) {
    const problems = errors.map(({ error, offset }) =>
      at('fault.file.syntax', { problem: printParseErrorCode(error) }, offset),
    );
    return { problems: problems.length > 0 ? problems : [at('fault.file.syntax', { problem: 'ValueExpected' }, 0)] };
  }
  const value = getNodeValue(tree) as JsonValue;
  const version = memberOf(value, 'faultlineFaults');
  if (typeof version === 'number' && version > FAULTS_FORMAT) {
    const offset = nodeNear(tree, ['faultlineFaults']).offset;
    return { problems: [at('fault.file.newer', { version, known: FAULTS_FORMAT }, offset)] };
  }
  const parsed = faultsSchema.safeParse(value);
  if (!parsed.success) {
    return {
      problems: shapeProblems(parsed.error.issues).map(({ path, name, args }) =>
        at(`fault.file.${name}`, { ...args, at: pointerOf(path) }, nodeNear(tree, path).offset),
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

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
