import { ExponentialBackoff, type GeneratorFn, type IBackoff } from 'cockatiel';
import type { Random } from '../../base/clock.ts';
import { boundPolicy, type ReplayPolicy } from './policy.ts';

export type BackoffShape = Pick<ReplayPolicy, 'maxAttempts' | 'baseMs' | 'factor' | 'capMs' | 'jitter'>;

/** A delay as a value: `duration` is this wait in ms, `next` gives the one after it. */
export type Backoff = IBackoff<undefined>;

/**
 * The first delay of `shape`: `baseMs * factor^n`, at most `capMs`, of which the share `jitter` is random. The library's own
 * generators take `Math.random` and leave out the factor, hence this one.
 */
export function firstBackoff(shape: BackoffShape, random: Random): Backoff {
  const { baseMs, factor, capMs, jitter } = boundPolicy(shape);
  const generator: GeneratorFn<number> = (count = 0, options) => {
    const ceiling = Math.min(options.maxDelay, options.initialDelay * options.exponent ** count);
    return [Math.round(ceiling * (1 - jitter * random())), count + 1];
  };
  return new ExponentialBackoff({ generator, initialDelay: baseMs, exponent: factor, maxDelay: capMs }).next();
}

/** The range of each wait that `policy` can lead to, in order; one fewer than its attempts. Milliseconds. */
export function previewDelays(policy: BackoffShape): readonly { readonly minMs: number; readonly maxMs: number }[] {
  const { maxAttempts } = boundPolicy(policy);
  const delays: { minMs: number; maxMs: number }[] = [];
  let longest = firstBackoff(policy, () => 0);
  let shortest = firstBackoff(policy, () => 1);
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    delays.push({ minMs: shortest.duration, maxMs: longest.duration });
    longest = longest.next(undefined);
    shortest = shortest.next(undefined);
  }
  return delays;
}
