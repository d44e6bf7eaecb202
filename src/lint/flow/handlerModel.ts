import type { LanguageFacts } from '../facts.ts';
import type { Call, FunctionIr, Statement } from '../ir.ts';
import type { Handler, HandlerModel, PlacedEffect, Reached, ValuedExit } from '../model.ts';
import type { Evaluator } from './evaluator.ts';
import type { FunctionFlow, PathContext } from './functionFlow.ts';
import { type ModuleIndex, ownerOf } from './moduleIndex.ts';
import { outputsOf } from './outputs.ts';
import { type Placed, placedIn } from './placedCalls.ts';
import type { Program } from './program.ts';
import { letsThrough } from './swallow.ts';

/** Helpers followed from a handler. */
const MAX_DEPTH = 3;
/** Functions visited for one file; a bound against hostile files. */
const MAX_VISITS = 4000;

/** The handler model of a file: what its handlers are, and, when asked, what they run. */
export function handlerModel(
  handlers: readonly Handler[],
  program: Program,
  evaluator: Evaluator,
  facts: LanguageFacts,
): HandlerModel {
  const { main } = program;
  const placed = memo((flow: FunctionFlow) => placedIn(flow));
  const callees = memo((ir: FunctionIr) => calleesOf(ir, program, placed));
  const reached = once(() => reachedFrom(handlers, program, callees));
  const known = new Map(handlers.map(({ ir, exits }) => [ir, exits]));
  const valued = memo((ir: FunctionIr): readonly ValuedExit[] => evaluator.exitsOf({ ir, module: main }));
  const starts = main.calls.flatMap((found) => {
    const transport = facts.startOf(found, main);
    return transport === undefined ? [] : [{ call: found.value, transport }];
  });
  return {
    handlers,
    imports: main.ir.imports,
    starts,
    tries: main.tries.flatMap(({ value, scope: { owner } }) =>
      owner === undefined ? [] : [{ statement: value, owner }],
    ),
    reached,
    outputs: once(() => outputsOf(handlers)),
    effects: once(() => effectsIn(program, facts, placed, reached, new Set(starts.map(({ call }) => call)))),
    callsIn: (ir) => callees(ir).map(({ statement, ir: callee }) => ({ statement, callees: [callee] })),
    flowOf: (ir) => program.flow(ir),
    exitsOf: (ir) => known.get(ir) ?? valued(ir),
  };
}

interface Visit {
  readonly ir: FunctionIr;
  readonly isEscaping: boolean;
  readonly depth: number;
}

function reachedFrom(
  handlers: readonly Handler[],
  program: Program,
  callees: (ir: FunctionIr) => readonly Callee[],
): readonly Reached[] {
  const found = new Map<FunctionIr, { handlers: Set<Handler>; escapes: Set<Handler> }>();
  const own = new Set(handlers.map(({ ir }) => ir));
  let visits = 0;
  for (const handler of handlers) {
    const open: Visit[] = [{ ir: handler.ir, isEscaping: true, depth: 0 }];
    for (let visit = open.pop(); visit !== undefined && visits < MAX_VISITS; visit = open.pop()) {
      const entry = found.get(visit.ir) ?? { handlers: new Set(), escapes: new Set() };
      found.set(visit.ir, entry);
      const isNew = !entry.handlers.has(handler) || (visit.isEscaping && !entry.escapes.has(handler));
      if (!isNew) {
        continue;
      }
      visits++;
      entry.handlers.add(handler);
      if (visit.isEscaping) {
        entry.escapes.add(handler);
      }
      if (visit.depth < MAX_DEPTH) {
        for (const { ir, context, isOwnTime, isKept } of callees(visit.ir)) {
          const isEscaping: boolean = visit.isEscaping && !isOwnTime && !isKept && context.tries.every(letsThrough);
          open.push({ ir, isEscaping, depth: visit.depth + 1 });
        }
      }
    }
  }
  return [...found].map(([ir, entry]) => ({
    ir,
    flow: program.flow(ir),
    handlers: [...entry.handlers],
    escapes: [...entry.escapes],
    isHandler: own.has(ir),
  }));
}

interface Callee {
  readonly ir: FunctionIr;
  readonly statement: Statement;
  readonly context: PathContext;
  /** It runs at a time of its own, as a callback does: what it throws may end elsewhere. */
  readonly isOwnTime: boolean;
  /** What it fails with is a value that its caller looks at. */
  readonly isKept: boolean;
}

/** `return f(…)`: whatever f gives back, and its error too. */
const isGivenBack = (call: Call, statement: Statement) => statement.kind === 'return' && statement.value === call;

const EVENTS = /^(?:on|once|addListener|addEventListener|signal|setTimeout|setInterval|add_signal_handler|register)$/;

function calleesOf(ir: FunctionIr, program: Program, placed: (flow: FunctionFlow) => Placed): readonly Callee[] {
  const { main } = program;
  const scope = main.scopeOf.get(ir) ?? main.root;
  const { calls, functions } = placed(program.flow(ir));
  const owner = ownerOf(scope);
  const found: Callee[] = [];
  for (const { call, site } of calls) {
    if (call.callee.kind === 'name' || call.callee.kind === 'member') {
      for (const ref of program.resolve(call.callee, scope, main, owner)) {
        if (ref.module === main) {
          const isKept = program.dialect.hasErrorValues === true && !isGivenBack(call, site.statement);
          found.push({ ir: ref.ir, statement: site.statement, context: site.context, isOwnTime: false, isKept });
        }
      }
    }
  }
  for (const { ir: inner, site, within } of functions) {
    const call = within[0];
    if (call !== undefined && !EVENTS.test(nameOf(call) ?? '')) {
      found.push({ ir: inner, statement: site.statement, context: site.context, isOwnTime: true, isKept: false });
    }
  }
  return found;
}

function effectsIn(
  program: Program,
  facts: LanguageFacts,
  placed: (flow: FunctionFlow) => Placed,
  reached: () => readonly Reached[],
  starts: ReadonlySet<Call>,
): readonly PlacedEffect[] {
  const { main } = program;
  // Most files have none: look at the calls alone before placing them.
  const owners = new Set<FunctionIr | undefined>();
  for (const { value, scope } of main.calls) {
    if (facts.mayHaveEffect(value, main)) {
      owners.add(scope.owner);
    }
  }
  if (owners.size === 0) {
    return [];
  }
  const byFunction = new Map(reached().map((entry) => [entry.ir, entry]));
  const startOwners = new Set(main.calls.filter(({ value }) => starts.has(value)).map(({ scope }) => scope.owner));
  return [...owners].flatMap((owner) => {
    const flow = program.flow(owner ?? topOf(main));
    const isAtStart = owner === undefined || startOwners.has(owner);
    const handlers = owner === undefined ? [] : (byFunction.get(owner)?.handlers ?? []);
    return placed(flow).calls.flatMap((call): PlacedEffect[] => {
      const effect = facts.effectOf(call, main);
      return effect === undefined ? [] : [{ ...call, effect, flow, handlers, isAtStart }];
    });
  });
}

/** The top of a file as a function without parameters. */
const topOf = (main: ModuleIndex): FunctionIr => ({
  start: 0,
  end: main.ir.body.at(-1)?.end ?? 0,
  name: undefined,
  parameters: [],
  body: main.ir.body,
  decorators: [],
  returnType: undefined,
  owner: undefined,
  isExported: false,
  isDefaultExport: false,
});

function nameOf({ callee }: Call): string | undefined {
  return callee.kind === 'name' || callee.kind === 'member' ? callee.name : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function memo<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) {
      return before;
    }
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
