import type { Effect, LanguageFacts, TransportUse } from '../../facts.ts';
import { pathOf } from '../../flow/moduleIndex.ts';
import type { Call, Expression } from '../../ir.ts';

/** What a language's own names tell, as patterns of dotted paths of what is called. */
export interface NamedFacts {
  /** Writes to stdout. */
  readonly stdout: RegExp;
  /** Ends the process. */
  readonly exit: RegExp;
  /** Waits for a network or for a process without an end, by itself. */
  readonly network?: RegExp;
  readonly process?: RegExp;
  /** Last names of calls that start a server. */
  readonly stdio: RegExp;
  readonly http: RegExp;
  /** Names of members and calls that give a stack trace. */
  readonly trace: RegExp;
  /** A quick look at the last name of a call, wide enough for all of the effects above. */
  readonly names: RegExp;
}

const ABSENT = /(?:NotFound|NoSuch|KeyError|DoesNotExist|NoResult|NoRows|StopIteration)/;

/** What rules other than FL001 ask, answered by names. */
export function factsByName(facts: NamedFacts): LanguageFacts {
  return {
    mayHaveEffect: ({ callee }) => facts.names.test(lastName(callee) ?? ''),
    effectOf: ({ call, within }) => effectOf(call, within, facts),
    startOf: ({ value }) => startOf(value, facts),
    typeTestOf: () => undefined,
    isStackTrace: (expression) => {
      const named = expression.kind === 'call' ? expression.callee : expression;
      return facts.trace.test(lastName(named) ?? '');
    },
    isRawBody: () => false,
    isAbsence: (className) => ABSENT.test(className),
  };
}

const lastName = (expression: Expression) =>
  expression.kind === 'name' || expression.kind === 'member' ? expression.name : undefined;

function effectOf(call: Call, within: readonly Call[], facts: NamedFacts): Effect | undefined {
  const path = pathOf(call.callee);
  if (path === undefined || call.isNew) {
    return undefined;
  }
  if (facts.stdout.test(path) || isPrintedTo(call, path)) {
    return { kind: 'stdout' };
  }
  if (facts.exit.test(path)) {
    return { kind: 'exit' };
  }
  if (within.some(({ callee }) => /timeout/i.test(lastName(callee) ?? ''))) {
    return undefined;
  }
  return facts.network?.test(path) === true
    ? { kind: 'wait', on: 'network' }
    : facts.process?.test(path) === true
      ? { kind: 'wait', on: 'process' }
      : undefined;
}

/** `fmt.Fprintf(os.Stdout, …)`. */
const isPrintedTo = ({ args }: Call, path: string) =>
  /^fmt\.Fprint(?:f|ln)?$/.test(path) && args[0] !== undefined && pathOf(args[0]) === 'os.Stdout';

function startOf({ callee }: Call, facts: NamedFacts): TransportUse | undefined {
  const name = lastName(callee) ?? '';
  return facts.stdio.test(name) ? 'stdio' : facts.http.test(name) ? 'http' : undefined;
}
