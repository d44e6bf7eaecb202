import type { Clock } from '../../../base/clock.ts';
import { type FaultPlan, type FaultRule, type Injection, PACES } from './plan.ts';
import { fits } from './wildcard.ts';

export interface FaultEngineOptions {
  readonly plan: FaultPlan;
  /** Before the plan's own. */
  readonly seed?: number | undefined;
  readonly transport: 'stdio' | 'http';
  /** Tells the names of the server: that of its definition, and its id. */
  readonly server: readonly string[];
  readonly clock: Clock;
}

/** What a request is for, as far as rules look at it. */
export interface FaultSubject {
  readonly method: string;
  readonly tool?: string | undefined;
}

export interface FaultEngine {
  /** The faults that this request is to meet, paces first; at most one that is no pace. */
  decide(subject: FaultSubject): readonly Injection[];
}

const DEFAULT_SEED = 1;

/**
 * Decides which calls meet a fault. Whether the n-th call that fits a rule meets its fault depends on the seed and on n
 * alone, so that the same calls in the same order meet the same faults, however fast they come; only `window` looks at time.
 */
export function createFaultEngine({ plan, seed, transport, server, clock }: FaultEngineOptions): FaultEngine {
  const startUs = clock.monoUs();
  const from = seed ?? plan.seed ?? DEFAULT_SEED;
  const rules = plan.rules.map((rule, index) => ({ rule, index, calls: 0 }));

  function isWithin(rule: FaultRule): boolean {
    const passedMs = (clock.monoUs() - startUs) / 1000;
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = rule.window ?? {};
    return passedMs >= fromMs && passedMs < toMs;
  }

  return {
    decide(subject) {
      const met: Injection[] = [];
      let isBroken = false;
      for (const entry of rules) {
        const { rule, index } = entry;
        const { fault } = rule;
        if (!isFor(rule, subject, server, transport)) {
          continue;
        }
        // Counted whether or not another rule has come first, so that rules do not shift each other.
        entry.calls += 1;
        const isPace = PACES.has(fault.type);
        if (
          (isBroken && !isPace) ||
          !isTurn(rule, entry.calls) ||
          draw(from, index, entry.calls, 0) >= (rule.probability ?? 1) ||
          !isWithin(rule)
        ) {
          continue;
        }
        isBroken ||= !isPace;
        const delayMs =
          fault.type === 'latency'
            ? Math.round(fault.ms + draw(from, index, entry.calls, 1) * (fault.jitterMs ?? 0))
            : 0;
        met.push({ fault, rule: rule.name ?? `#${index + 1}`, delayMs });
      }
      return met.sort((a, b) => Number(PACES.has(b.fault.type)) - Number(PACES.has(a.fault.type)));
    },
  };
}

function isFor(rule: FaultRule, { method, tool }: FaultSubject, server: readonly string[], transport: string): boolean {
  const methods = rule.method ?? 'tools/call';
  return (
    (rule.transport === undefined || rule.transport === transport) &&
    // There is nothing that could carry it.
    (rule.fault.type !== 'httpStatus' || transport === 'http') &&
    patterns(methods).some((pattern) => fits(pattern, method)) &&
    (rule.tool === undefined || (tool !== undefined && patterns(rule.tool).some((pattern) => fits(pattern, tool)))) &&
    (rule.server === undefined || patterns(rule.server).some((pattern) => server.some((name) => fits(pattern, name))))
  );
}

function isTurn({ after = 0, first = Number.POSITIVE_INFINITY, every = 1 }: FaultRule, call: number): boolean {
  const turn = call - after;
  return turn > 0 && turn <= first && turn % every === 0;
}

const patterns = (given: string | readonly string[]): readonly string[] =>
  typeof given === 'string' ? [given] : given;

/** A number in [0, 1) of a place in a table without end: the finalizer of MurmurHash3 over its coordinates. */
function draw(seed: number, rule: number, call: number, salt: number): number {
  let bits = 0;
  for (const part of [seed, Math.floor(seed / 2 ** 32), rule, call, salt]) {
    bits = mix((bits + Math.imul(part | 0, 0x9e3779b1) + 0x7f4a7c15) | 0);
  }
  return (bits >>> 0) / 2 ** 32;
}

function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
