import type { Clock } from './clock.ts';
import { sleepOn } from './sleepOn.ts';

/** The real clock. Timers of over 2^31-1 ms are clamped to that, as the platform would fire them at once. */
export const systemClock: Clock = {
  wallUs: () => Date.now() * 1000,
  monoUs: () => Math.round(performance.now() * 1000),
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
  setTimer: (ms, callback) => {
    const handle = setTimeout(callback, Math.min(ms, 0x7fffffff));
    return { dispose: () => clearTimeout(handle) };
  },
};
