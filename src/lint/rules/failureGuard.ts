import { partsOf } from '../flow/moduleIndex.ts';
import type { Expression } from '../ir.ts';
import type { Scene } from './scene.ts';
import { isErrorName } from './wording.ts';

const SUCCEEDED = /^(?:is_?)?(?:success|successful|ok|succeeded)$/i;
const EQUAL = /^(?:={2,3}|is)$/;
const STATE = /^(?:status|state|result|outcome|type|code)$/i;
const GOOD = /^(?:success|ok|completed?|done)$/i;
const BAD = /^(?:error|err|failed|failure|fail)$/i;
/** The code of an answer over HTTP. */
const CODE = /^status(?:_?code)?$/i;
/** What an answer says of its failure. */
const SAYS = /^(?:error|err|errors|error_?message|message|msg|detail|details|reason)$/i;
/** And where that came over HTTP. */
const ANSWERS = /^(?:status(?:_?code)?|text|body|content|reason_?phrase)$/i;

interface Field {
  readonly root: string;
  readonly key: string;
}

/** The field of `root` that an expression reads: `root.get("status")`, `root["status"]`, `root.status`, `root.json()["status"]`. */
function fieldOf(expression: Expression): Field | undefined {
  const key = keyOf(expression);
  const object =
    expression.kind === 'member'
      ? expression.object
      : expression.kind === 'call' && expression.callee.kind === 'member'
        ? expression.callee.object
        : undefined;
  if (key === undefined || object === undefined) {
    return undefined;
  }
  const isParsed = object.kind === 'call' && object.callee.kind === 'member' && object.callee.name === 'json';
  const held = isParsed && object.callee.kind === 'member' ? object.callee.object : object;
  return held.kind === 'name' ? { root: held.name, key } : undefined;
}

/** The name under which it is read, whatever of. */
function keyOf(expression: Expression): string | undefined {
  if (expression.kind === 'member') {
    return expression.name;
  }
  const isGet = expression.kind === 'call' && expression.callee.kind === 'member' && expression.callee.name === 'get';
  const first = isGet ? expression.args[0] : undefined;
  return first === undefined ? undefined : textOf(first);
}

/**
 * The variables of which the nearest condition says that they hold a failure: `if "error" in answer`,
 * `if not answer.get("success")`, `if answer["status"] == "error"`.
 */
function failedIn({ exitContext }: Scene): ReadonlySet<string> {
  const failed = new Set<string>();
  const guard = exitContext.guards.at(-1);
  if (guard !== undefined && !guard.isNegated) {
    collect(guard.condition, failed, 4);
  }
  return failed;
}

function collect(condition: Expression, failed: Set<string>, depth: number): void {
  if (depth < 0) {
    return;
  }
  const field = fieldOf(condition);
  switch (condition.kind) {
    case 'choice':
      for (const part of partsOf(condition)) {
        collect(part, failed, depth - 1);
      }
      return;
    case 'not':
      addField(deniedSuccess(condition), failed);
      return;
    case 'compare':
      addField(deniedSuccess(condition), failed);
      compared(condition.operator, condition.parts, failed);
      return;
    default:
      if (field !== undefined && isErrorName(field.key)) {
        failed.add(field.root);
      }
  }
}

function addField(expression: Expression | undefined, failed: Set<string>): void {
  const field = expression === undefined ? undefined : fieldOf(expression);
  if (field !== undefined) {
    failed.add(field.root);
  }
}

/** What a condition says not to have succeeded: the `result.success` of `!result.success` and of `result.success === false`. */
export function deniedSuccess(condition: Expression): Expression | undefined {
  const [subject, value] = condition.kind === 'compare' && EQUAL.test(condition.operator) ? condition.parts : [];
  const isFalse = value?.kind === 'constant' && value.value === false;
  const denied = condition.kind === 'not' ? condition.operand : isFalse ? subject : undefined;
  return denied !== undefined && SUCCEEDED.test(keyOf(denied) ?? '') ? denied : undefined;
}

function compared(operator: string, [left, right]: readonly Expression[], failed: Set<string>): void {
  if (left === undefined || right === undefined) {
    return;
  }
  if (operator === 'in' && right.kind === 'name' && /^errors?$/i.test(textOf(left) ?? '')) {
    failed.add(right.name);
    return;
  }
  const field = fieldOf(left);
  const isEqual = EQUAL.test(operator);
  const isUnequal = /^(?:!={1,2}|is not)$/.test(operator);
  if (field === undefined) {
    return;
  }
  if (CODE.test(field.key) && isBadCode(operator, right)) {
    failed.add(field.root);
    return;
  }
  const word = textOf(right);
  const isNone = right.kind === 'constant' && right.value === null;
  const isFailed = isEqual
    ? STATE.test(field.key) && word !== undefined && BAD.test(word)
    : isUnequal &&
      ((STATE.test(field.key) && word !== undefined && GOOD.test(word)) || (isErrorName(field.key) && isNone));
  if (isFailed) {
    failed.add(field.root);
  }
}

/** `!= 200`, `>= 400`, `not in (200, 201)`. */
function isBadCode(operator: string, right: Expression): boolean {
  const numbers = (right.kind === 'list' ? right.items : [right]).map((it) =>
    it.kind === 'constant' && typeof it.value === 'number' ? it.value : Number.NaN,
  );
  const isGood = numbers.every((it) => it >= 200 && it < 300);
  const isBad = numbers.every((it) => it >= 299);
  return /^(?:!={1,2}|is not|not in)$/.test(operator) ? isGood : /^(?:>=?|={2,3}|in)$/.test(operator) && isBad;
}

const textOf = (expression: Expression): string | undefined => {
  const only = expression.kind === 'text' && expression.parts.length === 1 ? expression.parts[0] : undefined;
  return typeof only === 'string' ? only : undefined;
};

/** Whether a text quotes what a failed answer says of its failure. */
export function quotesFailure(source: Expression, scene: Scene): boolean {
  const failed = source.kind === 'text' ? failedIn(scene) : NONE;
  return (
    failed.size > 0 &&
    partsOf(source).some((part) => {
      const field = fieldOf(part);
      return field !== undefined && failed.has(field.root) && (SAYS.test(field.key) || ANSWERS.test(field.key));
    })
  );
}

/** Whether a failed answer, or what it says of its failure, is given back as it is. */
export function isOfFailure(source: Expression, name: string | undefined, scene: Scene): boolean {
  const failed = failedIn(scene);
  if (failed.size === 0) {
    return false;
  }
  const field = fieldOf(source);
  return field === undefined
    ? name !== undefined && source.kind !== 'member' && failed.has(name)
    : failed.has(field.root) && SAYS.test(field.key);
}

const NONE: ReadonlySet<string> = new Set();
