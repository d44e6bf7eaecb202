import type { Clock } from './clock.ts';

/** The real clock. Timers of over 2^31-1 ms are clamped to that, as the platform would fire them at once. */
export const systemClock: Clock = {
  wallUs: () => Date.now() * 1000,
  monoUs: () => Math.round(performance.now() * 1000),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve('cancelled');
        return;
      }
      const timer = systemClock.setTimer(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve('elapsed');
      });
      const onAbort = () => {
        timer.dispose();
        resolve('cancelled');
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  setTimer: (ms, callback) => {
    const handle = setTimeout(callback, Math.min(ms, 0x7fffffff));
    return { dispose: () => clearTimeout(handle) };
  },
};
