import type { Behaviour, BehaviourKind } from '../../../protocol/behaviour.ts';
import type { ArgumentsFingerprint, Exchange } from '../../../protocol/exchange.ts';
import type { OutcomeKind } from '../../../protocol/outcome.ts';
import { BoundedMap } from '../boundedMap.ts';

/** Calls alike in a row that make a loop, unless a setting says otherwise (outcome reference, "Chains"). */
const DEFAULT_LOOP_LIMIT = 3;

const CALLERS = 256;
const TOOLS = 256;
const CALLS = 8192;
const MAX_KEYS = 100;

/** A call as far as later ones are compared with it. */
interface Call {
  readonly key: number;
  readonly tool: string;
  readonly arguments: ArgumentsFingerprint;
  readonly startUs: number;
  exchange: Exchange;
}

/** Calls of one tool with the same arguments, each after the one before had failed. */
interface Run {
  readonly keys: number[];
  count: number;
  last: Call;
  readonly startUs: number;
}

/** What one caller does at one server. */
interface Caller {
  readonly runs: BoundedMap<string, Run>;
  /** The newest failure of each tool that no success has followed yet. */
  readonly failures: BoundedMap<string, Call>;
  /** `seq` at which some call last ended well. */
  successSeq: number;
}

const FAILED: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>([
  'tool_error',
  'silent_error',
  'protocol_error',
  'transport_error',
  'timeout',
  'invalid_response',
]);
/** Failures that the caller was told of in words, and could act on. */
const TOLD: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>(['tool_error', 'silent_error', 'protocol_error']);

/**
 * Finds what the agent behind a client does, from the tool calls of any client: blind retries, loops, possible
 * duplicates and recoveries. Attempts that Faultline's own client makes, and replays, are not the agent's. Pure, bounded;
 * the same exchanges in the same order give the same behaviours.
 */
export class BehaviourTracker {
  private readonly loopLimit: number;
  private readonly callers = new BoundedMap<string, Caller>(CALLERS);
  /** The newest calls of all callers: their snapshots are large. */
  private readonly calls = new BoundedMap<number, Call>(CALLS);

  /** `loopLimit`: how many calls alike in a row make a loop, at least 2. */
  constructor(options: { readonly loopLimit?: number } = {}) {
    this.loopLimit = Math.max(2, Math.trunc(options.loopLimit ?? DEFAULT_LOOP_LIMIT));
  }

  /** Takes a snapshot of an exchange, in order; gives what it completes or carries on. */
  push(exchange: Exchange): readonly Behaviour[] {
    const { fingerprint, target } = exchange;
    if (exchange.kind !== 'request' || fingerprint === undefined || target === undefined || !isAgents(exchange)) {
      return [];
    }
    const caller = this.callerOf(exchange);
    const known = this.calls.get(exchange.key);
    if (known === undefined) {
      const call = { key: exchange.key, tool: target, arguments: fingerprint, startUs: exchange.startUs, exchange };
      this.calls.set(exchange.key, call);
      return [...this.begun(caller, call), ...ended(caller, call, undefined)];
    }
    const before = known.exchange.verdict?.outcome;
    known.exchange = exchange;
    return ended(caller, known, before);
  }

  /** A call has begun: is it one of before, sent again? */
  private begun(caller: Caller, call: Call): readonly Behaviour[] {
    const id = `${call.tool} ${call.arguments.whole}`;
    const run = caller.runs.get(id);
    if (run === undefined || !isRepeat(caller, run, call)) {
      caller.runs.set(id, { keys: [call.key], count: 1, last: call, startUs: call.startUs });
      return [];
    }
    const before = run.last;
    run.keys.push(call.key);
    if (run.keys.length > MAX_KEYS) {
      run.keys.shift();
    }
    run.count += 1;
    run.last = call;
    caller.runs.set(id, run);
    const kind: BehaviourKind = isAmbiguous(before.exchange) ? 'possible_duplicate' : 'blind_retry';
    const pair = behaviour(kind, call, { keys: [before.key, call.key], count: 2, startUs: before.startUs });
    return run.count < this.loopLimit
      ? [pair]
      : [pair, { ...behaviour('loop', call, run), id: `loop ${call.tool} ${run.startUs}` }];
  }

