import type { Clock } from './clock.ts';

/** `Clock.sleep` of any clock that has timers: resolves after `ms`, or with `'cancelled'` once `signal` aborts. Never rejects. */
export function sleepOn(
  clock: Pick<Clock, 'setTimer'>,
  ms: number,
  signal?: AbortSignal,
): Promise<'elapsed' | 'cancelled'> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve('cancelled');
      return;
    }
    const timer = clock.setTimer(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve('elapsed');
    });
    const onAbort = () => {
      timer.dispose();
      resolve('cancelled');
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
