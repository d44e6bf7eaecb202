import type { Call, CatchClause, Expression, FunctionIr } from '../ir.ts';
import { type Alternative, HOLE, type Shape, type Value, type ValuedExit } from '../model.ts';
import { contentOf } from './contentMakers.ts';
import { type Bound, contextBetween, type Frame, flagOf, inCatch, named, one, respan, withGuard } from './frame.ts';
import { type Definition, reaching } from './functionFlow.ts';
import { partsOf, pathOf } from './moduleIndex.ts';
import { objectValue, withMembers } from './objects.ts';
import { type FunctionRef, type Program, soleAssign } from './program.ts';

/** Helpers followed from a handler: the handler's own, and theirs. */
const MAX_HELPER_DEPTH = 3;
const MAX_DEPTH = 40;
const MAX_ALTERNATIVES = 12;
/** Steps spent on one handler; a bound against hostile files, never reached by real ones. */
const MAX_STEPS = 20_000;
/** Wording is judged by its first words. */
const MAX_TEXT = 240;

/** Finds what expressions may be, by following names, calls and conditions. One instance serves one file. */
export class Evaluator {
  readonly #program: Program;
  readonly #active = new Set<FunctionIr>();
  #steps = 0;
  #depth = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The exits of a handler with what each may give back. */
  exitsOf(ref: FunctionRef): ValuedExit[] {
    this.#steps = 0;
    return this.#exits(ref, new Map(), 0);
  }

