import type { Behaviour } from '../../protocol/behaviour.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { FAILURE_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { AgentEvidence, AgentVerdict } from '../../protocol/report.ts';
import { BoundedMap } from '../classify/boundedMap.ts';
import { AgentDeeds } from './agentDeeds.ts';
import { agentCallKey } from './callKey.ts';
import { failureText } from './failureText.ts';

/** Sessions and clients that are judged, the newest ones. */
const MAX_AGENTS = 500;
const MAX_CALLS = 8192;
const MAX_TOOLS = 256;
/** Calls after a partial result or a silent error in which what was made of it shows. */
const CALLS_AFTER = 20;
const MAX_WATCHED = 16;
/** Shorter texts are in arguments by chance. */
const MIN_QUOTED = 12;
const MAX_QUOTED = 200;

/** Failures that an agent knows of: of others it has not heard, or has got something. */
const SEEN: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>([
  'tool_error',
  'protocol_error',
  'transport_error',
  'timeout',
  'invalid_response',
]);

/** A call as far as what follows is told by it. */
interface Call {
  readonly key: number;
  readonly server: string;
  readonly tool: string;
  /** Does it count? */
  readonly isWanted: boolean;
  /** The attempt that was made last. */
  attempt: number;
  outcome: OutcomeKind | undefined;
  /** Could the same again have helped? */
  isWorthRepeating: boolean;
}

/** A call whose answer misleads whoever does not read it well, until it shows what the agent made of it. */
interface Watched {
  readonly call: Call;
  /** Of a silent error: what stands in arguments if it was taken for an answer, as JSON writes it. */
  readonly quote: string | undefined;
  calls: number;
}

/** The newest call of a tool. */
interface Newest {
  readonly call: Call;
  failuresInRow: number;
  /** Calls of the agent when it was made. */
  readonly at: number;
}

interface Agent {
  readonly session: string;
  readonly origin: string;
  readonly newest: BoundedMap<string, Newest>;
  watched: Watched[];
  begun: number;
  readonly deeds: AgentDeeds;
}

/** Evidence, which takes the place of earlier evidence with its id, as a loop does with each further call. */
export interface FoundEvidence {
  readonly id: string;
  readonly evidence: AgentEvidence;
}

export interface AgentTrackerOptions {
  /** Whether a call counts, asked when it begins; all do when absent. What does not is still followed. */
  readonly isWanted?: (callKey: number) => boolean;
}

/**
 * Follows what the agents behind clients make of failures, one verdict for each client in each session. Pure, bounded; the
 * same events give the same verdicts.
 */
export class AgentTracker {
  private readonly agents = new BoundedMap<string, Agent>(MAX_AGENTS);
  /** The newest calls of all agents. */
  private readonly calls = new BoundedMap<number, Call>(MAX_CALLS);
  private readonly isWanted: (callKey: number) => boolean;
  private made = 0;

  constructor({ isWanted = () => true }: AgentTrackerOptions = {}) {
    this.isWanted = isWanted;
  }

  /** Agents that were forgotten, since there were too many. */
  get forgotten(): number {
    return this.made - this.agents.size;
  }

  /**
   * Takes a snapshot of an exchange, the event that changed it, and the behaviours that it completes. Gives what this
   * shows of its agent.
   */
  push(event: LogEvent, exchange: Exchange, behaviours: readonly Behaviour[]): readonly FoundEvidence[] {
    const key = agentCallKey(exchange);
    if (key === undefined) {
      return [];
    }
    const agent = this.agentOf(exchange);
    const known = this.calls.get(key);
    if (known === undefined && key !== exchange.key) {
      // An attempt of a call that was forgotten.
      return [];
    }
    const shown: FoundEvidence[] = [];
    const call = known ?? this.begin(agent, exchange, event, shown);
    this.follow(agent, call, exchange, event);
    for (const behaviour of behaviours) {
      shown.push(...this.ofBehaviour(agent, behaviour));
    }
    return shown;
  }

  /** Every agent that called a tool, in the order in which they first did. */
  verdicts(): readonly AgentVerdict[] {
    return [...this.agents.values()].flatMap((agent) => {
      const { session, origin, deeds } = agent;
      return deeds.calls === 0
        ? []
        : [
            deeds.verdict(
              { session, origin },
              openEvidence(agent).map(({ evidence }) => evidence),
            ),
          ];
    });
  }

  /** What only the end of a recording shows: tools that were given up, partial results that nobody came back to. */
  open(): readonly FoundEvidence[] {
    return [...this.agents.values()].flatMap(openEvidence);
  }

  private agentOf({ session, origin }: Exchange): Agent {
    const id = `${session} ${origin}`;
    let agent = this.agents.get(id);
    if (agent === undefined) {
      this.made += 1;
      agent = {
        session,
        origin,
        newest: new BoundedMap(MAX_TOOLS),
        watched: [],
        begun: 0,
        deeds: new AgentDeeds(),
      };
      this.agents.set(id, agent);
    }
    return agent;
  }

  private begin(agent: Agent, exchange: Exchange, event: LogEvent, shown: FoundEvidence[]): Call {
    const { key, server, target } = exchange;
    const tool = target ?? '';
    const isWanted = this.isWanted(key);
    const call: Call = { key, server, tool, isWanted, attempt: 0, outcome: undefined, isWorthRepeating: false };
    this.calls.set(key, call);
    agent.begun += 1;
    agent.deeds.calls += isWanted ? 1 : 0;
    const id = toolId(call);
    const before = agent.newest.get(id);
    const failuresInRow = isFailed(before?.call.outcome) ? (before?.failuresInRow ?? 0) : 0;
    agent.newest.set(id, { call, failuresInRow, at: agent.begun });
    const raw = event.body.kind === 'message' ? event.body.raw : '';
    const still: Watched[] = [];
    for (const watched of agent.watched) {
      watched.calls += 1;
      const kind = verdictOnWatched(watched, call, raw);
      if (kind === 'used_silent_error' || kind === 'ignored_partial') {
        const exchanges = kind === 'used_silent_error' ? [watched.call.key, key] : [watched.call.key];
        shown.push(...add(agent, call, { kind, of: watched.call, exchanges, count: exchanges.length }));
      } else if (kind === 'watch') {
        still.push(watched);
      }
    }
    agent.watched = still;
    return call;
  }

