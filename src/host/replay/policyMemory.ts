import * as z from 'zod/mini';
import { boundReplayPolicy, POLICY_PRESETS, presetPolicy } from '../../core/replay/replayPolicy.ts';
import type { ReplayPolicy, RetrySettings } from '../../core/resilience/policy.ts';
import { OUTCOME_KINDS } from '../../protocol/outcome.ts';

/** What a workspace keeps between sessions. */
interface Memory {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

const KEY = 'faultline.replay';

const policy = z.object({
  maxAttempts: z.number(),
  baseMs: z.number(),
  factor: z.number(),
  capMs: z.number(),
  jitter: z.number(),
  timeoutMs: z.number(),
  retryAfterCapMs: z.exactOptional(z.number()),
  retryOn: z.array(z.enum(OUTCOME_KINDS)),
});

const shape = z.object({
  choice: z.enum([...POLICY_PRESETS, 'own']),
  own: z.exactOptional(policy),
  isFresh: z.boolean(),
});

/** How a person replayed last: by a preset or by a policy of their own, and into which instance. */
export interface ReplayHabit {
  readonly choice: (typeof POLICY_PRESETS)[number] | 'own';
  readonly own?: ReplayPolicy;
  readonly isFresh: boolean;
}

/** The habit that is kept; as the settings say, where none is or what is kept cannot be read. */
export function readHabit(memory: Memory): ReplayHabit {
  const read = shape.safeParse(memory.get(KEY));
  if (!read.success || (read.data.choice === 'own' && read.data.own === undefined)) {
    return { choice: 'configured', isFresh: false };
  }
  const { own, ...habit } = read.data;
  return own === undefined ? habit : { ...habit, own: boundReplayPolicy(own) };
}

/** Keeps a habit; the own policy of an earlier one stays where the new one names a preset. */
export async function keepHabit(memory: Memory, habit: ReplayHabit): Promise<void> {
  const own = habit.own ?? readHabit(memory).own;
  await memory.update(KEY, { ...habit, ...(own === undefined ? {} : { own }) });
}

/** The policy that a habit names. */
export function policyOf({ choice, own }: ReplayHabit, settings: RetrySettings): ReplayPolicy {
  return choice === 'own' ? (own ?? presetPolicy('configured', settings)) : presetPolicy(choice, settings);
}
