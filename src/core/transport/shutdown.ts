import type { Clock } from '../../base/clock.ts';
import type { ProcessGroup } from './processGroup.ts';

export interface ShutdownOptions {
  readonly group: ProcessGroup;
  readonly leader: {
    hasExited(): boolean;
    readonly exited: Promise<unknown>;
  };
  readonly clock: Clock;
  /** How long to wait for the group to go by itself, and again after asking it and after killing it. */
  readonly stdinGraceMs: number;
  readonly termGraceMs: number;
  /** Aborted to skip what is left of the waiting and go on to killing. */
  readonly hurry: AbortSignal;
  readonly onStep: (action: 'sigterm' | 'sigkill') => void;
}

/** How often to ask whether the rest of the group has gone; no event tells it. */
const POLL_MS = 20;

/**
 * Ends a process group whose stdin has been closed, in the steps of MCP's stdio transport: wait, SIGTERM, wait, SIGKILL.
 * Resolves as soon as the leader and all others are gone, or after the last wait, at most `stdinGraceMs` plus twice
 * `termGraceMs`. Never rejects.
 */
export async function shutDown(options: ShutdownOptions): Promise<void> {
  const { group, hurry, onStep, stdinGraceMs, termGraceMs } = options;
  if (await isGoneWithin(stdinGraceMs, options, hurry)) {
    return;
  }
  if (!hurry.aborted && group.terminate()) {
    onStep('sigterm');
    if (await isGoneWithin(termGraceMs, options, hurry)) {
      return;
    }
  }
  group.kill();
  onStep('sigkill');
  await isGoneWithin(termGraceMs, options);
}

async function isGoneWithin(
  ms: number,
  { group, leader, clock }: ShutdownOptions,
  hurry?: AbortSignal,
): Promise<boolean> {
  const deadlineUs = clock.monoUs() + ms * 1000;
  for (;;) {
    if (leader.hasExited() && !group.isAlive()) {
      return true;
    }
    const leftMs = (deadlineUs - clock.monoUs()) / 1000;
    if (leftMs <= 0 || hurry?.aborted === true) {
      return false;
    }
    const awake = new AbortController();
    const signal = hurry === undefined ? awake.signal : AbortSignal.any([hurry, awake.signal]);
    if (leader.hasExited()) {
      await clock.sleep(Math.min(POLL_MS, leftMs), signal);
    } else {
      await Promise.race([clock.sleep(leftMs, signal), leader.exited]);
    }
    awake.abort();
  }
}
