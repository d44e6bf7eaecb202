import type { AgentVerdict } from '../../protocol/report.ts';
import { AGENT_ACTS, type AgentAct } from '../../protocol/reportTerms.ts';
import { gradeOf } from './agentDeeds.ts';

/** Evidence that is told of each kind, the newest. */
const MAX_EVIDENCE = 3;

/** How the agent behind one client dealt with failures, over all sessions. */
export interface ClientVerdict extends Omit<AgentVerdict, 'session'> {
  readonly sessions: number;
}

/** Verdicts of sessions added up by client, those with most failures first. */
export function agentsByClient(agents: readonly AgentVerdict[]): readonly ClientVerdict[] {
  return [...Map.groupBy(agents, ({ origin }) => origin).values()]
    .map(sumOf)
    .sort((a, b) => b.failures - a.failures || b.calls - a.calls);
}

function sumOf(verdicts: readonly AgentVerdict[]): ClientVerdict {
  const sum = (of: (verdict: AgentVerdict) => number) => verdicts.reduce((total, verdict) => total + of(verdict), 0);
  const acts: Partial<Record<AgentAct, number>> = {};
  for (const kind of AGENT_ACTS) {
    const count = sum((verdict) => verdict.acts[kind] ?? 0);
    if (count > 0) {
      acts[kind] = count;
    }
  }
  const failures = sum((verdict) => verdict.failures);
  const [first] = verdicts;
  return {
    origin: first?.origin ?? '',
    client: first?.client ?? '',
    sessions: new Set(verdicts.map(({ session }) => session)).size,
    calls: sum(({ calls }) => calls),
    failures,
    acts,
    loopCalls: sum(({ loopCalls }) => loopCalls),
    grade: gradeOf(failures, acts),
    evidence: AGENT_ACTS.flatMap((kind) =>
      verdicts.flatMap(({ evidence }) => evidence.filter((one) => one.kind === kind)).slice(-MAX_EVIDENCE),
    ),
  };
}
