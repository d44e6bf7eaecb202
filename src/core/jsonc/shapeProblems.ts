import type * as z from 'zod/mini';
import type { TextArgs } from '../../base/text.ts';

/** What keeps a value from having its shape. `name` is the end of a code: each kind of file has its own sentences. */
export interface ShapeProblem {
  readonly path: readonly PropertyKey[];
  readonly name: 'unknownMember' | 'wrongType' | 'wrongValue' | 'tooSmall' | 'tooLarge' | 'wrong';
  readonly args: TextArgs;
}

/** The problems in what a schema found. Of a value that is none of several shapes, those of the shape it comes nearest to. */
export function shapeProblems(
  issues: readonly z.core.$ZodIssue[],
  above: readonly PropertyKey[] = [],
): readonly ShapeProblem[] {
  return issues.flatMap((issue) => problemsOf(issue, [...above, ...issue.path]));
}

function problemsOf(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): readonly ShapeProblem[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], name: 'unknownMember', args: { key } }));
    case 'invalid_union': {
      // One member alone says which shape it is to be, and says none of them.
      if ('options' in issue && Array.isArray(issue.options)) {
        return [{ path, name: 'wrongValue', args: { choices: issue.options.join(', ') } }];
      }
      const tried = issue.errors.map((issues) => shapeProblems(issues, path));
      const [best] = tried.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
      return best ?? [{ path, name: 'wrong', args: {} }];
    }
    case 'invalid_type':
      return [{ path, name: 'wrongType', args: { expected: issue.expected } }];
    case 'invalid_value':
      return [{ path, name: 'wrongValue', args: { choices: issue.values.join(', ') } }];
    case 'too_small':
      return [{ path, name: 'tooSmall', args: { limit: String(issue.minimum) } }];
    case 'too_big':
      return [{ path, name: 'tooLarge', args: { limit: String(issue.maximum) } }];
    default:
      return [{ path, name: 'wrong', args: {} }];
  }
}

const depthOf = (problems: readonly ShapeProblem[]) => Math.min(...problems.map(({ path }) => path.length));