  /** The call has come further, or ended otherwise than was known. */
  private follow(agent: Agent, call: Call, exchange: Exchange, event: LogEvent): void {
    const attempt = exchange.chain?.attempt ?? 1;
    const outcome = exchange.verdict?.outcome;
    if (attempt < call.attempt || (attempt === call.attempt && outcome === call.outcome)) {
      return;
    }
    const before = call.outcome;
    call.attempt = attempt;
    call.outcome = outcome;
    const retry = exchange.verdict?.retry;
    call.isWorthRepeating = retry === 'safe' || retry === 'only_if_idempotent';
    if (call.isWanted) {
      agent.deeds.failures += Number(isFailed(outcome)) - Number(isFailed(before));
    }
    const newest = agent.newest.get(toolId(call));
    if (newest?.call === call) {
      newest.failuresInRow += Number(isFailed(outcome)) - Number(isFailed(before));
    }
    if (agent.watched.some((one) => one.call === call)) {
      agent.watched = agent.watched.filter((one) => one.call !== call);
    }
    if (outcome === 'partial' || outcome === 'silent_error') {
      const quote = outcome === 'silent_error' ? quoteOf(failureText(exchange, event)) : undefined;
      if (outcome === 'partial' || quote !== undefined) {
        agent.watched = [...agent.watched, { call, quote, calls: 0 }].slice(-MAX_WATCHED);
      }
    }
  }

  private ofBehaviour(agent: Agent, { id, kind, exchanges, count }: Behaviour): readonly FoundEvidence[] {
    const failed = this.calls.get(exchanges[0] ?? -1);
    const last = this.calls.get(exchanges.at(-1) ?? -1);
    if (last === undefined) {
      return [];
    }
    // Its own attempts may have mended what the first of them did not, and a passing trouble may have passed.
    const isBlind = failed === undefined || (isFailed(failed.outcome) && !failed.isWorthRepeating);
    return kind === 'blind_retry' && !isBlind ? [] : add(agent, last, { id, kind, of: last, exchanges, count });
  }
}

/** Evidence that a call gave, which counts when the call does. `of`: the call that it is about. */
function add(
  agent: Agent,
  call: Call,
  {
    id,
    kind,
    of,
    exchanges,
    count,
  }: Pick<AgentEvidence, 'kind' | 'exchanges' | 'count'> & { readonly id?: string; readonly of: Call },
): readonly FoundEvidence[] {
  if (!call.isWanted) {
    return [];
  }
  const found = { id: id ?? `${kind} ${exchanges[0]}`, evidence: { kind, ...placeOf(agent, of), exchanges, count } };
  agent.deeds.add(found.id, found.evidence);
  return [found];
}

function openEvidence(agent: Agent): readonly FoundEvidence[] {
  const given = [...agent.newest.values()]
    // Whoever makes other calls after it has turned away; who makes none may still be thinking.
    .filter(({ call, at }) => call.outcome !== undefined && SEEN.has(call.outcome) && agent.begun > at)
    .map(({ call, failuresInRow }) => ({ kind: 'give_up' as const, call, count: Math.max(1, failuresInRow) }));
  const ignored = agent.watched
    .filter(({ call, quote, calls }) => call.outcome === 'partial' && quote === undefined && calls > 0)
    .map(({ call }) => ({ kind: 'ignored_partial' as const, call, count: 1 }));
  return [...given, ...ignored]
    .filter(({ call }) => call.isWanted)
    .map(({ kind, call, count }) => ({
      id: `${kind} ${call.key}`,
      evidence: { kind, ...placeOf(agent, call), exchanges: [call.key], count },
    }));
}

function placeOf({ session, origin }: Agent, { server, tool }: Call) {
  return { session, origin, server, tool };
}

function toolId({ server, tool }: Call): string {
  return JSON.stringify([server, tool]);
}

function isFailed(outcome: OutcomeKind | undefined): boolean {
  return outcome !== undefined && FAILURE_KINDS.has(outcome);
}

/** What a further call shows of an answer that misleads: nothing yet, that it was taken well, or that it was not. */
function verdictOnWatched(
  { call, quote, calls }: Watched,
  next: Call,
  raw: string,
): 'watch' | 'done' | 'used_silent_error' | 'ignored_partial' {
  if (quote !== undefined) {
    return raw.includes(quote) ? 'used_silent_error' : calls >= CALLS_AFTER ? 'done' : 'watch';
  }
  if (next.server === call.server && next.tool === call.tool) {
    return 'done';
  }
  return calls >= CALLS_AFTER ? 'ignored_partial' : 'watch';
}

/** The beginning of a text as it stands in JSON, without what JSON may write in more than one way. */
function quoteOf(text: string | undefined): string | undefined {
  const [line = ''] = (text ?? '')
    .trim()
    .slice(0, MAX_QUOTED)
    .split(/[\n\r\t]/);
  // Half a character at the end is none.
  const quoted = JSON.stringify(line.toWellFormed().replace(/\ufffd$/, '')).slice(1, -1);
  return quoted.length >= MIN_QUOTED ? quoted : undefined;
}