  #exits(ref: FunctionRef, bound: ReadonlyMap<string, Bound>, helperDepth: number): ValuedExit[] {
    const flow = this.#program.flow(ref.ir);
    this.#active.add(ref.ir);
    const exits = flow.exits.map((exit) => ({
      exit,
      value:
        exit.kind !== 'return' || exit.site === undefined || exit.value === undefined
          ? []
          : this.#evaluate(exit.value, {
              module: ref.module,
              scope: ref.module.scopeOf.get(ref.ir) ?? ref.module.root,
              flow,
              site: exit.site,
              context: exit.site.context,
              owner: ref.ir.owner,
              bound,
              helperDepth,
              assignedAt: undefined,
              choice: undefined,
            }),
    }));
    this.#active.delete(ref.ir);
    return exits;
  }

  readonly #evaluator = (expression: Expression, frame: Frame) => this.#evaluate(expression, frame);

  #evaluate(expression: Expression, frame: Frame): Value {
    if (this.#depth > MAX_DEPTH || ++this.#steps > MAX_STEPS) {
      return [];
    }
    this.#depth++;
    const value = this.#evaluateKind(expression, frame);
    this.#depth--;
    return value.length > MAX_ALTERNATIVES ? value.slice(0, MAX_ALTERNATIVES) : value;
  }

  #evaluateKind(expression: Expression, frame: Frame): Value {
    switch (expression.kind) {
      case 'text':
        return this.#text(expression, expression.parts, frame);
      case 'constant':
        return one(
          expression.value === null ? { kind: 'nothing' } : { kind: 'constant', value: expression.value },
          expression,
          frame,
        );
      case 'object':
        return objectValue(expression, expression.entries, expression.spreads, frame, this.#evaluator);
      case 'list':
        return one(
          {
            kind: 'list',
            items: expression.items.slice(0, 6).map((item) => this.#evaluate(item, frame)),
            isOpen: expression.spreads.length > 0 || expression.items.length > 6,
          },
          expression,
          frame,
        );
      case 'choice':
        return expression.options.flatMap((option, index) =>
          this.#evaluate(option, {
            ...frame,
            choice: { condition: expression.condition, index },
            context: withGuard(frame.context, expression.condition, index),
          }),
        );
      case 'name':
        return this.#name(expression, expression.name, frame);
      case 'member':
        return this.#member(expression, frame);
      case 'call':
        return this.#call(expression, frame);
      default:
        return one(this.#unknown(expression, frame, undefined, false), expression, frame);
    }
  }

  #unknown(source: Expression, frame: Frame, name: string | undefined, isCall: boolean): Shape {
    return { kind: 'unknown', isCaught: this.#mentionsCaught(source, frame, 4), isCall, name, source };
  }

  // -- text ---------------------------------------------------------------------------------------------------------

  #text(source: Expression, parts: readonly (string | Expression)[], frame: Frame): Value {
    let text = '';
    let isCaught = false;
    const [first] = parts;
    // What a text starts with may be one of several: judge each of them.
    const heads = first !== undefined && typeof first !== 'string' ? this.#evaluate(first, frame) : [];
    const isForked = heads.length > 1 || heads.some(({ shape }) => shape.kind === 'text');
    for (const [index, part] of parts.entries()) {
      if (typeof part === 'string') {
        text += text.length < MAX_TEXT ? part : '';
      } else {
        const inner =
          index === 0 ? heads : part.kind === 'name' || part.kind === 'text' ? this.#evaluate(part, frame) : [];
        const known = inner.length === 1 && inner[0]?.shape.kind === 'text' ? inner[0].shape : undefined;
        text += text.length < MAX_TEXT ? (known?.text ?? HOLE) : '';
        isCaught ||= known?.isCaught ?? this.#mentionsCaught(part, frame, 3);
      }
    }
    const rest = isForked && heads.length > 1 ? text.slice(HOLE.length) : undefined;
    // One sign or another before the same words: the words tell.
    if (rest === undefined || heads.every(isSign)) {
      const isGiven = heads[0]?.isGiven === true;
      const words = (rest ?? text).slice(0, MAX_TEXT);
      const found = one({ kind: 'text', text: words, isCaught, source }, source, frame);
      return isGiven ? found.map((it) => ({ ...it, isGiven })) : found;
    }
    return heads.slice(0, 4).map((head) => ({
      ...head,
      span: source,
      shape: {
        kind: 'text',
        text: ((head.shape.kind === 'text' ? head.shape.text : HOLE) + rest).slice(0, MAX_TEXT),
        isCaught: isCaught || head.shape.kind === 'caught' || (head.shape.kind === 'text' && head.shape.isCaught),
        source,
      },
    }));
  }

  #mentionsCaught(expression: Expression, frame: Frame, depth: number): boolean {
    if (depth < 0 || ++this.#steps > MAX_STEPS) {
      return false;
    }
    if (expression.kind === 'name') {
      return this.#isCaught(expression.name, frame, depth);
    }
    if (expression.kind === 'call') {
      const meaning = this.#meaning(expression);
      if (meaning?.kind === 'caught') {
        return true;
      }
    }
    return partsOf(expression).some((part) =>
      this.#mentionsCaught(part, frame, depth - (part.kind === 'name' ? 0 : 1)),
    );
  }

  #isCaught(name: string, frame: Frame, depth: number): boolean {
    const { flow, site } = frame;
    const bound = frame.bound.get(name);
    if (flow === undefined || site === undefined) {
      return bound === undefined ? false : this.#mentionsCaught(bound.expression, bound.frame, depth - 1);
    }
    return reaching(name, site, flow.sites).some((definition) => {
      if (definition.kind === 'assign' && definition.value !== undefined) {
        return this.#mentionsCaught(definition.value, { ...frame, site: definition.site }, depth - 1);
      }
      if (definition.kind === 'entry' && bound !== undefined) {
        return this.#mentionsCaught(bound.expression, bound.frame, depth - 1);
      }
      return definition.kind === 'caught';
    });
  }

  // -- names --------------------------------------------------------------------------------------------------------

  #name(source: Expression, name: string, frame: Frame): Value {
    const { flow, site } = frame;
    const definitions = flow === undefined || site === undefined ? [] : reaching(name, site, flow.sites);
    if (definitions.length === 0) {
      return this.#outside(source, name, frame);
    }
    const value = definitions.flatMap((definition) => this.#defined(source, name, definition, frame));
    return withMembers(name, value, frame, this.#evaluator);
  }

  #defined(source: Expression, name: string, definition: Definition, frame: Frame): Value {
    switch (definition.kind) {
      case 'caught':
        return one({ kind: 'caught', source }, source, {
          ...frame,
          context: inCatch(frame.context, definition.clause),
        });
      case 'unknown':
        return one({ kind: 'unknown', isCaught: false, isCall: false, name, source }, source, frame);
      case 'entry':
        return this.#outside(source, name, frame);
      case 'assign': {
        const at = definition.site;
        if (definition.value === undefined) {
          return one({ kind: 'nothing' }, source, frame);
        }
        const context = contextBetween(at.context, frame.context);
        const found = this.#evaluate(definition.value, {
          ...frame,
          site: at,
          context,
          assignedAt: at,
          choice: undefined,
        });
        return found.map((it) => named(it, name));
      }
    }
  }

  /** A name that nothing in this function gives a value: a parameter, something around the function, or a module's. */
  #outside(source: Expression, name: string, frame: Frame): Value {
    const bound = frame.bound.get(name);
    if (bound !== undefined) {
      return this.#evaluate(bound.expression, { ...bound.frame, choice: frame.choice }).map((it) => ({
        ...it,
        isGiven: true,
      }));
    }
    const isParameter = frame.flow?.ir.parameters.some((parameter) => parameter.names.includes(name)) ?? false;
    const value = isParameter ? undefined : soleAssign(frame.scope, name);
    if (value !== undefined) {
      const scope = frame.scope.parent ?? frame.scope;
      const outer: Frame = { ...frame, flow: undefined, site: undefined, scope, bound: new Map(), choice: undefined };
      const found = this.#evaluate(value, outer);
      return found.map((it) => named(it, name));
    }
    return one({ kind: 'unknown', isCaught: false, isCall: false, name, source }, source, frame);
  }

  #member(expression: Extract<Expression, { kind: 'member' }>, frame: Frame): Value {
    const path = pathOf(expression);
    const table = expression.object.kind === 'name' ? soleAssign(frame.scope, expression.object.name) : undefined;
    const entry = table?.kind === 'object' ? table.entries.find(({ key }) => key === expression.name) : undefined;
    if (entry !== undefined) {
      return this.#evaluate(entry.value, { ...frame, flow: undefined, site: undefined, bound: new Map() });
    }
    const object = path === undefined ? [] : this.#evaluate(expression.object, frame);
    if (object.length > 0 && object.every(({ shape }) => shape.kind === 'caught')) {
      return one({ kind: 'caught', source: expression }, expression, frame);
    }
    const found = object.flatMap(({ shape }) =>
      shape.kind === 'object'
        ? shape.entries.filter(({ key }) => key === expression.name).flatMap(({ value }) => value)
        : [],
    );
    return found.length > 0 ? found : one(this.#unknown(expression, frame, expression.name, false), expression, frame);
  }

  // -- calls --------------------------------------------------------------------------------------------------------

  #meaning(call: Call) {
    const path = pathOf(call.callee);
    const name = call.callee.kind === 'member' ? call.callee.name : path;
    return this.#program.dialect.meaningOf(call, path, name);
  }

  #call(call: Call, frame: Frame): Value {
    const meaning = this.#meaning(call);
    switch (meaning?.kind) {
      case 'same':
        return this.#evaluate(meaning.value, frame).map((it) => respan(it, call));
      case 'startsAs':
        return this.#startsAs(meaning.value, call, frame);
      case 'caught':
        return one({ kind: 'caught', source: call }, call, frame);
      case 'block':
        return one({ kind: 'block', text: this.#evaluate(meaning.text, frame), source: meaning.text }, call, frame);
      case 'object':
        return objectValue(call, meaning.entries, [], frame, this.#evaluator);
      case 'result':
        return one(
          {
            kind: 'result',
            flag: meaning.flag === undefined ? 'absent' : flagOf(meaning.flag),
            blocks: meaning.content === undefined ? [] : this.#evaluate(meaning.content, frame),
            structured: meaning.structured === undefined ? [] : this.#evaluate(meaning.structured, frame),
            flagEntry: meaning.flag,
            firstEntry: undefined,
            isCall: true,
          },
          call,
          frame,
        );
      case 'callbacks':
        return this.#callbacks(meaning.before, meaning.callbacks, meaning.isCatch, frame);
    }
    const refs = this.#program.resolve(call.callee, frame.scope, frame.module, frame.owner);
    const helpers = refs.slice(0, 24).flatMap((ref) => this.#helper(ref, call, frame));
    if (helpers.length > 0) {
      return helpers;
    }
    const name = call.callee.kind === 'member' || call.callee.kind === 'name' ? call.callee.name : undefined;
    return this.#content(call, name, frame) ?? one(this.#unknown(call, frame, name, true), call, frame);
  }

  /** What a function elsewhere makes whose name promises a result. */
  #content(call: Call, name: string | undefined, frame: Frame): Value | undefined {
    const text = contentOf(call, name, (expression) => this.#isText(expression));
    if (text === undefined) {
      return undefined;
    }
    const blocks = one({ kind: 'block', text: this.#evaluate(text, frame), source: text }, text, frame);
    const flag = call.args.length === 1 && call.named.length === 0 ? 'absent' : 'unknown';
    const parts = { blocks, structured: [], flagEntry: undefined, firstEntry: undefined } as const;
    return one({ kind: 'result', flag, ...parts, isCall: true }, call, frame);
  }

  /** A text, or data made into one. */
  #isText(expression: Expression): boolean {
    return expression.kind === 'text' || (expression.kind === 'call' && this.#meaning(expression)?.kind === 'same');
  }

  #startsAs(value: Expression, call: Call, frame: Frame): Value {
    const head = value.kind === 'list' ? value.items[0] : value;
    if (head === undefined) {
      return one(this.#unknown(call, frame, undefined, true), call, frame);
    }
    return this.#evaluate(head, frame).map((it) => {
      const shape = it.shape.kind === 'list' ? it.shape.items[0]?.[0]?.shape : it.shape;
      return shape?.kind === 'text'
        ? { ...it, span: call, shape: { ...shape, source: call } }
        : { ...it, span: call, shape: shape ?? it.shape };
    });
  }

  #helper(ref: FunctionRef, call: Call, frame: Frame): Value {
    if (frame.helperDepth >= MAX_HELPER_DEPTH || this.#active.has(ref.ir)) {
      return [];
    }
    const bound = new Map<string, Bound>();
    const parameters = ref.ir.parameters.filter(
      ({ name }) => name === undefined || !this.#program.dialect.selfNames.has(name),
    );
    for (const [index, argument] of call.args.entries()) {
      const name = parameters[index]?.name;
      if (name !== undefined) {
        bound.set(name, { expression: argument, frame });
      }
    }
    for (const { key, value } of call.named) {
      if (key !== undefined) {
        bound.set(key, { expression: value, frame });
      }
    }
    const exits = this.#exits(ref, bound, frame.helperDepth + 1);
    const flow = this.#program.flow(ref.ir);
    const isLocal = ref.module === this.#program.main;
    return one({ kind: 'helper', helper: { ir: ref.ir, flow, call, isLocal, exits } }, call, frame);
  }

  /** `.then(f)` gives what f returns; `.catch(f)` that or what was there before. */
  #callbacks(before: Expression | undefined, callbacks: readonly Expression[], isCatch: boolean, frame: Frame): Value {
    const found: Alternative[] = before === undefined ? [] : [...this.#evaluate(before, frame)];
    for (const callback of callbacks) {
      for (const ref of this.#program.resolve(callback, frame.scope, frame.module, frame.owner)) {
        if (this.#active.has(ref.ir)) {
          continue;
        }
        const clause: CatchClause | undefined = isCatch
          ? { start: ref.ir.start, end: ref.ir.end, types: [], variable: ref.ir.parameters[0]?.name, body: ref.ir.body }
          : undefined;
        for (const { value } of this.#exits(ref, new Map(), frame.helperDepth + 1)) {
          found.push(
            ...value.map((it) => (clause === undefined ? it : { ...it, context: inCatch(it.context, clause) })),
          );
        }
      }
    }
    return found;
  }
}

/** A text without a letter: a picture, a mark. */
const isSign = ({ shape }: Alternative) =>
  shape.kind === 'text' && shape.text !== '' && !/[\p{L}\p{N}\u{fffc}]/u.test(shape.text);
