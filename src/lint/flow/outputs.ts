import type { FunctionIr } from '../ir.ts';
import type { Handler, Value } from '../model.ts';

/** The functions whose value is what a tool gives back: handlers, and helpers of this file that they return. */
export function outputsOf(handlers: readonly Handler[]): ReadonlyMap<FunctionIr, readonly Handler[]> {
  const found = new Map<FunctionIr, Handler[]>();
  for (const handler of handlers) {
    if (handler.kind !== 'tool') {
      continue;
    }
    add(handler.ir, handler, found);
    for (const { value } of handler.exits) {
      addHelpers(value, handler, found, 0);
    }
  }
  return found;
}

function addHelpers(value: Value, handler: Handler, found: Map<FunctionIr, Handler[]>, depth: number): void {
  for (const { shape } of depth > 4 ? [] : value) {
    switch (shape.kind) {
      case 'helper':
        if (shape.helper.isLocal && add(shape.helper.ir, handler, found)) {
          for (const exit of shape.helper.exits) {
            addHelpers(exit.value, handler, found, depth + 1);
          }
        }
        break;
      case 'result':
        addHelpers(shape.blocks, handler, found, depth + 1);
        break;
      case 'block':
        addHelpers(shape.text, handler, found, depth + 1);
        break;
      case 'list':
        for (const item of shape.items) {
          addHelpers(item, handler, found, depth + 1);
        }
        break;
      default:
        break;
    }
  }
}

/** False when the handler was there already. */
function add(ir: FunctionIr, handler: Handler, found: Map<FunctionIr, Handler[]>): boolean {
  const known = found.get(ir);
  if (known === undefined) {
    found.set(ir, [handler]);
    return true;
  }
  const isNew = !known.includes(handler);
  if (isNew) {
    known.push(handler);
  }
  return isNew;
}