  private callerOf({ session, server, origin }: Exchange): Caller {
    const id = `${session} ${server} ${origin}`;
    const known = this.callers.get(id);
    if (known !== undefined) {
      return known;
    }
    const caller: Caller = {
      runs: new BoundedMap(TOOLS),
      failures: new BoundedMap(TOOLS),
      successSeq: 0,
    };
    this.callers.set(id, caller);
    return caller;
  }
}

/** A client's own attempts after the first belong to one call of the agent; what a person replays is no agent's. */
function isAgents({ initiator, method, chain, marks, origin, group }: Exchange): boolean {
  const isContinued = (chain?.attempt ?? 1) > 1 || (group?.kind === 'mrtr' && group.index > 0);
  return (
    initiator === 'client' &&
    method === 'tools/call' &&
    !isContinued &&
    !marks.includes('replay') &&
    origin !== 'replay' &&
    origin !== 'lint'
  );
}

/** Sent after the one before it was seen to fail, and nothing that was done in between may have mended the cause. */
function isRepeat(caller: Caller, run: Run, call: Call): boolean {
  const { exchange } = run.last;
  const isFailed = exchange.verdict !== undefined && FAILED.has(exchange.verdict.outcome);
  const isAfter = exchange.endSeq !== undefined && call.key > exchange.endSeq;
  return isFailed && isAfter && caller.successSeq < exchange.endSeq;
}

function isAmbiguous({ marks }: Exchange): boolean {
  return marks.includes('ambiguous_delivery');
}

/** A call has ended, or ended otherwise than was known: a success after a failure that was told may be a recovery. */
function ended(caller: Caller, call: Call, before: OutcomeKind | undefined): readonly Behaviour[] {
  const { verdict, endSeq } = call.exchange;
  if (verdict === undefined || endSeq === undefined || verdict.outcome === before) {
    return [];
  }
  if (FAILED.has(verdict.outcome)) {
    caller.failures.set(call.tool, call);
    return [];
  }
  if (verdict.outcome !== 'success' && verdict.outcome !== 'partial') {
    return [];
  }
  caller.successSeq = Math.max(caller.successSeq, endSeq);
  const failure = caller.failures.get(call.tool);
  const failureSeq = failure?.exchange.endSeq ?? Number.POSITIVE_INFINITY;
  if (failure === undefined || call.key <= failureSeq) {
    return [];
  }
  caller.failures.delete(call.tool);
  const changed = changedBetween(failure.arguments, call.arguments);
  const wasTold = TOLD.has(failure.exchange.verdict?.outcome ?? 'pending');
  return changed.length === 0 || !wasTold || verdict.outcome === 'partial'
    ? []
    : [
        {
          ...behaviour('recovery', call, { keys: [failure.key, call.key], count: 2, startUs: failure.startUs }),
          changed,
        },
      ];
}

function changedBetween(before: ArgumentsFingerprint, after: ArgumentsFingerprint): readonly string[] {
  const names = new Set([...Object.keys(before.members), ...Object.keys(after.members)]);
  const of = (members: ArgumentsFingerprint['members'], name: string) =>
    Object.hasOwn(members, name) ? members[name] : undefined;
  return [...names].filter((name) => of(before.members, name) !== of(after.members, name)).sort();
}

function behaviour(
  kind: BehaviourKind,
  { exchange, key, tool }: Call,
  run: { readonly keys: readonly number[]; readonly count: number; readonly startUs: number },
): Behaviour {
  return {
    id: `${kind} ${key}`,
    kind,
    session: exchange.session,
    server: exchange.server,
    connection: exchange.connection,
    origin: exchange.origin,
    tool,
    exchanges: [...run.keys],
    count: run.count,
    changed: [],
    startUs: run.startUs,
    endUs: exchange.endUs ?? exchange.startUs,
  };
}
