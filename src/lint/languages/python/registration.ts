import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { DeclaredParameter, Registration } from '../../model.ts';
import { declaredTypeOf } from './facts.ts';

/** How a tool is declared by a decorator or a call; `ir` is the function whose signature the SDK reads. */
export function registrationOf(at: Expression, call: Call | undefined, ir: FunctionIr | undefined): Registration {
  const named = call?.named ?? [];
  return {
    span: at,
    annotations: named.some(({ key }) => key === 'annotations')
      ? 'given'
      : named.some(({ key }) => key === undefined)
        ? 'unknown'
        : 'missing',
    parameters: ir === undefined ? [] : parametersOf(ir),
  };
}

function parametersOf(ir: FunctionIr): readonly DeclaredParameter[] {
  return ir.parameters.flatMap(({ name, type, hasDefault }) => {
    const declared = type === undefined ? undefined : declaredTypeOf(type);
    return name === undefined || declared === undefined
      ? []
      : [{ name, type: declared.type, isRequired: !declared.isNullable && hasDefault !== true }];
  });
}
