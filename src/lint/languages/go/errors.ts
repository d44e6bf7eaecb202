import type { Expression } from '../../ir.ts';

/**
 * What a condition says of an error: `failed` for `err != nil`, `absent` for `err == nil`, `expected` for a test for one
 * kind of it (`errors.Is(err, io.EOF)`, `isAccepted(err)`), which may well lead to a success.
 */
export interface ErrorTest {
  readonly kind: 'failed' | 'absent' | 'expected';
  /** The variable that holds the error. */
  readonly name: string;
}

/** `errResult` is a result that tells of an error, not an error. */
const ERROR_NAME =
  /^(?:err(?!\w*(?:Res|Result|Resp|Response|Msg|Message|Text|String|Str|Code|Count|Ch|Chan|Group|Body|Output|Content|s)$)\w*|\w+Err|\w+Error|e)$/;

/** What a condition says of an error; undefined when it is about none. */
export function errorIn(condition: Expression, depth = 0): ErrorTest | undefined {
  if (depth > 4) {
    return undefined;
  }
  switch (condition.kind) {
    case 'compare': {
      const [left, right] = condition.parts;
      const name = left === undefined ? undefined : errorName(left);
      if (name === undefined || right === undefined) {
        return undefined;
      }
      if (right.kind === 'constant' && right.value === null) {
        return { kind: condition.operator === '==' ? 'absent' : 'failed', name };
      }
      return condition.operator === '==' ? { kind: 'expected', name } : undefined;
    }
    case 'call': {
      const name = condition.args[0] === undefined ? undefined : errorName(condition.args[0]);
      return name === undefined ? undefined : { kind: 'expected', name };
    }
    case 'other': {
      const found = condition.parts.map((part) => errorIn(part, depth + 1)).filter((test) => test !== undefined);
      return found.find(({ kind }) => kind === 'expected') ?? found.find(({ kind }) => kind === 'failed');
    }
    default:
      return undefined;
  }
}

const errorName = (expression: Expression) =>
  expression.kind === 'name' && ERROR_NAME.test(expression.name) ? expression.name : undefined;
