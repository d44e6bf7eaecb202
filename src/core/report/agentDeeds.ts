import type { AgentEvidence, AgentVerdict } from '../../protocol/report.ts';
import { AGENT_ACTS, type AgentAct } from '../../protocol/reportTerms.ts';
import { BoundedMap } from '../classify/boundedMap.ts';

/** Evidence that is kept of each kind, the newest. */
const MAX_EVIDENCE = 20;
/** With fewer failures nothing is said of how an agent deals with them. */
const FEW_FAILURES = 5;
/** Of all failures: with this part badly dealt with it struggles, with at most a third of that it recovers. */
const STRUGGLES = 0.5;
const RECOVERS = STRUGGLES / 3;

/** What a person would rather not have seen. A loop is told by its calls, each of which is a blind retry as well. */
const BAD: readonly AgentAct[] = [
  'blind_retry',
  'possible_duplicate',
  'used_silent_error',
  'ignored_partial',
  'give_up',
];

/** What one agent did about failures: counts of all, evidence of the newest. */
export class AgentDeeds {
  calls = 0;
  failures = 0;
  private readonly counts = new Map<AgentAct, number>();
  private readonly evidence = new Map<AgentAct, BoundedMap<string, AgentEvidence>>();
  private loopCalls = 0;

  /** Adds evidence, in the place of what it was told by before, as a loop is with each further call. */
  add(id: string, evidence: AgentEvidence): void {
    const { kind, count } = evidence;
    const kept = this.evidence.get(kind) ?? new BoundedMap<string, AgentEvidence>(MAX_EVIDENCE);
    this.evidence.set(kind, kept);
    const known = kept.get(id);
    if (known === undefined) {
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    }
    if (kind === 'loop') {
      this.loopCalls += count - (known?.count ?? 0);
    }
    kept.set(id, evidence);
  }

  /** The verdict so far. `open`: what is true for now, and may not be after further calls. */
  verdict({ session, origin }: Pick<AgentVerdict, 'session' | 'origin'>, open: readonly AgentEvidence[]): AgentVerdict {
    const acts: Partial<Record<AgentAct, number>> = {};
    for (const kind of AGENT_ACTS) {
      const count = (this.counts.get(kind) ?? 0) + open.filter((one) => one.kind === kind).length;
      if (count > 0) {
        acts[kind] = count;
      }
    }
    const kept = AGENT_ACTS.flatMap((kind) => [
      ...(this.evidence.get(kind)?.values() ?? []),
      ...open.filter((one) => one.kind === kind).slice(-MAX_EVIDENCE),
    ]);
    return {
      session,
      origin,
      client: origin.startsWith('tap:') ? origin.slice('tap:'.length) : '',
      calls: this.calls,
      failures: this.failures,
      acts,
      loopCalls: this.loopCalls,
      grade: gradeOf(this.failures, acts),
      evidence: kept,
    };
  }
}

/**
 * `nothing-failed`; `too-few` failures to tell; else by the part of the failures after which something bad was done:
 * `recovers` up to a sixth, `struggles` from a half on, `mixed` between.
 */
export function gradeOf(failures: number, acts: AgentVerdict['acts']): AgentVerdict['grade'] {
  const bad = BAD.reduce((sum, kind) => sum + (acts[kind] ?? 0), 0);
  if (failures === 0) {
    return 'nothing-failed';
  }
  if (failures < FEW_FAILURES && bad < FEW_FAILURES) {
    return 'too-few';
  }
  const share = bad / failures;
  return share >= STRUGGLES ? 'struggles' : share <= RECOVERS ? 'recovers' : 'mixed';
}
